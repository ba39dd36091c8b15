// All that is not needed for the first tiles, as one script: in pieces it would weigh more, and its words come once.

import { toggleIn } from './collections.js';
import { run, runUsual } from './export/ways.js';
import type { LateActs } from './late-acts.js';
import { showRelated, step } from './panels/details-body.js';
import { beginOffers } from './want.js';

export { BuyDialog } from './panels/buy-dialog.js';
export { CollectionsPanel } from './panels/collections.js';
export { CommandList } from './panels/command-list.js';
export { CopyView } from './panels/copy-view.js';
export { DetailsBody } from './panels/details-body.js';
export { ExportDialog } from './panels/export-dialog.js';
export { ExportMenu } from './panels/export-menu.js';
export { Help } from './panels/help.js';
export { Money } from './panels/money.js';
export { NoticeLine } from './panels/notice.js';
export { OwnDialog } from './panels/own-dialog.js';
export { SelectionBar } from './panels/selection-bar.js';
export { StateLine } from './panels/state-line.js';
export { StatusBar } from './panels/status-bar.js';

export const acts: LateActs = {
  way: (id, tile) => void (id === undefined ? runUsual([tile]) : run(id, [tile])),
  toggleIn: (name, tile) => void toggleIn(name, [tile]),
  showRelated,
  step: (tile, by) => void step(tile, by),
};

beginOffers();

// Their styles: the document names the file, since a script cannot know what its content makes it be called.
const style = document.querySelector<HTMLLinkElement>('#parts-style');
if (style !== null) {
  await new Promise((resolve) => {
    style.addEventListener('load', resolve);
    // Without them everything can still be read and pressed.
    style.addEventListener('error', resolve);
    style.rel = 'stylesheet';
  });
}
