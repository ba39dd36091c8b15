// The filters where it is narrow: a sheet over the grid. It may be opened to change one of them.

import { useEffect } from 'preact/hooks';
import { layer } from '../store.js';
import { words } from '../words/words.js';
import { CollectionsPanel } from './collections.js';
import { Button } from './controls.js';
import { FilterGroups } from './filters.js';
import { goToFilter } from './list-head.js';
import { closeLayer, Modal } from './modal.js';

export function FilterSheet() {
  useEffect(() => {
    const [filter] = layer.peek()?.presets ?? [];
    if (filter !== undefined) goToFilter('.filter-sheet', filter);
  }, []);
  return (
    <Modal title={words.value.filters} class="filter-sheet">
      <FilterGroups>
        <CollectionsPanel />
      </FilterGroups>
      <div class="acts">
        <Button class="main-act" onClick={closeLayer}>
          {words.value.close}
        </Button>
      </div>
    </Modal>
  );
}
