// The layers that are loaded when they are first wanted.

import { layer, view } from '../store.js';
import { late } from './late.js';

const ExportLayer = late((parts) => parts.ExportDialog);
const OwnLayer = late((parts) => parts.OwnDialog);
const CommandsLayer = late((parts) => parts.CommandList);
const CopyLayer = late((parts) => parts.CopyView);
const CollectionsPart = late((parts) => parts.CollectionsPanel);

const ExportMenuLayer = late((parts) => parts.ExportMenu);
const HelpLayer = late((parts) => parts.Help);
const DetailsBody = late((parts) => parts.DetailsBody);
/** Parts of the frame that say nothing before svcd was asked. */
const NoticeLine = late((parts) => parts.NoticeLine);
const SelectionBar = late((parts) => parts.SelectionBar);
const StateLine = late((parts) => parts.StateLine);
const StatusBar = late((parts) => parts.StatusBar);

const EmptyState = late((parts) => parts.EmptyState);
const FilterSheetLayer = late((parts) => parts.FilterSheet);

export { CollectionsPart, CopyLayer, EmptyState, NoticeLine, SelectionBar, StateLine, StatusBar };

export const Details = () => (view.value.preset === '' ? null : <DetailsBody />);

export function ExtraLayers() {
  const kind = layer.value?.kind;
  return (
    <>
      {kind === 'export' && <ExportLayer />}
      {kind === 'filters' && <FilterSheetLayer />}
      {kind === 'own' && <OwnLayer />}
      {kind === 'take' && <ExportMenuLayer />}
      {kind === 'help' && <HelpLayer />}
      {kind === 'commands' && <CommandsLayer />}
    </>
  );
}
