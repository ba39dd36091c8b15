// What svcd finds wrong with itself, each with the command that mends it. Asked when it is opened: it takes svcd a moment.

import { useSignal } from '@preact/signals';
import type { Health as Answer, HealthRow } from '../../api/health.js';
import { askJson } from '../api.js';
import { moneyWords } from '../words/money.js';
import { lang } from '../words/words.js';
import { sayError } from './figures.js';

export function Health() {
  const bad = useSignal<readonly HealthRow[] | undefined>(undefined);
  const trouble = useSignal('');
  const text = moneyWords.value.health;
  const read = async () => {
    try {
      const { checks } = await askJson<Answer>(`/svcd/health?lang=${lang.value}`);
      bad.value = checks.filter(({ status }) => status !== 'ok');
      trouble.value = '';
    } catch (error) {
      trouble.value = sayError(error);
    }
  };
  return (
    <details onToggle={(event) => event.currentTarget.open && void read()}>
      <summary>{text.title}</summary>
      <p role="status">
        {trouble.value || (bad.value === undefined ? text.looking : bad.value.length === 0 && text.good)}
      </p>
      <ul class="rows">
        {bad.value?.map(({ name, code, status, words, hint, command }) => (
          <li key={`${name} ${code} ${words}`} data-state={status}>
            <span>
              {name}: {words} {command !== null && <code>{command}</code>} {hint !== null && <small>{hint}</small>}
            </span>
          </li>
        ))}
      </ul>
    </details>
  );
}
