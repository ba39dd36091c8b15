// What counts as a deliberate act on a button that spends: a press of its own that began after the question was shown.
// Nothing that was under way then, no repeated key, no second half of a double click, no click of a script.

import { lastPress, lastPressAt, pressOf } from '../pressed-keys.js';

/** Faster than anybody reads; a press so soon was meant for what was there before. */
const TOO_SOON_MS = 250;
/** A press so soon after the one that asked the question is its double. */
const DOUBLE_MS = 400;

const ACTING = new Set(['Enter', 'NumpadEnter', 'Space']);

export class ConfirmPress {
  private since = performance.now();
  /** Presses up to this one began before the question was shown. */
  private before = lastPress();
  private asked = lastPressAt();
  private began = false;

  /** The question changed: what is under way does not answer it. */
  again(): void {
    this.since = performance.now();
    this.before = lastPress();
    this.asked = lastPressAt();
    this.began = false;
  }

  /** Whether this key on the button is the act. The browser makes no click of it in any case. */
  private isByKey(event: KeyboardEvent): boolean {
    if (!ACTING.has(event.code)) return false;
    event.preventDefault();
    const isOther = event.repeat || event.isComposing || event.ctrlKey || event.altKey || event.metaKey;
    return event.isTrusted && !isOther && pressOf(event.code) > this.before && !this.isTooSoon();
  }

  /** The space bar clicks when it comes up. */
  private keyUp(event: KeyboardEvent): void {
    if (ACTING.has(event.code)) event.preventDefault();
  }

  private pointerDown(event: PointerEvent): void {
    this.began = event.isTrusted && event.isPrimary && event.button === 0 && !this.isTooSoon();
  }

  /** Whether this click on the button is the act: it began here, or comes from a reader of the screen, which has no pointer. */
  private isByClick(event: MouseEvent): boolean {
    const isReader = event.detail === 0 && !this.isTooSoon();
    const isPointer = event.detail === 1 && this.began;
    this.began = false;
    return event.isTrusted && (isReader || isPointer);
  }

  /** What a button needs that spends: `run` is called for the act alone. */
  handlers(run: () => Promise<void>) {
    return {
      onKeyDown: (event: KeyboardEvent) => {
        if (this.isByKey(event)) void run();
      },
      onKeyUp: (event: KeyboardEvent) => this.keyUp(event),
      onPointerDown: (event: PointerEvent) => this.pointerDown(event),
      onClick: (event: MouseEvent) => {
        if (this.isByClick(event)) void run();
      },
    };
  }

  private isTooSoon(): boolean {
    const now = performance.now();
    return now - this.since < TOO_SOON_MS || now - this.asked < DOUBLE_MS;
  }
}
