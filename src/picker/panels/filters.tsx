// What narrows the list: owned, color, shape, length, order; and how it is shown.

import type { ComponentChildren } from 'preact';
import { EVERYTHING, filtersOf } from '../address.js';
import { TILE_ORDERS } from '../../api/page-terms.js';
import { change, filterCount, openList, settings, styles, view } from '../store.js';
import { openCopy } from '../extras.js';
import { chooseLanguage, lang, nameOfStyle, number, words } from '../words/words.js';
import { Button, Choice, LettersSwitch, NamedSelect, Select } from './controls.js';

/** One of each hue, as clear as a label needs. */
const COLORS = [
  'f8312f',
  'ff822d',
  'fcd53f',
  '00d26a',
  '00a6ed',
  '5b4bd6',
  'b4478f',
  '9b9b9b',
  '212121',
  'ffffff',
] as const;
const SHAPES = ['square', 'wide', 'tall'] as const;
const LENGTHS = [1, 1.5, 2, 3, 5];

/** `children` are the person's collections. */
interface FilterProps {
  readonly children: ComponentChildren;
}

export function Filters({ children }: FilterProps) {
  return (
    <nav class="rail" aria-label={words.value.filters}>
      <FilterGroups>{children}</FilterGroups>
    </nav>
  );
}

/** Where it is narrow: what is used most, and all of it in a sheet. */
export function FilterStrip() {
  const text = words.value;
  const { value: count } = filterCount;
  return (
    <nav class="strip" aria-label={text.filters}>
      <Button class="choice" onClick={() => openList('filters')}>
        ⚙ {count === 0 ? text.filters : text.filterCount(number(count))}
      </Button>
      <Choice on={view.value.mode === 'copy'} onPick={turnCopy}>
        {text.copy}
      </Choice>
      <Choice on={isAtOwned()} onPick={turnOwned}>
        {text.owned}
      </Choice>
      <Shapes />
    </nav>
  );
}

/** Whether nothing narrows the list. */
const isAtAll = (): boolean =>
  Object.keys(filtersOf(view.value)).every((one) => one === 'sort') && view.value.mode === 'grid';

/** Without words and filters, in the order that was chosen; Back brings these back. */
const goToAll = () => {
  const { sort, preset } = view.value;
  change({ ...EVERYTHING, sort, preset }, 'push');
};

/** Whether the list is of what is owned: a collection is another place. */
const isAtOwned = (): boolean => {
  const { owned, collection, mode } = view.value;
  return owned && collection === '' && mode === 'grid';
};

/** Narrows what is searched to what is owned, and back; not what was searched in a collection, which is a place beside it. */
const turnOwned = () => {
  const { collection, sort } = view.value;
  const rest = collection === '' ? {} : { ...EVERYTHING, sort };
  change({ ...rest, owned: !isAtOwned(), mode: 'grid' }, 'push');
};

const turnCopy = () => (view.value.mode === 'copy' ? change({ mode: 'grid' }, 'push') : openCopy());

export function FilterGroups({ children }: FilterProps) {
  const { maxDuration, style, sort, mode } = view.value;
  const say = words.value;
  return (
    <>
      <div class="group">
        <Choice on={isAtAll()} onPick={goToAll}>
          {say.all}
        </Choice>
        <Choice on={isAtOwned()} of="owned" onPick={turnOwned}>
          {say.owned}
        </Choice>
        <Choice on={mode === 'copy'} onPick={turnCopy}>
          {say.copy}
        </Choice>
      </div>
      {children}
      {styles.value.length > 0 && (
        <Select
          of="style"
          label={say.style}
          value={style}
          options={[['', say.anyLength], ...styles.value.map((one) => [one, nameOfStyle(one)] as const)]}
          onPick={(value) => change({ style: value })}
        />
      )}
      <Colors />
      <fieldset class="group">
        <legend>{say.shape}</legend>
        <Shapes />
      </fieldset>
      <Select
        of="max_duration"
        label={say.length}
        value={maxDuration}
        options={[[0, say.anyLength], ...LENGTHS.map((one) => [one, say.atMost(number(one, 1))] as const)]}
        onPick={(value) => change({ maxDuration: value })}
      />
      <Select
        label={say.sort}
        value={sort}
        options={TILE_ORDERS.map((one) => [one, say.sorts[one]])}
        onPick={(value) => change({ sort: value })}
      />
      <NamedSelect of={settings.motion} label={say.motion} names={say.motions} />
      <NamedSelect of={settings.size} label={say.size} names={say.sizes} />
      <NamedSelect of={settings.theme} label={say.theme} names={say.themes} />
      <Button class="quiet" onClick={() => chooseLanguage(lang.value === 'zh' ? 'en' : 'zh')}>
        {say.language}
      </Button>
      <LettersSwitch />
      <Button class="quiet" onClick={() => openList('help')}>
        {say.help} ?
      </Button>
    </>
  );
}

function Shapes() {
  const { aspect } = view.value;
  return SHAPES.map((one) => (
    <Choice key={one} on={aspect === one} of="aspect" onPick={() => change({ aspect: aspect === one ? '' : one })}>
      {words.value[one]}
    </Choice>
  ));
}

interface Dropper {
  open(): Promise<{ readonly sRGBHex: string }>;
}

function Colors() {
  const { color } = view.value;
  const text = words.value;
  const { EyeDropper } = window as { EyeDropper?: new () => Dropper };
  const isOther = color !== '' && !COLORS.includes(color as (typeof COLORS)[number]);
  // Who leaves without a color has none picked.
  const pick = () =>
    EyeDropper &&
    new EyeDropper().open().then(
      ({ sRGBHex }) => change({ color: sRGBHex.replace('#', '').toLowerCase() }, 'push'),
      () => undefined,
    );
  return (
    <fieldset class="group">
      <legend>{words.value.color}</legend>
      <div class="swatches">
        {COLORS.map((one) => (
          <Button
            key={one}
            class="swatch"
            data-filter="color"
            aria-label={text.colors[one]}
            title={text.colors[one]}
            aria-pressed={color === one}
            style={{ '--hue': `#${one}` }}
            onClick={() => change({ color: color === one ? '' : one })}
          />
        ))}
        <input
          type="color"
          class="swatch any"
          data-filter="color"
          aria-label={text.otherColor}
          title={text.otherColor}
          data-on={isOther ? '' : undefined}
          value={color === '' ? '#5b4bd6' : `#${color}`}
          onChange={(event) => change({ color: event.currentTarget.value.slice(1) })}
        />
        {EyeDropper !== undefined && (
          <Button class="swatch dropper" aria-label={text.pickColor} title={text.pickColor} onClick={() => void pick()}>
            <svg viewBox="0 0 16 16" aria-hidden="true">
              <path d="M2 14l1-3 6-6 2 2-6 6zM8.5 3.5l4 4M10.5 5.5l2-2a1.4 1.4 0 0 0-2-2l-2 2" />
            </svg>
          </Button>
        )}
      </div>
    </fieldset>
  );
}
