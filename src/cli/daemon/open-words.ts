// What "svcd open" says.

import { wordsIn } from '../terminal/language.js';

const en = {
  print: 'Print the address instead; it works once, for a minute.',
  examples: { open: 'in the default browser', print: 'an address to paste; it never appears in the process list' },
  offer: 'Press Enter to open it in your browser.',
  opened: 'Your browser opens svcd.',
  pasteIt: (seconds: number) => `Open this in a browser on this machine: it works once, for ${seconds} seconds.`,
};

const zh: typeof en = {
  print: '改为打印地址；它只能用一次，一分钟内有效。',
  examples: { open: '在默认浏览器中', print: '一个可粘贴的地址；它不会出现在进程列表中' },
  offer: '按 Enter 在浏览器中打开。',
  opened: '浏览器正在打开 svcd。',
  pasteIt: (seconds) => `请在这台机器的浏览器中打开：只能用一次，${seconds} 秒内有效。`,
};

export const openWords = wordsIn<typeof en>({ en, zh });
