// The frame: search on top, filters at the side, the grid, details. Narrow, filters become a strip and details a sheet.

import { effect } from '@preact/signals';
import { GridView } from './grid/grid-view.js';
import {
  CollectionsPart,
  CopyLayer,
  Details,
  EmptyState,
  ExtraLayers,
  NoticeLine,
  SelectionBar,
  StateLine,
  StatusBar,
} from './panels/extras.js';
import { Filters, FilterStrip } from './panels/filters.js';
import { ListHead } from './panels/list-head.js';
import { MoneyLayers } from './panels/money-layers.js';
import { SearchBox } from './panels/search-box.js';
import { settings, view } from './store.js';

effect(() => {
  document.documentElement.dataset['motion'] = settings.motion.value;
});

effect(() => {
  const { value } = settings.theme;
  if (value === 'system') delete document.documentElement.dataset['theme'];
  else document.documentElement.dataset['theme'] = value;
});

export function App() {
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
      <ExtraLayers />
      <MoneyLayers />
    </>
  );
}
