// The dialog of a layer: Esc closes it, and the focus goes back to where it was. And the one that asks for a code of
// `svcd open --code`, over whatever is open.

import { type ComponentChildren, render } from 'preact';
import { useEffect, useId, useRef, useState } from 'preact/hooks';
import { ApiError, askJson } from '../api.js';
import { quoteShell } from '../export/ways.js';
import { layer, summary } from '../store.js';
import { moneyWords } from '../words/money.js';
import { words } from '../words/words.js';
import { Button } from './controls.js';

interface ModalProps {
  readonly title: string;
  /** Of the title. */
  readonly beside?: ComponentChildren;
  readonly class?: string;
  /** About money: what is pressed beside it closes nothing. */
  readonly asks?: boolean;
  readonly children: ComponentChildren;
  /** Of one that is no layer. */
  onClose?(this: void): void;
}

export function Modal({ title, beside, children, asks = false, ...props }: ModalProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const heading = useId();
  const [mine] = useState(() => layer.peek());
  // The browser tells of the end of a dialog later: another layer may be open by then.
  const close = props.onClose ?? (() => layer.peek() === mine && closeLayer());
  useEffect(() => {
    const before = document.activeElement;
    dialog.current?.showModal();
    return () => {
      if (before instanceof HTMLElement && before.isConnected) before.focus();
    };
  }, []);
  const look = asks ? 'ask' : 'modal';
  return (
    <dialog
      ref={dialog}
      class={`${look} ${props.class ?? ''}`}
      aria-labelledby={heading}
      onClose={close}
      onClick={(event) => {
        // Outside of what is in it.
        if (!asks && event.target === dialog.current) close();
      }}
    >
      <div class={`${look}-body`}>
        <div class="acts">
          <h2 id={heading}>{title}</h2>
          {beside}
        </div>
        {children}
      </div>
    </dialog>
  );
}

export const closeLayer = (): void => void (layer.value = undefined);

/** Sends JSON, with a code where svcd wants one: asked for until it is right. Throws `ApiError`, also when none is given. */
export async function sendWithCode<T>(method: 'POST' | 'PUT', path: string, body: object): Promise<T> {
  let code: string | undefined;
  for (;;) {
    const headers = { 'Content-Type': 'application/json', ...(code !== undefined && { 'X-Svcd-Code': code }) };
    try {
      return await askJson<T>(path, { method, headers, body: JSON.stringify(body) });
    } catch (error) {
      if (!(error instanceof ApiError && error.code === 'needs_code')) throw error;
      code = await askCode(code !== undefined);
      if (code === undefined) throw new ApiError(error.code, moneyWords.value.code.none);
    }
  }
}

const CODE_COMMAND = 'svcd open --code';

function askCode(wasWrong: boolean): Promise<string | undefined> {
  const place = document.body.appendChild(document.createElement('div'));
  return new Promise((resolve) => {
    const end = (code?: string) => {
      render(null, place);
      place.remove();
      resolve(code);
    };
    render(<AskCode wasWrong={wasWrong} onEnd={end} />, place);
  });
}

function AskCode({ wasWrong, onEnd }: { readonly wasWrong: boolean; onEnd(this: void, code?: string): void }) {
  const field = useRef<HTMLInputElement>(null);
  const text = moneyWords.value.code;
  const home = summary.value?.home ?? null;
  // An input method may write digits of full width.
  const send = () => onEnd(field.current?.value.normalize('NFKC').replaceAll(/\D/g, ''));
  return (
    <Modal title={text.title} onClose={() => onEnd()}>
      <p>
        {text.run} <code lang="en">{home === null ? CODE_COMMAND : `${CODE_COMMAND} --home ${quoteShell(home)}`}</code>
      </p>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          send();
        }}
      >
        <label>
          {text.field} <input ref={field} type="text" inputMode="numeric" autocomplete="one-time-code" required />
        </label>
        <p class="said" role="alert">
          {wasWrong && text.wrong}
        </p>
        <div class="acts">
          <button type="submit" class="main">
            {text.send}
          </button>
          <Button onClick={() => onEnd()}>{words.value.cancel}</Button>
        </div>
      </form>
    </Modal>
  );
}
