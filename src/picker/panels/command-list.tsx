// All actions by name, and their list: what Ctrl or ⌘ K and then `>` shows. Type a part of a name, ↑ and ↓, Enter.

import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { EVERYTHING } from '../address.js';
import { concerned, toggleIn } from '../collections.js';
import { canDo, EXPORT_IDS, run } from '../export/ways.js';
import { asksForCollection, commandText, hasSession, openCopy, openOwn } from '../extras.js';
import { change, choose, chosen, openList, reload, settings, view } from '../store.js';
import { COMMAND_NAMES, extraWords } from '../words/extras.js';
import { chooseLanguage, lang } from '../words/words.js';
import { closeLayer, Modal } from './modal.js';

export type CommandId = keyof typeof COMMAND_NAMES;

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

/** In the rail, or in the sheet that has it where it is narrow. */
function askForCollection(): void {
  asksForCollection.value = true;
  if (matchMedia('(width < 720px)').matches) openList('filters');
}

const EXPORT_COMMANDS = EXPORT_IDS.map((id): Command => ({
  id,
  when: () => canDo(id, concerned()),
  run: () => void run(id, concerned()),
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
  { id: 'money', when: hasSession, run: () => openList('money') },
  { id: 'help', run: () => openList('help') },
];

/** Those that can be done now and whose name, in either language, holds all words that were typed. */
function findCommands(typed: string): readonly Command[] {
  const asked = typed.replace(/^\s*>/, '').toLowerCase().split(/\s+/u).filter(Boolean);
  const names = ({ id }: Command) => [...COMMAND_NAMES[id], id].join(' ').toLowerCase();
  const found = COMMANDS.filter((one) => one.when?.() !== false && asked.every((word) => names(one).includes(word)));
  // Whole words first: "own" is the own stickers before what is owned.
  const parts = (one: Command) => {
    const whole = names(one).split(/\s+/u);
    return asked.filter((word) => !whole.includes(word)).length;
  };
  return found.toSorted((one, other) => parts(one) - parts(other));
}

export function CommandList() {
  const text = extraWords.value;
  // Letters that came to the search box while this opened are in it.
  const typed = commandText;
  const at = useSignal(0);
  const list = useRef<HTMLUListElement>(null);
  const found = findCommands(typed.value);
  const start = (command: Command | undefined) => {
    if (command === undefined) return;
    // First away: the command may open a layer of its own, and the focus goes back to the page before.
    closeLayer();
    setTimeout(() => command.run());
  };
  const move = (by: number) => {
    at.value = Math.max(0, Math.min(found.length - 1, at.value + by));
  };
  useEffect(() => list.current?.children[at.value]?.scrollIntoView({ block: 'nearest' }), [at.value]);
  return (
    <Modal title={text.commandsTitle} class="commands">
      <input
        type="text"
        role="combobox"
        aria-expanded={true}
        aria-controls="command-list"
        aria-activedescendant={found.length === 0 ? undefined : `command-${found[at.value]?.id}`}
        aria-label={text.commandsHint}
        placeholder={text.commandsHint}
        autocomplete="off"
        spellcheck={false}
        value={typed.value}
        onInput={(event) => {
          typed.value = event.currentTarget.value;
          at.value = 0;
        }}
        onKeyDown={(event) => {
          if (event.isComposing || event.keyCode === 229) return;
          if (event.key === 'ArrowDown') move(1);
          else if (event.key === 'ArrowUp') move(-1);
          else if (event.key === 'Enter') start(found[at.value]);
          else return;
          event.preventDefault();
        }}
      />
      <ul ref={list} id="command-list" class="plain" role="listbox" aria-label={text.commandsTitle}>
        {found.map((command, index) => (
          // oxlint-disable-next-line click-events-have-key-events -- the keys are those of the input
          <li
            key={command.id}
            id={`command-${command.id}`}
            role="option"
            aria-selected={index === at.value}
            onClick={() => start(command)}
          >
            {text.commands[command.id]}
          </li>
        ))}
      </ul>
      <p role="status">{found.length === 0 ? text.commandsNone : ''}</p>
    </Modal>
  );
}
