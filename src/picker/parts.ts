// All that is not needed for the first tiles, as one script: in pieces it would weigh more, and its words come once.

import { tileCommands } from './tile-commands.js';
import { BuyDialog } from './panels/buy-dialog.js';
import { CollectionsPanel } from './panels/collections.js';
import { CommandList } from './panels/command-list.js';
import { CopyView } from './panels/copy-view.js';
import { DetailsBody } from './panels/details-body.js';
import { EmptyState } from './panels/empty-state.js';
import { ExportDialog, ExportMenu } from './panels/export-dialog.js';
import { FilterSheet } from './panels/filter-sheet.js';
import { Help } from './panels/help.js';
import { Money } from './panels/money.js';
import { NoticeLine } from './panels/notice.js';
import { OwnDialog } from './panels/own-dialog.js';
import { SelectionBar } from './panels/selection-bar.js';
import { StateLine, StatusBar } from './panels/state-line.js';
import { beginOffers } from './wishlist.js';

export const parts = {
  tileCommands,
  BuyDialog,
  CollectionsPanel,
  CommandList,
  CopyView,
  DetailsBody,
  EmptyState,
  ExportDialog,
  ExportMenu,
  FilterSheet,
  Help,
  Money,
  NoticeLine,
  OwnDialog,
  SelectionBar,
  StateLine,
  StatusBar,
};

beginOffers();
