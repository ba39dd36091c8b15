// All actions by name: what Ctrl or ⌘ K and then `>` lists. The names are `extraWords.commands`, in both languages.

import { EVERYTHING } from './address.js';
import { canExport, EXPORTERS } from './export/exporters.js';
import { concerned, toggleIn } from './collections.js';
import { asksForCollection, hasSession, openCopy, openOwn } from './extras.js';
import { change, choose, chosen, type Layer, layer, openList, reload, settings, view } from './store.js';
import { enExtras } from './words/en-extras.js';
import { chooseLanguage, lang } from './words/words.js';
import { zhExtras } from './words/zh-extras.js';

export type CommandId = keyof typeof enExtras.commands;

export interface Command {
  /** Key of its name. */
  readonly id: CommandId;
  run(this: void): void;
  /** Whether it can be done now; always, if absent. */
  when?(this: void): boolean;
}

const hasSome = () => concerned().length > 0;
const showCollection = (id: 'favourites' | 'wanted' | 'recent'): Command => ({
  id,
  when: hasSession,
  run: () => change({ ...EVERYTHING, collection: id }, 'push'),
});
const open = (kind: Layer['kind']) => () => {
  layer.value = { kind, presets: concerned().map(({ preset }) => preset) };
};

/** In the rail, or in the sheet that has it where it is narrow. */
function askForCollection(): void {
  asksForCollection.value = true;
  if (matchMedia('(width < 720px)').matches) openList('filters');
}

const EXPORT_COMMANDS = EXPORTERS.map((exporter): Command => ({
  id: exporter.id,
  when: () => canExport(exporter, concerned()),
  run: () => exporter.run(concerned()),
}));

const COMMANDS: readonly Command[] = [
  { id: 'copy', run: () => openCopy() },
  { id: 'grid', when: () => view.value.mode === 'copy', run: () => change({ mode: 'grid' }, 'push') },
  { id: 'all', run: () => change(EVERYTHING, 'push') },
  { id: 'owned', run: () => change({ ...EVERYTHING, owned: true }, 'push') },
  showCollection('favourites'),
  showCollection('wanted'),
  showCollection('recent'),
  {
    id: 'favourite',
    when: () => hasSession() && hasSome(),
    run: () => void toggleIn('favourites', concerned()),
  },
  { id: 'want', when: () => hasSession() && hasSome(), run: () => void toggleIn('wanted', concerned()) },
  { id: 'newCollection', when: hasSession, run: askForCollection },
  { id: 'own', run: () => openOwn() },
  ...EXPORT_COMMANDS,
  { id: 'chooseNone', when: () => chosen.value.size > 0, run: () => choose([...chosen.value.values()], false) },
  { id: 'reload', run: reload },
  { id: 'language', run: () => chooseLanguage(lang.value === 'zh' ? 'en' : 'zh') },
  { id: 'light', run: () => (settings.theme.value = 'light') },
  { id: 'dark', run: () => (settings.theme.value = 'dark') },
  { id: 'system', run: () => (settings.theme.value = 'system') },
  { id: 'still', run: () => (settings.motion.value = 'never') },
  { id: 'hover', run: () => (settings.motion.value = 'hover') },
  { id: 'playAll', run: () => (settings.motion.value = 'view') },
  { id: 'small', run: () => (settings.size.value = 'small') },
  { id: 'medium', run: () => (settings.size.value = 'medium') },
  { id: 'large', run: () => (settings.size.value = 'large') },
  { id: 'money', when: hasSession, run: open('money') },
  { id: 'help', run: open('help') },
];

/** Those that can be done now and whose name, in either language, holds all words that were typed. */
export function findCommands(typed: string): readonly Command[] {
  const asked = typed.replace(/^\s*>/, '').toLowerCase().split(/\s+/u).filter(Boolean);
  const names = ({ id }: Command) => `${enExtras.commands[id]} ${zhExtras.commands[id]} ${id}`.toLowerCase();
  const found = COMMANDS.filter((one) => one.when?.() !== false && asked.every((word) => names(one).includes(word)));
  // Whole words first: "own" is the own stickers before what is owned.
  const parts = (one: Command) => {
    const whole = names(one).split(/\s+/u);
    return asked.filter((word) => !whole.includes(word)).length;
  };
  return found.toSorted((one, other) => parts(one) - parts(other));
}
