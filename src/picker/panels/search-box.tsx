// The search box. It asks at every letter and waits for none; nothing happens while an input method composes. What a word
// may become stands in gray, and as a list where that is asked for.

import { useComputed, useSignal, useSignalEffect } from '@preact/signals';
import { useRef } from 'preact/hooks';
import { afterPaint } from '../after-paint.js';
import { complete } from '../api.js';
import { commandText, openCommands, openCopy } from '../extras.js';
import { focusGrid } from '../grid/grid-view.js';
import { doesKey } from '../keys.js';
import { change, facts, layer, ranges, sayToStay, view } from '../store.js';
import { number, words } from '../words/words.js';

/** Safari ends a composition before it sends its Enter. */
const AFTER_COMPOSITION_MS = 50;
/** What is longer, or has more than one line, is a text to match and no words. */
const MOST_AS_WORDS = 40;

interface Completion {
  readonly word: string;
  readonly stickers: number;
}

export function SearchBox() {
  const input = useRef<HTMLInputElement>(null);
  const composed = useRef(-Infinity);
  /** Whether a long text was asked to be words. */
  const isAsWords = useRef(false);
  const completed = useSignal<{ readonly of: string; readonly words: readonly Completion[] }>({ of: '', words: [] });
  /** The one of the list that is marked; undefined while there is no list. */
  const marked = useSignal<number | undefined>(undefined);
  const isComposing = useSignal(false);
  /** The key that went down here last. */
  const began = useRef('');
  const { q } = view.value;
  const found = completed.value.of === q ? completed.value.words : [];
  const searched = useComputed(() => view.value.q);
  useSignalEffect(() => {
    const of = searched.value;
    void facts.value;
    if (of.trim() === '' || of.length > MOST_AS_WORDS || completed.peek().of === of) return undefined;
    const asked = new AbortController();
    // What was found comes first: svcd and this page are asked for one thing at a time.
    const cancel = afterPaint(() => {
      if (ranges.isComing) return;
      complete(of, asked.signal).then(
        ({ completions }) => (completed.value = { of, words: completions.filter(({ word }) => word !== of) }),
        // Without completions the search works as well.
        () => undefined,
      );
    });
    return () => {
      cancel();
      asked.abort();
    };
  });

  const readAsCopy = (text: string) => {
    change({ q: '', mode: view.value.mode });
    if (input.current !== null) input.current.value = '';
    openCopy(text);
    const run = () => {
      isAsWords.current = true;
      change({ q: text.replace(/\s+/gu, ' ').trim(), mode: 'grid' });
      input.current?.focus();
    };
    sayToStay(words.value.readAsCopy, { label: words.value.asWords, run });
  };
  const search = () => {
    const typed = input.current?.value ?? '';
    marked.value = undefined;
    // The list takes over what is typed until it is there.
    if (typed.startsWith('>')) return openCommands(typed);
    if (typed === '') isAsWords.current = false;
    if (isCopy(typed) && !isAsWords.current) return readAsCopy(typed);
    change({ q: typed });
  };
  const takeWord = (word: string) => {
    marked.value = undefined;
    change({ q: word });
  };
  const [best] = found;
  const isListed = marked.value !== undefined && found.length > 0;

  const onKey = (event: KeyboardEvent) => {
    // One that is held since it removed the last filter deletes no letter.
    if (!event.repeat) began.current = event.key;
    else if (event.key === 'Backspace' && began.current !== event.key) return event.preventDefault();
    if (event.isComposing || event.keyCode === 229 || event.timeStamp - composed.current < AFTER_COMPOSITION_MS) return;
    if (marked.value !== undefined && isListed && onListKey(event, marked.value)) return event.preventDefault();
    const does = doesKey(event, 'search');
    const { current } = input;
    if (does === 'openList' && found.length > 0) marked.value = 0;
    else if (does === 'takeCompletion' && best !== undefined && current?.selectionStart === current?.value.length)
      takeWord(best.word);
    else if (does === 'firstTile') focusGrid();
    else return;
    event.preventDefault();
  };
  const onListKey = (event: KeyboardEvent, at: number): boolean => {
    const does = doesKey(event, 'list');
    if (does === 'closeList') {
      event.stopPropagation();
      marked.value = undefined;
    }
    if (does === 'takeFromList') takeWord(found[at]?.word ?? q);
    if (does === 'moveInList') {
      const { length } = found;
      marked.value = (at + (event.key === 'ArrowDown' ? 1 : -1) + length) % length;
    }
    return does !== undefined;
  };

  return (
    <div class="search" role="search">
      {best !== undefined && !isComposing.value && !isListed && (
        <span class="ghost" lang="zh" aria-hidden="true">
          <span class="typed">{q}</span>
          {best.word.startsWith(q) ? best.word.slice(q.length) : ` → ${best.word}`}
        </span>
      )}
      <input
        ref={input}
        id="search"
        type="search"
        role="combobox"
        list={undefined}
        aria-label={words.value.search}
        aria-autocomplete="both"
        aria-haspopup="listbox"
        aria-expanded={isListed}
        aria-controls={isListed ? 'completions' : undefined}
        aria-activedescendant={isListed ? `completion-${marked.value}` : undefined}
        placeholder={words.value.searchHint}
        // What is typed before the list of commands is there stays, though the page shows something new meanwhile.
        value={layer.value?.kind === 'commands' ? `>${commandText.value}` : q}
        maxLength={500}
        autocomplete="off"
        spellcheck={false}
        autofocus
        onInput={(event) => {
          if (!(event as InputEvent).isComposing) search();
        }}
        onPaste={(event) => {
          const text = event.clipboardData?.getData('text/plain') ?? '';
          if (!isCopy(text)) return;
          event.preventDefault();
          readAsCopy(text);
        }}
        onCompositionStart={() => (isComposing.value = true)}
        onCompositionEnd={(event) => {
          isComposing.value = false;
          composed.current = event.timeStamp;
          search();
        }}
        onBlur={() => (marked.value = undefined)}
        onKeyDown={onKey}
      />
      {isListed && (
        <ul id="completions" class="completions" role="listbox" aria-label={words.value.completions}>
          {found.map(({ word, stickers }, at) => (
            <li
              key={word}
              id={`completion-${at}`}
              role="option"
              aria-selected={at === marked.value}
              aria-label={words.value.completion(word, number(stickers))}
              onPointerDown={(event) => {
                // The box keeps the focus.
                event.preventDefault();
                takeWord(word);
              }}
            >
              <span lang="zh">{word}</span> <small>{number(stickers)}</small>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

function isCopy(text: string): boolean {
  return /\S[^\S\n\r]*[\n\r]\s*\S/u.test(text) || Array.from(text.trim()).length > MOST_AS_WORDS;
}
