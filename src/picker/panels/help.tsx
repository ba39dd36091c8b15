// The keys, made from their table.

import { isLetter, KEYS, shownKey, type Where } from '../keys.js';
import { settings } from '../store.js';
import { detailWords } from '../words/details.js';
import { words } from '../words/words.js';
import { LettersSwitch } from './controls.js';
import { Modal } from './modal.js';

const PLACES: readonly Where[] = ['anywhere', 'search', 'list', 'grid', 'chips'];

export function Help() {
  const text = detailWords.value;
  const isMac = /mac|iphone|ipad/i.test(navigator.platform);
  const { letters } = settings;
  return (
    <Modal title={words.value.help} class="help">
      <LettersSwitch />
      <p class="quiet-text">{text.lettersNote}</p>
      {PLACES.map((place) => (
        <section key={place}>
          <h3>{text.where[place]}</h3>
          <dl class="keys">
            {KEYS.filter(({ where, keys }) => where === place && (letters.value || !keys.every(isLetter))).map(
              ({ keys, does }) => (
                <div key={does}>
                  <dt>
                    {keys.map((key) => (
                      <kbd key={key}>{shownKey(key, isMac)}</kbd>
                    ))}
                  </dt>
                  <dd>{text.does[does]}</dd>
                </div>
              ),
            )}
          </dl>
        </section>
      ))}
    </Modal>
  );
}
