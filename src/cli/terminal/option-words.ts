// What the options that several commands share say, and the errors of what was typed.

import { wordsIn } from './language.js';

const en = {
  seed: 'The same seed gives the same Keys, ids, images and faults.',
  credits: 'Credits the main account starts with. [1000]',
  fresh: 'Forget the state of an earlier sandbox on this home.',
  with: 'Switch on what the document only describes: music,tasks.',
  only: (all: string, usual: string) => `Permissions of ${all}, separated by commas [${usual}].`,
  notPermission: (option: string, all: string, got: string) => `--${option} must name some of ${all}, got ${got}`,
  wrongValue: (what: string, rule: string, got: string) => `${what} must be ${rule}, got ${got}`,
  cannotRead: (file: string, code: string) => `${file} cannot be read (${code})`,
  cannotWrite: (file: string, code: string) => `${file} cannot be written (${code})`,
  notRegular: (file: string) => `${file} is no regular file`,
  ownFile: (file: string) => `${file} is a file that svcd itself uses; writing to it would destroy it`,
  nameAnother: 'Name another file.',
  isHome: (folder: string) => `${folder} is a home of svcd, which keeps its own files there`,
  nameAnotherFolder: 'Name another folder.',
  leftover: (name: string) => `Removed ${name}, which an svcd that was killed left behind.`,
  needsValue: (option: string) => `${option} needs a value`,
  valueAfterHash: "In a shell, write a value with # in quotation marks: --color '#ff8800'.",
  noCommand: (called: string, meant: string) => `there is no command ${called}${meant}`,
  needsCommand: (path: string) => `${path} needs a command`,
  noOption: (path: string, option: string, meant: string) => `${path} has no option ${option}${meant}`,
  didYouMean: (name: string) => `; did you mean ${name}?`,
  seeHelp: (path: string) => `See "${path} --help".`,
  commands: (names: string) => `Commands: ${names}.`,
  sandboxMark: '(sandbox: its credits and purchases are not real)',
};

const zh: typeof en = {
  seed: '种子相同，Key、编号、图片和故障就相同。',
  credits: '主账户开始时的积分。[1000]',
  fresh: '忘掉此数据目录中以前沙盒的状态。',
  with: '启用文档中只作描述的功能：music,tasks。',
  only: (all, usual) => `权限：${all}，用逗号分隔 [${usual}]。`,
  notPermission: (option, all, got) => `--${option} 应为 ${all} 中的若干个，而不是 ${got}`,
  wrongValue: (what, rule, got) => `${what} 应为 ${rule}，而不是 ${got}`,
  cannotRead: (file, code) => `无法读取 ${file}（${code}）`,
  cannotWrite: (file, code) => `无法写入 ${file}（${code}）`,
  notRegular: (file) => `${file} 不是普通文件`,
  ownFile: (file) => `${file} 是 svcd 自己使用的文件；写入会毁掉它`,
  nameAnother: '请换一个文件。',
  isHome: (folder) => `${folder} 是 svcd 的数据目录，其中是它自己的文件`,
  nameAnotherFolder: '请换一个文件夹。',
  leftover: (name) => `已删除 ${name}，它是被强行结束的 svcd 留下的。`,
  needsValue: (option) => `${option} 需要一个值`,
  valueAfterHash: "在 shell 中，含 # 的值要加引号：--color '#ff8800'。",
  noCommand: (called, meant) => `没有命令 ${called}${meant}`,
  needsCommand: (path) => `${path} 需要一个子命令`,
  noOption: (path, option, meant) => `${path} 没有选项 ${option}${meant}`,
  didYouMean: (name) => `；您是不是要 ${name}？`,
  seeHelp: (path) => `见 "${path} --help"。`,
  commands: (names) => `命令：${names}。`,
  sandboxMark: '（沙盒：其中的积分和购买都不是真的）',
};

export const optionWords = wordsIn<typeof en>({ en, zh });
