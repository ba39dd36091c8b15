// What narrows the list: owned, color, shape, length, order; and how it is shown.

import type { ComponentChildren } from 'preact';
import { TILE_ORDERS } from '../../api/page-terms.js';
import { change, MOTIONS, settings, SIZES, THEMES, view, type Size } from '../store.js';
import { openCopy } from '../extras.js';
import { CollectionsPart } from './extras.js';
import { chooseLanguage, lang, number, words } from '../words/words.js';

/** One of each hue, as clear as a label needs. */
const COLORS = ['f8312f', 'ff822d', 'fcd53f', '00d26a', '00a6ed', '5b4bd6', 'b4478f', '9b9b9b', '212121', 'ffffff'];
const SHAPES = ['square', 'wide', 'tall'] as const;
const LENGTHS = [1, 1.5, 2, 3, 5];

export function Filters() {
  const { owned, color, aspect, maxDuration, sort, mode } = view.value;
  const say = words.value;
  return (
    <nav class="rail" aria-label={say.lift}>
      <div class="group">
        <Choice on={!owned && mode === 'grid'} onPick={() => change({ owned: false, mode: 'grid' }, 'push')}>
          {say.all}
        </Choice>
        <Choice on={owned && mode === 'grid'} onPick={() => change({ owned: true, mode: 'grid' }, 'push')}>
          {say.owned}
        </Choice>
        <Choice on={mode === 'copy'} onPick={() => (mode === 'copy' ? change({ mode: 'grid' }, 'push') : openCopy())}>
          {say.copy}
        </Choice>
      </div>
      <CollectionsPart />
      <fieldset class="group">
        <legend>{say.color}</legend>
        <div class="swatches">
          {COLORS.map((one) => (
            <button
              key={one}
              type="button"
              class="swatch"
              aria-label={`#${one}`}
              aria-pressed={color === one}
              style={{ '--hue': `#${one}` }}
              onClick={() => change({ color: color === one ? '' : one })}
            />
          ))}
        </div>
      </fieldset>
      <fieldset class="group">
        <legend>{say.shape}</legend>
        {SHAPES.map((one) => (
          <Choice key={one} on={aspect === one} onPick={() => change({ aspect: aspect === one ? '' : one })}>
            {say[one]}
          </Choice>
        ))}
      </fieldset>
      <Pick
        label={say.length}
        value={`${maxDuration}`}
        options={[['0', say.anyLength], ...LENGTHS.map((one) => [`${one}`, say.atMost(number(one, 1))] as const)]}
        onPick={(value) => change({ maxDuration: Number(value) })}
      />
      <Pick
        label={say.sort}
        value={sort}
        options={TILE_ORDERS.map((one) => [one, say.sorts[one]] as const)}
        onPick={(value) => change({ sort: TILE_ORDERS.find((one) => one === value) ?? 'best' })}
      />
      <Pick
        label={say.motion}
        value={settings.motion.value}
        options={MOTIONS.map((one) => [one, say.motions[one]] as const)}
        onPick={(value) => (settings.motion.value = MOTIONS.find((one) => one === value) ?? 'hover')}
      />
      <Pick
        label={say.size}
        value={settings.size.value}
        options={(Object.keys(SIZES) as Size[]).map((one) => [one, say.sizes[one]] as const)}
        onPick={(value) => (settings.size.value = value as Size)}
      />
      <Pick
        label={say.theme}
        value={settings.theme.value}
        options={THEMES.map((one) => [one, say.themes[one]] as const)}
        onPick={(value) => (settings.theme.value = THEMES.find((one) => one === value) ?? 'system')}
      />
      <button type="button" class="quiet" onClick={() => chooseLanguage(lang.value === 'zh' ? 'en' : 'zh')}>
        {say.language}
      </button>
    </nav>
  );
}

function Choice(props: { readonly on: boolean; readonly children: ComponentChildren; onPick(this: void): void }) {
  return (
    <button type="button" class="choice" aria-pressed={props.on} onClick={props.onPick}>
      {props.children}
    </button>
  );
}

interface PickProps {
  readonly label: string;
  readonly value: string;
  readonly options: readonly (readonly [value: string, label: string])[];
  onPick(this: void, value: string): void;
}

function Pick({ label, value, options, onPick }: PickProps) {
  return (
    <label class="pick">
      <span>{label}</span>
      <select value={value} onChange={(event) => onPick(event.currentTarget.value)}>
        {options.map(([one, text]) => (
          <option key={one} value={one} selected={one === value}>
            {text}
          </option>
        ))}
      </select>
    </label>
  );
}
