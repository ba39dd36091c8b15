// The ways out for one sticker or the chosen ones. The one that Enter does is marked.

import type { Tile } from '../../api/tile.js';
import { run, usualOf, waysFor } from '../export/ways.js';
import { chosen, focused, layer, ranges, settings } from '../store.js';
import { detailWords } from '../words/details.js';
import { extraWords } from '../words/extras.js';
import { number } from '../words/words.js';
import { Modal } from './modal.js';

export function ExportMenu() {
  const text = detailWords.value;
  const tiles = tilesOf(layer.value?.presets ?? []);
  const usual = usualOf(tiles);
  const close = () => (layer.value = undefined);
  const names: Readonly<Record<string, string>> = { ...extraWords.value.exports, ...text.ways };
  const [first] = tiles;
  return (
    <Modal title={text.exportTitle} onClose={close}>
      <p lang={tiles.length === 1 ? 'zh' : undefined}>
        {tiles.length === 1 ? first?.title : text.several(number(tiles.length))}
      </p>
      {tiles.some(({ picture }) => picture === null || picture === 'sandbox') && (
        <p class="quiet-text">{text.notHeld}</p>
      )}
      <ul class="ways">
        {waysFor(tiles).map((id) => (
          <li key={id}>
            <button
              type="button"
              onClick={() => {
                settings.export.value = id;
                close();
                void run(id, tiles);
              }}
            >
              {names[id]}
              {id === usual && <small>{text.usual}</small>}
            </button>
          </li>
        ))}
      </ul>
    </Modal>
  );
}

function tilesOf(presets: readonly string[]): readonly Tile[] {
  const known = (preset: string) =>
    chosen.value.get(preset) ?? ranges.find(preset) ?? (focused.value?.preset === preset ? focused.value : undefined);
  return presets.map(known).filter((tile) => tile !== undefined);
}
