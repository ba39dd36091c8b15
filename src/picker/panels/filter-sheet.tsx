// The filters where it is narrow: a sheet over the grid.

import { layer } from '../store.js';
import { frontWords } from '../words/front.js';
import { words } from '../words/words.js';
import { FilterGroups } from './filters.js';
import { Modal } from './modal.js';

const close = () => (layer.value = undefined);

export function FilterSheet() {
  return (
    <Modal title={frontWords.value.filters} class="filter-sheet" onClose={close}>
      <FilterGroups />
      <div class="acts">
        <button type="button" class="main-act" onClick={close}>
          {words.value.close}
        </button>
      </div>
    </Modal>
  );
}
