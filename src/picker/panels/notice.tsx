// The one polite line that says what happened last. It stays until the next one comes or it is closed: nobody reads against
// the clock.

import { catchFocus } from '../grid/grid-view.js';
import { notice } from '../store.js';
import { statusWords } from '../words/status.js';

export function NoticeLine() {
  const { value } = notice;
  const close = () => {
    notice.value = undefined;
    catchFocus();
  };
  return (
    <div class="notice" data-empty={value === undefined ? '' : undefined}>
      {/* There before its text is: a reader of the screen tells only what comes into a place it knows. */}
      <span role="status">{value?.text}</span>
      {value?.action !== undefined && (
        <button
          type="button"
          onClick={() => {
            close();
            value.action?.run();
          }}
        >
          {value.action.label}
        </button>
      )}
      {value !== undefined && (
        <button type="button" aria-label={statusWords.value.dismiss} onClick={close}>
          ✕
        </button>
      )}
    </div>
  );
}
