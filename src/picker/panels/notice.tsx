// The one polite line that says what happened.

import { notice } from '../store.js';

export function NoticeLine() {
  const { value } = notice;
  return (
    <div class="notice" role="status" hidden={value === undefined}>
      {value?.text}
      {value?.action !== undefined && (
        <button type="button" onClick={() => value.action?.run()}>
          {value.action.label}
        </button>
      )}
    </div>
  );
}
