// The ways out for one sticker or the chosen ones. The one that Enter does is marked.

import type { Tile } from '../../api/tile.js';
import { EXPORTERS } from '../export/exporters.js';
import { keepAsUsual, nameOfWay, run, usualOf, waysFor } from '../export/ways.js';
import { focused, layer } from '../store.js';
import { detailWords } from '../words/details.js';
import { number } from '../words/words.js';
import { tileOf } from './figures.js';
import { Modal } from './modal.js';

/** Names by which programs get a sticker. */
const FOR_PROGRAMS: ReadonlySet<string> = new Set(['preset', 'command']);

export function ExportMenu() {
  const text = detailWords.value;
  const tiles = tilesOf(layer.value?.presets ?? []);
  const usual = usualOf(tiles);
  const close = () => (layer.value = undefined);
  const [first] = tiles;
  const ways = waysFor(tiles);
  const row = (id: (typeof ways)[number]) => {
    const isUsual = id === usual && tiles.every(({ price }) => price === 0);
    return (
      <li key={id}>
        <button
          type="button"
          autofocus={isUsual}
          onClick={() => {
            // One that asks how it is to be made may yet be cancelled.
            if (EXPORTERS.every((exporter) => exporter.id !== id)) keepAsUsual(id);
            close();
            void run(id, tiles);
          }}
        >
          {nameOfWay(id)}
          {isUsual && <small>{text.usual}</small>}
        </button>
      </li>
    );
  };
  return (
    <Modal title={text.exportTitle} onClose={close}>
      <p lang={tiles.length === 1 ? 'zh' : undefined}>
        {tiles.length === 1 ? first?.title : text.several(number(tiles.length))}
      </p>
      {tiles.some(({ picture }) => picture === null || picture === 'sandbox') && (
        <p class="quiet-text">{text.notHeld}</p>
      )}
      <ul class="ways">{ways.filter((id) => !FOR_PROGRAMS.has(id)).map(row)}</ul>
      <h3>{text.forPrograms}</h3>
      <ul class="ways">{ways.filter((id) => FOR_PROGRAMS.has(id)).map(row)}</ul>
    </Modal>
  );
}

function tilesOf(presets: readonly string[]): readonly Tile[] {
  const known = (preset: string) => tileOf(preset) ?? (focused.value?.preset === preset ? focused.value : undefined);
  return presets.map(known).filter((tile) => tile !== undefined);
}
