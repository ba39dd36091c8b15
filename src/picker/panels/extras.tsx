// The layers that are loaded when they are first wanted.

import { exporting } from '../export/exporters.js';
import { layer, view } from '../store.js';
import { late } from './late.js';

const ExportLayer = late(async () => (await import('../parts.js')).ExportDialog);
const OwnLayer = late(async () => (await import('../parts.js')).OwnDialog);
const CommandsLayer = late(async () => (await import('../parts.js')).CommandList);
const CopyLayer = late(async () => (await import('../parts.js')).CopyView);
const CollectionsPart = late(async () => (await import('../parts.js')).CollectionsPanel);

const ExportMenuLayer = late(async () => (await import('../parts.js')).ExportMenu);
const HelpLayer = late(async () => (await import('../parts.js')).Help);
const DetailsBody = late(async () => (await import('../parts.js')).DetailsBody);
/** Parts of the frame that say nothing before svcd was asked. */
const NoticeLine = late(async () => (await import('../parts.js')).NoticeLine);
const SelectionBar = late(async () => (await import('../parts.js')).SelectionBar);
const StateLine = late(async () => (await import('../parts.js')).StateLine);
const StatusBar = late(async () => (await import('../parts.js')).StatusBar);

export { CollectionsPart, CopyLayer, NoticeLine, SelectionBar, StateLine, StatusBar };

export const Details = () => (view.value.preset === '' ? null : <DetailsBody />);

export function ExtraLayers() {
  const kind = layer.value?.kind;
  return (
    <>
      {exporting.value !== undefined && <ExportLayer />}
      {kind === 'own' && <OwnLayer />}
      {kind === 'take' && <ExportMenuLayer />}
      {kind === 'help' && <HelpLayer />}
      {kind === 'commands' && <CommandsLayer />}
    </>
  );
}
