// What takes longer than a second: on a terminal a line on standard error that is written over, and is gone in the end;
// in a pipe, and with --json, nothing.

import type { DaemonStatus } from '../../api/answers.js';
import type { StartStep, WatchStart } from '../../daemon/daemon-options.js';
import { displayWidth } from './fit-table.js';
import { formatDuration, formatNumber, sanitize } from './format.js';
import { pairsOf, wordsBeside } from './language.js';
import { clearBeforeNotes } from './output.js';

export interface Progress {
  /** Takes the place of the line before; `atOnce` where what follows tells nothing until it is over. */
  show(line: string, atOnce?: boolean): void;
  /** The line is taken away. May be called twice. */
  end(): void;
}

const SHOWN_AFTER_MS = 1000;
const WRITTEN_EVERY_MS = 100;
const WIDTH_DEFAULT = 80;

/** Begins to count now. */
export function openProgress(json: boolean): Progress {
  if (!process.stderr.isTTY || json) return { show: () => undefined, end: () => undefined };
  let line: string | undefined;
  let written: string | undefined;
  const openedAt = performance.now();
  let writtenAt = openedAt;
  const write = (): void => {
    if (line === undefined || line === written) return;
    const next = fit(line, (process.stderr.columns || WIDTH_DEFAULT) - 1);
    // Blanks, which every terminal knows, over what is left of a longer line.
    const left = displayWidth(written ?? '') - displayWidth(next);
    process.stderr.write(`\r${next}${' '.repeat(Math.max(0, left))}`);
    written = next;
    writtenAt = performance.now();
  };
  const clear = (): void => {
    if (written !== undefined) process.stderr.write(`\r${' '.repeat(displayWidth(written))}\r`);
    written = undefined;
  };
  clearBeforeNotes(clear);
  let timer = setTimeout(() => {
    write();
    timer = setInterval(write, WRITTEN_EVERY_MS).unref();
  }, SHOWN_AFTER_MS).unref();
  return {
    show: (next, atOnce = false) => {
      line = sanitize(next);
      const now = performance.now();
      // Work that holds up the event loop lets no timer in.
      if (atOnce || (now - openedAt >= SHOWN_AFTER_MS && now - writtenAt >= WRITTEN_EVERY_MS)) write();
    },
    end: () => {
      clearTimeout(timer);
      clear();
      line = undefined;
    },
  };
}

interface StartWatch {
  readonly watch: WatchStart;
  /** It has started, or failed to. */
  readonly end: () => void;
}

/** Tells of a daemon that starts in this process. */
export function watchStart(json: boolean): StartWatch {
  const progress = openProgress(json);
  return { watch: (...told) => showStart(progress, ...told), end: () => progress.end() };
}

/** The same, to the process that started this one in the background and waits, if one did. */
export function watchOwnStart(json: boolean): StartWatch {
  if (process.send === undefined) return watchStart(json);
  // Who waited may be gone.
  const tell = (told: Parameters<WatchStart>) => process.send?.(told, undefined, undefined, () => undefined);
  return { watch: (...told) => void (process.connected && tell(told)), end: () => undefined };
}

/** What a daemon that starts is doing, as it told. */
export function showStart(progress: Progress, ...[step, part]: Parameters<WatchStart>): void {
  const words = progressWords();
  const what = words.steps[step];
  // The others leave the event loop free.
  const holdsUp = step === 'migrating' || step === 'filling';
  progress.show(part === undefined ? what : words.part(what, part), holdsUp);
}

/** `9,227 of about 12,000 stickers known, about 6 minutes`; undefined where the library is not being filled. */
export function describeFilling({ filling }: DaemonStatus['library']): string | undefined {
  // An older daemon tells nothing of it.
  if (!filling) return undefined;
  const words = progressWords();
  const { total, seconds_left: left } = filling;
  const known = formatNumber(filling.known);
  if (filling.from_hub) return words.copying(known);
  const line = total === null ? words.known(known) : words.knownOf(known, formatNumber(total));
  if (filling.waiting === true) return words.waits(line);
  if (total === null) return words.asks(line);
  return left === null || left === 0 ? line : words.timeLeft(line, formatDuration(left * 1000));
}

/** The same as a sentence beside an answer that the list may lack something for. */
export function noteFilling(library: DaemonStatus['library']): string[] {
  const filling = describeFilling(library);
  return filling === undefined ? [] : [progressWords().incomplete(filling)];
}

/** Cut at the end of the line: what goes on below would not be written over. */
function fit(line: string, columns: number): string {
  let width = 0;
  let end = 0;
  for (const character of line) {
    width += displayWidth(character);
    if (width > columns) break;
    end += character.length;
  }
  return line.slice(0, end);
}

const percentOf = (part: number): string => `${Math.floor(part * 100)} %`;

const pairs = pairsOf({
  starting: ['Starting svcd', '正在启动 svcd'],
  part: (what: string, part: number) => [`${what}: ${percentOf(part)}`, `${what}：${percentOf(part)}`],
  steps: {
    migrating: ['Bringing the library to the form of this svcd', '正在把素材库转换为此版本的格式'],
    filling: ['Putting the stickers of the sandbox into the library', '正在把沙盒的贴纸放入素材库'],
    indexing: ['Building the index', '正在建立索引'],
    restoring: ["Filling the library from svcd's own copy", '正在用 svcd 自己的副本填充素材库'],
  } satisfies Record<StartStep, readonly [string, string]>,
  slots: (done: number, total: number) => [`${done} of ${total} slots compared`, `已比对 ${done} / ${total} 个位置`],
  knownOf: (known: string, total: string) => [
    `${known} of about ${total} stickers known`,
    `已知 ${known} 个贴纸，共约 ${total} 个`,
  ],
  known: (known: string) => [`${known} stickers known so far`, `目前已知 ${known} 个贴纸`],
  asks: (line: string) => [`${line}; svcd asks the service for more`, `${line}；svcd 正在向远程服务询问更多`],
  waits: (line: string) => [
    `${line}; the service is not asked now ("svcd library" says why)`,
    `${line}；现在没有询问远程服务（"svcd library" 说明原因）`,
  ],
  copying: (known: string) => [
    `copying the hub's list, ${known} stickers so far`,
    `正在复制集线器的列表，目前 ${known} 个贴纸`,
  ],
  incomplete: (filling: string) => [`The list here is not complete: ${filling}.`, `此处的列表还不完整：${filling}。`],
  timeLeft: (line: string, time: string) => [`${line}, about ${time}`, `${line}，约需 ${time}`],
  building: (part: number) => [`building the index: ${percentOf(part)}`, `正在建立索引：${percentOf(part)}`],
});

const en = {
  bytes: (done: string, total: string | undefined, part: number) =>
    total === undefined ? `${done} bytes` : `${done} of ${total} bytes (${percentOf(part)})`,
  seeLog: (file: string) => `See what it said: ${file}, or "svcd logs".`,
  stillRuns: (pid: number, seconds: number) => `svcd (process ${pid}) still runs after ${seconds} s`,
  finishesFirst: 'It finishes the requests in flight and ends then; nothing needs to be done.',
};

const zh: typeof en = {
  bytes: (done, total, part) =>
    total === undefined ? `${done} 字节` : `${done} / ${total} 字节（${percentOf(part)}）`,
  seeLog: (file) => `查看它的输出：${file}，或运行 "svcd logs"。`,
  stillRuns: (pid, seconds) => `${seconds} 秒后 svcd（进程 ${pid}）仍在运行`,
  finishesFirst: '它会先完成正在处理的请求，然后结束；什么都不用做。',
};

export const progressWords = wordsBeside(pairs, { en, zh });
