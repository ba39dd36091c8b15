// All that is not needed for the first tiles, as one script: in pieces it would weigh more, and its words come once.

import { beginOffers } from './collections.js';
import { beginProjects } from './project.js';

export { tileCommands } from './tile-commands.js';
export { BuyDialog } from './panels/buy-dialog.js';
export { CollectionsPanel } from './panels/collections.js';
export { CommandList } from './panels/command-list.js';
export { CopyView } from './panels/script/copy-view.js';
export { DetailsBody } from './panels/details-body.js';
export { EmptyState } from './panels/empty-state.js';
export { ExportDialog, ExportMenu } from './panels/export-dialog.js';
export { FilterSheet } from './panels/filter-sheet.js';
export { Help } from './panels/help.js';
export { Money } from './panels/money.js';
export { NoticeLine } from './panels/notice.js';
export { OwnDialog } from './panels/own-dialog.js';
export { SelectionBar } from './panels/selection-bar.js';
export { StateLine, StatusBar } from './panels/state-line.js';

beginOffers();
beginProjects();
