// The menu of exports and the help, which are loaded when they are first wanted.

import { layer } from '../store.js';
import { late } from './late.js';

const ExportLayer = late(async () => (await import('./export-menu.js')).ExportMenu);
const HelpLayer = late(async () => (await import('./help.js')).Help);

export function FrontLayers() {
  const kind = layer.value?.kind;
  if (kind === 'take') return <ExportLayer />;
  return kind === 'help' ? <HelpLayer /> : null;
}
