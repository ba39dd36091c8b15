// The list of commands: type a part of a name, ↑ and ↓, Enter.

import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { findCommands, type Command } from '../commands.js';
import { commandText } from '../extras.js';
import { layer } from '../store.js';
import { extraWords } from '../words/extras.js';
import { Modal } from './modal.js';

export function CommandList() {
  const text = extraWords.value;
  // Letters that came to the search box while this opened are in it.
  const typed = commandText;
  const at = useSignal(0);
  const list = useRef<HTMLUListElement>(null);
  const found = findCommands(typed.value);
  const close = () => {
    if (layer.value?.kind === 'commands') layer.value = undefined;
  };
  const run = (command: Command | undefined) => {
    if (command === undefined) return;
    // First away: the command may open a layer of its own, and the focus goes back to the page before.
    close();
    setTimeout(() => command.run());
  };
  const move = (by: number) => {
    at.value = Math.max(0, Math.min(found.length - 1, at.value + by));
  };
  useEffect(() => list.current?.children[at.value]?.scrollIntoView({ block: 'nearest' }), [at.value]);
  return (
    <Modal title={text.commandsTitle} class="commands" onClose={close}>
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
          else if (event.key === 'Enter') run(found[at.value]);
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
            onClick={() => run(command)}
          >
            {text.commands[command.id]}
          </li>
        ))}
      </ul>
      <p role="status">{found.length === 0 ? text.commandsNone : ''}</p>
    </Modal>
  );
}
