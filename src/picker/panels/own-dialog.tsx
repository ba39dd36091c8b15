// Adds the user's own Lottie files: what was dropped, with a title and keywords for each; and removes them. They are read here
// only as far as to say at once what is no Lottie file. svcd checks them; the worker alone draws them.

import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import type { OwnStickerView } from '../../api/answers.js';
import { askJson, messageOf, sendJson } from '../api.js';
import { dropped, hasSession } from '../extras.js';
import { reload, say } from '../store.js';
import { extraWords } from '../words/extras.js';
import { number, words } from '../words/words.js';
import { Button, Problem } from './controls.js';
import { closeLayer, Modal } from './modal.js';

/** The most svcd takes of one file. */
const MOST_OWN_BYTES = 8 * 1024 * 1024;
const MOST_AT_ONCE = 50;

interface OwnDraft {
  readonly file: string;
  readonly title: string;
  readonly keywords: string;
  readonly lottie: string;
}

/** Reads a dropped file; or why it is none to add. Nothing of a file that is too large is read. */
async function readOwn(file: File): Promise<OwnDraft | string> {
  const text = extraWords.value;
  if (!/\.json$/i.test(file.name)) return text.ownNotJson;
  if (file.size > MOST_OWN_BYTES) return text.ownLarge(number(MOST_OWN_BYTES / 1024 / 1024));
  const lottie = await file.text();
  const title = file.name
    .replace(/(\.lottie)?\.json$/i, '')
    .replace(/[_-]+/g, ' ')
    .trim();
  return looksLikeLottie(lottie) ? { file: file.name, title, keywords: '', lottie } : text.ownNotLottie;
}

function looksLikeLottie(text: string): boolean {
  try {
    const { w, h, layers } = JSON.parse(text) as Record<string, unknown>;
    return typeof w === 'number' && typeof h === 'number' && Array.isArray(layers);
  } catch {
    return false;
  }
}

const pathOf = (preset: string): string => `/svcd/library/stickers/${encodeURIComponent(preset)}`;

/** Its name under `own/`: what of the title a preset may hold, and a part that no other has. */
async function presetOf({ title, lottie }: OwnDraft): Promise<string> {
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(lottie)));
  const end = Array.from(digest.subarray(0, 4), (byte) => byte.toString(16).padStart(2, '0')).join('');
  const plain = title
    .toLowerCase()
    .replace(/[^a-z\d]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, 40);
  return `own/${plain === '' ? '' : `${plain}-`}${end}`;
}

/** Adds it; the same file again takes its own place. Throws `ApiError`. */
async function addOwn(draft: OwnDraft): Promise<void> {
  const { title, lottie } = draft;
  const keywords = [...new Set(draft.keywords.split(/[\s,，、;；]+/u).filter((word) => word !== ''))];
  await sendJson('PUT', pathOf(await presetOf(draft)), { title: title.trim(), keywords, lottie });
}

export function OwnDialog() {
  const text = extraWords.value;
  const drafts = useSignal<readonly OwnDraft[]>([]);
  const refused = useSignal<readonly string[]>([]);
  const isBusy = useSignal(false);
  const take = async (files: readonly File[]) => {
    const problems: string[] = files.length > MOST_AT_ONCE ? [text.ownMany(number(MOST_AT_ONCE))] : [];
    // One after the other: no more than one file is held twice.
    for (const file of files.slice(0, MOST_AT_ONCE)) {
      const read = await readOwn(file);
      if (typeof read === 'string') problems.push(text.ownRefused(file.name, read));
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
        problems.push(text.ownRefused(draft.file, messageOf(error)));
      }
    }
    isBusy.value = false;
    [drafts.value, refused.value] = [kept, problems];
    if (added.length === 0) return;
    say(added.length === 1 ? text.ownAdded(added[0] ?? '') : text.ownAddedMany(number(added.length)));
    reload();
    if (kept.length === 0) closeLayer();
  };
  return (
    <Modal title={text.ownTitle}>
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
          <Button onClick={closeLayer}>{words.value.close}</Button>
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

/** The stickers that were added before; one can be removed. */
function Mine() {
  const text = extraWords.value;
  const mine = useSignal<readonly OwnStickerView[] | undefined>(undefined);
  const problem = useSignal('');
  useEffect(() => {
    askJson<{ stickers: OwnStickerView[] }>('/svcd/library/stickers').then(
      ({ stickers }) => (mine.value = stickers),
      (error: unknown) => (problem.value = messageOf(error)),
    );
  }, []);
  const remove = async ({ preset, title }: OwnStickerView) => {
    try {
      await sendJson('DELETE', pathOf(preset));
      mine.value = mine.value?.filter((one) => one.preset !== preset);
      say(text.ownRemoved(title));
      reload();
    } catch (error) {
      problem.value = messageOf(error);
    }
  };
  return (
    <section>
      <h3>{text.ownMine}</h3>
      <Problem>{problem.value}</Problem>
      {mine.value?.length === 0 && <p>{text.ownNone}</p>}
      <ul class="plain">
        {mine.value?.map((one) => (
          <li key={one.preset} class="line">
            <span lang="zh">{one.title}</span>
            <Button aria-label={`${text.remove}: ${one.title}`} onClick={() => void remove(one)}>
              {text.remove}
            </Button>
          </li>
        ))}
      </ul>
    </section>
  );
}
