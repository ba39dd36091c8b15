// The one polite line that says what happened last. What was done goes by itself: it can be seen in the page as well. What
// went wrong stays until it is closed, or another comes.

import { useEffect, useRef } from 'preact/hooks';
import { catchFocus } from '../grid/grid-view.js';
import { notice } from '../store.js';
import { statusWords } from '../words/status.js';
import { Button } from './controls.js';

const SHOWN_MS = 8000;
/** Looked at again so soon, while a pointer or the focus is on it. */
const AGAIN_MS = 2000;

export function NoticeLine() {
  const { value } = notice;
  const line = useRef<HTMLDivElement>(null);
  const close = () => {
    notice.value = undefined;
    catchFocus();
  };
  useEffect(() => {
    if (value === undefined || value.stays === true) return undefined;
    const end = () => {
      if (line.current?.matches(':hover, :focus-within') === true) timer = setTimeout(end, AGAIN_MS);
      else notice.value = undefined;
    };
    let timer = setTimeout(end, SHOWN_MS);
    return () => clearTimeout(timer);
  }, [value]);
  return (
    <div class="notice-place">
      <div ref={line} class="notice" data-empty={value === undefined ? '' : undefined}>
        {/* There before its text is: a reader of the screen tells only what comes into a place it knows. */}
        <span role="status">{value?.text}</span>
        {value?.action !== undefined && (
          <Button
            onClick={() => {
              close();
              value.action?.run();
            }}
          >
            {value.action.label}
          </Button>
        )}
        {value !== undefined && (
          <Button aria-label={statusWords.value.dismiss} onClick={close}>
            ✕
          </Button>
        )}
      </div>
    </div>
  );
}
