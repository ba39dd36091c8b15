// The layers that are loaded when they are first wanted.

import { exporting } from '../export/exporters.js';
import { layer } from '../store.js';
import { late } from './late.js';

const ExportLayer = late(async () => (await import('./export-dialog.js')).ExportDialog);
const OwnLayer = late(async () => (await import('./own-dialog.js')).OwnDialog);
const CommandsLayer = late(async () => (await import('./command-list.js')).CommandList);
const CopyLayer = late(async () => (await import('./copy-view.js')).CopyView);
const CollectionsPart = late(async () => (await import('./collections.js')).CollectionsPanel);

export { CollectionsPart, CopyLayer };

export function ExtraLayers() {
  const kind = layer.value?.kind;
  return (
    <>
      {exporting.value !== undefined && <ExportLayer />}
      {kind === 'own' && <OwnLayer />}
      {kind === 'commands' && <CommandsLayer />}
    </>
  );
}
