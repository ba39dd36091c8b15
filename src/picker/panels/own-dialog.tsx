// Adds the user's own Lottie files: what was dropped, with a title and keywords for each; and removes them.

import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import type { OwnStickerView } from '../../api/answers.js';
import { askJson } from '../api.js';
import { addOwn, MOST_AT_ONCE, MOST_OWN_BYTES, readOwn, removeOwn, type OwnDraft } from '../own.js';
import { dropped, hasSession } from '../extras.js';
import { layer, reload, say } from '../store.js';
import { extraWords } from '../words/extras.js';
import { number } from '../words/words.js';
import { Modal } from './modal.js';

export function OwnDialog() {
  const text = extraWords.value;
  const drafts = useSignal<readonly OwnDraft[]>([]);
  const refused = useSignal<readonly string[]>([]);
  const isBusy = useSignal(false);
  const close = () => (layer.value = undefined);
  const take = async (files: readonly File[]) => {
    const problems: string[] = files.length > MOST_AT_ONCE ? [text.ownMany(number(MOST_AT_ONCE))] : [];
    // One after the other: no more than one file is held twice.
    for (const file of files.slice(0, MOST_AT_ONCE)) {
      const read = await readOwn(file);
      if (typeof read === 'string') problems.push(text.ownRefused(file.name, whyNot(read)));
      else drafts.value = [...drafts.value, read];
    }
    refused.value = problems;
  };
  useEffect(() => {
    if (dropped.value.length === 0) return;
    void take(dropped.value);
    dropped.value = [];
  }, [dropped.value]);
  const edit = (index: number, part: Partial<OwnDraft>) => {
    drafts.value = drafts.value.map((one, at) => (at === index ? { ...one, ...part } : one));
  };
  const add = async () => {
    isBusy.value = true;
    const [problems, kept]: [string[], OwnDraft[]] = [[], []];
    const added: string[] = [];
    for (const draft of drafts.value) {
      try {
        await addOwn(draft);
        added.push(draft.title);
      } catch (error) {
        kept.push(draft);
        problems.push(text.ownRefused(draft.file, error instanceof Error ? error.message : String(error)));
      }
    }
    isBusy.value = false;
    [drafts.value, refused.value] = [kept, problems];
    if (added.length === 0) return;
    say(added.length === 1 ? text.ownAdded(added[0] ?? '') : text.ownAddedMany(number(added.length)));
    reload();
    if (kept.length === 0) close();
  };
  return (
    <Modal title={text.ownTitle} onClose={close}>
      {!hasSession() && <p role="alert">{text.ownSession}</p>}
      <label class="drop">
        <span>{text.ownDrop}</span>
        <input
          type="file"
          accept=".json,application/json"
          multiple
          aria-label={text.ownChoose}
          onChange={(event) => void take([...(event.currentTarget.files ?? [])])}
        />
      </label>
      {refused.value.length > 0 && (
        <div class="bad" role="alert">
          <ul>
            {refused.value.map((one) => (
              <li key={one}>{one}</li>
            ))}
          </ul>
        </div>
      )}
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void add();
        }}
      >
        {drafts.value.map((draft, index) => (
          <fieldset key={`${draft.file} ${index}`} class="fields" disabled={isBusy.value}>
            <legend>{draft.file}</legend>
            <label class="pick">
              <span>{text.ownFileTitle}</span>
              <input
                type="text"
                required
                maxLength={300}
                value={draft.title}
                onInput={(event) => edit(index, { title: event.currentTarget.value })}
              />
            </label>
            <label class="pick">
              <span>{text.ownKeywords}</span>
              <input
                type="text"
                maxLength={1000}
                value={draft.keywords}
                onInput={(event) => edit(index, { keywords: event.currentTarget.value })}
              />
            </label>
          </fieldset>
        ))}
        <div class="acts">
          <button type="button" onClick={close}>
            {text.close}
          </button>
          {drafts.value.length > 0 && (
            <button type="submit" class="main-act" disabled={isBusy.value || !hasSession()}>
              {text.ownAdd}
            </button>
          )}
        </div>
      </form>
      {hasSession() && <Mine />}
    </Modal>
  );
}

function whyNot(problem: Exclude<Awaited<ReturnType<typeof readOwn>>, OwnDraft>): string {
  const text = extraWords.value;
  if (problem === 'large') return text.ownLarge(number(MOST_OWN_BYTES / 1024 / 1024));
  return problem === 'notJson' ? text.ownNotJson : text.ownNotLottie;
}

/** The stickers that were added before; one can be removed. */
function Mine() {
  const text = extraWords.value;
  const mine = useSignal<readonly OwnStickerView[] | undefined>(undefined);
  const problem = useSignal('');
  useEffect(() => {
    askJson<{ stickers: OwnStickerView[] }>('/svcd/library/stickers').then(
      ({ stickers }) => (mine.value = stickers),
      (error: unknown) => (problem.value = error instanceof Error ? error.message : String(error)),
    );
  }, []);
  const remove = async ({ preset, title }: OwnStickerView) => {
    try {
      await removeOwn(preset);
      mine.value = mine.value?.filter((one) => one.preset !== preset);
      say(text.ownRemoved(title));
      reload();
    } catch (error) {
      problem.value = error instanceof Error ? error.message : String(error);
    }
  };
  return (
    <section>
      <h3>{text.ownMine}</h3>
      {problem.value !== '' && (
        <p class="bad" role="alert">
          {problem}
        </p>
      )}
      {mine.value?.length === 0 && <p>{text.ownNone}</p>}
      <ul class="plain">
        {mine.value?.map((one) => (
          <li key={one.preset} class="line">
            <span lang="zh">{one.title}</span>
            <button type="button" aria-label={`${text.remove}: ${one.title}`} onClick={() => void remove(one)}>
              {text.remove}
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}
