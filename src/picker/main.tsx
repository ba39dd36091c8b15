// The page for people: find a sticker, see honestly what can be seen, know the price, take the file. The frame: search on top,
// filters at the side, the grid, details. Narrow, filters become a strip and details a sheet.

import { effect } from '@preact/signals';
import { render } from 'preact';
import './picker.css'; // oxlint-disable-line no-unassigned-import -- a style is no value
import { beginExtras, isField } from './extras.js';
import { GridView } from './grid/grid-view.js';
import { setTileCommands } from './grid/tile-buttons.js';
import { doesKey } from './keys.js';
import { beginLive, followOwned } from './live.js';
import { Filters, FilterStrip } from './panels/filters.js';
import {
  CollectionsPart,
  CopyLayer,
  Details,
  EmptyState,
  loadTileCommands,
  NoticeLine,
  OpenLayer,
  SelectionBar,
  StateLine,
  StatusBar,
} from './panels/late.js';
import { ListHead } from './panels/list-head.js';
import { SearchBox } from './panels/search-box.js';
import {
  beginView,
  change,
  choose,
  chosen,
  closeDetails,
  onlyChosen,
  openList,
  reload,
  settings,
  view,
} from './store.js';
import { beginLanguage } from './words/words.js';

effect(() => {
  document.documentElement.dataset['motion'] = settings.motion.value;
});

effect(() => {
  const { value } = settings.theme;
  if (value === 'system') delete document.documentElement.dataset['theme'];
  else document.documentElement.dataset['theme'] = value;
});

function App() {
  const isCopy = view.value.mode === 'copy';
  return (
    <>
      <header>
        <div class="top">
          <strong class="brand">svcd</strong>
          <SearchBox />
          <StatusBar />
        </div>
        <StateLine />
      </header>
      <FilterStrip />
      <div class="body">
        <Filters>
          <CollectionsPart />
        </Filters>
        <main class="list">
          <div class="list">
            {/* The list keeps its place behind the copy. */}
            <div class="list" inert={isCopy}>
              <ListHead />
              <GridView />
              <EmptyState />
            </div>
            {isCopy && <CopyLayer />}
          </div>
          <NoticeLine />
          <SelectionBar />
        </main>
        <Details />
      </div>
      <OpenLayer />
    </>
  );
}

/** Keys that work anywhere in the page: to the search box, and back. */
function beginPageKeys(): void {
  addEventListener('keydown', (event) => {
    if (event.defaultPrevented) return;
    const does = doesKey(event, 'anywhere', settings.letters.value && !isField(event.target));
    // An open dialog closes itself.
    if (document.querySelector('dialog[open]') !== null) return;
    if (does === 'search') {
      event.preventDefault();
      goToSearch();
    }
    if (does === 'back') {
      event.preventDefault();
      goBack(event.target);
    }
    if (does === 'help') {
      event.preventDefault();
      openList('help');
    }
  });
}

/** Closes what is open, else empties the choice. A search is thrown away only where it is written. */
function goBack(from: EventTarget | null): void {
  const { preset, q, mode } = view.value;
  if (preset !== '') return closeDetails();
  if (mode === 'copy') return change({ mode: 'grid' }, 'push');
  if (onlyChosen.value) return reload();
  if (from instanceof Element && from.id === 'search') {
    if (q !== '') change({ q: '' });
  } else if (chosen.value.size > 0) return choose([...chosen.value.values()], false);
  goToSearch();
}

function goToSearch(): void {
  const box = document.querySelector<HTMLInputElement>('#search');
  box?.focus();
  box?.select();
}

beginLanguage(new URL(location.href));
beginView();
followOwned();
beginLive();
beginExtras();
beginPageKeys();
setTileCommands(loadTileCommands);
const root = document.getElementById('app');
if (root !== null) render(<App />, root);
