// What is told on a terminal while something takes longer than a second.

import type { StartStep } from '../../daemon/daemon-options.js';
import { wordsIn } from './language.js';

const percentOf = (part: number): string => `${Math.floor(part * 100)} %`;

const en = {
  steps: {
    migrating: 'Bringing the library to the form of this svcd',
    filling: 'Putting the stickers of the sandbox into the library',
    indexing: 'Building the index',
    restoring: "Filling the library from svcd's own copy",
  } satisfies Record<StartStep, string>,
  starting: 'Starting svcd',
  part: (what: string, part: number) => `${what}: ${percentOf(part)}`,
  bytes: (done: string, total: string | undefined, part: number) =>
    total === undefined ? `${done} bytes` : `${done} of ${total} bytes (${percentOf(part)})`,
  slots: (done: number, total: number) => `${done} of ${total} slots compared`,
  building: (part: number) => `building the index: ${percentOf(part)}`,
  seeLog: (file: string) => `See what it said: ${file}, or "svcd logs".`,
  stillRuns: (pid: number, seconds: number) => `svcd (process ${pid}) still runs after ${seconds} s`,
  finishesFirst: 'It finishes the requests in flight and ends then; nothing needs to be done.',
};

const zh: typeof en = {
  steps: {
    migrating: '正在把素材库转换为此版本的格式',
    filling: '正在把沙盒的贴纸放入素材库',
    indexing: '正在建立索引',
    restoring: '正在用 svcd 自己的副本填充素材库',
  },
  starting: '正在启动 svcd',
  part: (what, part) => `${what}：${percentOf(part)}`,
  bytes: (done, total, part) =>
    total === undefined ? `${done} 字节` : `${done} / ${total} 字节（${percentOf(part)}）`,
  slots: (done, total) => `已比对 ${done} / ${total} 个位置`,
  building: (part) => `正在建立索引：${percentOf(part)}`,
  seeLog: (file) => `查看它的输出：${file}，或运行 "svcd logs"。`,
  stillRuns: (pid, seconds) => `${seconds} 秒后 svcd（进程 ${pid}）仍在运行`,
  finishesFirst: '它会先完成正在处理的请求，然后结束；什么都不用做。',
};

export const progressWords = wordsIn<typeof en>({ en, zh });
