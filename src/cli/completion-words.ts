// What `svcd completion` says.

import { wordsIn } from './terminal/language.js';

const en = {
  shell: (shells: string) => `Shell to complete in: ${shells} [that of $SHELL].`,
  inBash: 'in bash, from the next terminal on',
  inZsh: 'in zsh, below the line with compinit',
  inFish: 'in fish, at once',
  inPowershell: 'in PowerShell, from the next window on',
  or: ' or ',
};

const zh: typeof en = {
  shell: (shells) => `要补全的 shell：${shells} [取自 $SHELL]。`,
  inBash: '在 bash 中，下一个终端起生效',
  inZsh: '在 zsh 中，写在 compinit 那一行之后',
  inFish: '在 fish 中，立即生效',
  inPowershell: '在 PowerShell 中，下一个窗口起生效',
  or: ' 或 ',
};

export const completionWords = wordsIn<typeof en>({ en, zh });
