// What a command for the sandbox says when there is none.

import { wordsIn } from '../terminal/language.js';

const en = {
  notRunning: (home: string) => `no sandbox runs on ${home}`,
  hint: 'Start one with "svcd sandbox start", or together with svcd: "svcd start --sandbox".',
};

const zh: typeof en = {
  notRunning: (home) => `${home} 上没有运行沙盒`,
  hint: '请用 "svcd sandbox start" 单独启动，或与 svcd 一起启动："svcd start --sandbox"。',
};

export const sandboxClientWords = wordsIn<typeof en>({ en, zh });
