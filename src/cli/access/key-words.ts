// What "svcd key" says, and where a Key is said to come from.

import { nameRemote } from '../../config/remote-choice.js';
import type { KeychainAdvice, KeychainState } from '../../auth/keychain-states.js';
import type { KeySource } from '../../auth/user-key.js';
import { shellWord } from '../../platform/files/shell-word.js';
import { pairsOf, wordsBeside } from '../terminal/language.js';

const pairs = pairsOf({
  import: ['Store the Key of a service.key.json or a template package.', '保存 service.key.json 或模板包中的 Key。'],
  remove: ['Remove the stored Key.', '删除已保存的 Key。'],
  remote: ['Address of the service the Key is for.', 'Key 所属的远程服务的地址。'],
  removeFile: ['Remove the plain file afterwards, without asking.', '之后删除明文文件，不询问。'],
  keepFile: ['Leave the plain file, without asking.', '保留明文文件，不询问。'],
  removeKeyFile: ['Remove this key file instead.', '改为删除此 Key 文件。'],
  examples: {
    set: ['type or paste it; nothing is shown', '输入或粘贴；不会显示'],
    package: ['from a package, unpacked or not', '来自模板包，是否解压均可'],
  },
  prompt: ['Key of the service (not shown): ', '远程服务的 Key（不显示）：'],
  nothingGiven: ['what you gave holds no Key: nothing was typed or piped in', '没有 Key：既没有输入，也没有传入内容'],
  eitherRemoveOrKeep: ['--remove and --keep exclude each other', '--remove 和 --keep 不能同时使用'],
  sandboxInUse: ['this home uses the sandbox, which has a Key of its own', '此数据目录使用沙盒，沙盒有自己的 Key'],
  ofHub: ['this home belongs to a hub, which has the Key', '此数据目录已加入集线器，Key 在集线器上'],
  noRemote: ['no remote is configured, and a Key belongs to one', '没有设置远程服务，而 Key 属于某个远程服务'],

  keychainOf: (account: string | null) => [`the OS keychain, for ${account}`, `系统钥匙串（用于 ${account}）`],
  privateFile: (path: string | null) => [`${path} (mode 0600)`, `${path}（权限 0600）`],
  notRunning: ['svcd does not run now; the next start finds it.', 'svcd 现在没有运行；下次启动时会找到它。'],
  spendsNow: ['The running daemon spends with it from now on.', '正在运行的后台服务从现在起使用它付费。'],
  notFoundByDaemon: ['The running daemon did not find it.', '正在运行的后台服务没有找到它。'],
  fileRemoved: (path: string) => [`${path} was removed.`, `${path} 已删除。`],
  removed: (where: string) => [`The Key was removed from ${where}.`, `Key 已删除：${where}。`],
  wasNone: (where: string) => [`There was no Key in ${where}.`, `没有 Key：${where}。`],

  sources: {
    environment: ['from SERVICE_API_KEY', '来自 SERVICE_API_KEY'],
    key_file: ['from your key file', '来自您的 Key 文件'],
    keychain: ['from the OS keychain', '来自系统钥匙串'],
    package: ["from the template package's service.key.json", '来自模板包的 service.key.json'],
    sandbox: ["the sandbox's own", '沙盒自己的'],
    hub: ['at the hub', '在集线器上'],
    none: ['none', '无'],
  } satisfies Readonly<Record<KeySource, readonly [string, string]>>,
  rows: {
    key: ['Key', 'Key'],
    file: ['file', '文件'],
    remote: ['remote', '远程服务'],
    keychain: ['keychain', '系统钥匙串'],
  },
  valid: (credits: string) => [`The service takes it: ${credits} left.`, `远程服务接受它：剩余 ${credits}。`],
  wrong: (why: string) => [
    `The service refuses it: ${why} Copy it anew from your account, and give it to "svcd key set" again.`,
    `远程服务拒绝它：${why} 请从账户重新复制，再交给 "svcd key set"。`,
  ],
  untried: (why: string) => [
    `Whether the service takes it is not known yet: ${why}. "svcd key status" asks again.`,
    `尚不知道远程服务是否接受它：${why}。"svcd key status" 会再次询问。`,
  ],
  warning: (text: string) => [`Warning: ${text}`, `警告：${text}`],
  serviceSays: ['The service says:', '远程服务的说明：'],
  serviceError: (message: string) => [`The service: ${message}`, `远程服务：${message}`],
  notAskedService: (why: string) => [`the service is not asked: ${why}`, `没有询问远程服务：${why}`],
  away: ['it is away', '它不可用'],
  withHint: (state: string, hint: string) => [`${state}. ${hint}`, `${state}。${hint}`],
  keychainNotNeeded: ['not asked: not needed', '未查询（不需要）'],
});

const en = {
  set: 'Store the Key in the OS keychain: from a hidden prompt, or from stdin.',
  status: 'Show where the Key in use comes from and what the service says about it.',
  keyFile: 'File to write the Key to, with mode 0600, instead of the keychain. It is not read from it.',
  askRemoval: (path: string) => `Remove the plain file ${path}? A template that runs without svcd needs it.`,

  keychainUnusable: (words: string, why: string) => `the OS keychain ${words} (${why})`,
  notAskedYet: (hint: string) => `You were not asked for the Key: there is no place for it yet. ${hint}`,
  notWritable: (path: string, why: string) => `the key file ${path} could not be written (${why})`,
  notWritableHint: 'You were not asked for the Key. Name a file in a folder of yours with --key-file.',
  inArguments: "a Key must not be an argument: it is now in your shell's history, and other users could see it",
  inArgumentsHint:
    'Nothing was stored. Remove that line from the history, preferably make a new Key, and give it to "svcd key set" alone, which asks for it.',
  howToGive: 'Type the Key at the prompt, or pipe it in: "pass show service | svcd key set".',
  nothingForFile: (file: string) =>
    `what you gave holds no Key: nothing was typed or piped in, and --key-file names the file to write the Key to, ${file}`,
  keyInFileAlready: (how: string) =>
    `Nothing was written. ${how} A Key that is in a file already: "svcd config set keyFile FILE", or "svcd key import FILE".`,
  sameFile: (path: string) => `--key-file is the file to import from: ${path}`,
  packageStays: (path: string) => `${path} is a package, and svcd does not rewrite packages`,
  packageStaysHint: 'Leave out --remove, or unpack it and import the folder.',
  readFileInstead: (path: string) =>
    `"svcd config set keyFile ${shellWord(path)}" makes svcd read the Key from that file; it needs mode 0600.`,
  writeFileInstead: (path: string) =>
    `"svcd key import ${shellWord(path)} --key-file FILE" writes the Key to a file of mode 0600, which svcd then reads.`,
  sandboxKey: (account: string) => `this is a Key of a sandbox, and ${account} is a real service`,
  sandboxKeyHint: "Nothing was stored. The service's Key is in its account, in its API and credits area.",
  keyInFile: (file: string) => `your Key is in the file ${file}, and nothing was removed`,
  keyInFileHint: (file: string) =>
    `"svcd key remove --key-file ${shellWord(file)}" removes it; --remote https://… means the keychain.`,
  sandboxInUseHint: 'Name the service the Key is for with --remote https://…',
  noRemoteHint: 'Name it: "svcd config set remote https://…", or --remote https://… here.',
  stored: (lastFour: string, where: string) => `The Key ending in ${lastFour} is stored in ${where}.`,
  firstBudget: (english: string, _day: number) => `${english}.`,
  nextRemote: (remote: string) =>
    `From its next start svcd uses ${remote} and this Key: "svcd stop", then "svcd start".`,
  otherRemote: (uses: string, remote: string) =>
    `This home uses ${nameRemote(uses)}. To use the service: "svcd config set remote ${remote}", then "svcd stop" and "svcd start".`,
  otherTakesPrecedence: (source: string) => `The running daemon uses another Key, ${source}, which takes precedence.`,
  fileStays: (path: string) => `${path} still holds the Key in plain text; --remove removes it.`,
  packageHolds: (path: string) => `${path} still holds the Key in plain text: svcd does not rewrite packages.`,
  stillIn: (place: string) => `There is still one in ${place}, which svcd uses.`,
  daemonHasNone: 'The running daemon has no Key now; it still serves what is owned.',
  daemonUses: (source: string) => `The running daemon uses another one, ${source}.`,
  endsIn: (lastFour: string | null, source: string) => `ends in ${lastFour}, ${source}`,

  /** The keychain's states where English is not read; else the words of src/auth. */
  keychain: {} as Readonly<Partial<Record<KeychainState, KeychainAdvice>>>,
};

const OTHERWISE = '在此之前可以用 SERVICE_API_KEY，或 "svcd key set --key-file FILE"。';

const KEYCHAIN: Readonly<Record<KeychainState, KeychainAdvice>> = {
  found: { words: '存有此远程服务的 Key', hint: '无需任何操作。' },
  empty: { words: '可以使用，但没有此远程服务的 Key', hint: '用 "svcd key set" 或 "svcd key import PATH" 保存一个。' },
  locked: {
    words: '已锁定，或还没有建立',
    hint: `请解锁（登录桌面，或打开密码程序），然后运行 "svcd key status"。${OTHERWISE}`,
  },
  no_service: {
    words: '没有可用的钥匙串程序',
    hint: '服务器和容器中通常如此。请把 Key 放入 SERVICE_API_KEY，或用 "svcd key set --key-file FILE" 写入权限为 0600 的文件。',
  },
  no_module: {
    words: '无法使用：缺少模块或系统库',
    hint: `请两者都安装：在 svcd 的文件夹中运行 "npm install keytar@npm:@github/keytar"，在 Debian 上运行 "apt-get install libsecret-1-0"。${OTHERWISE}`,
  },
  no_answer: {
    words: '没有应答：钥匙串程序卡住，或在等待解锁',
    hint: `请查看是否有密码对话框，或重启钥匙串程序，然后运行 "svcd key status"。${OTHERWISE}`,
  },
};

const zh: typeof en = {
  set: '把 Key 存入系统钥匙串：在终端输入（不回显），或来自标准输入。',
  status: '显示正在使用的 Key 来自哪里，以及远程服务对它的说明。',
  keyFile: '把 Key 写入此文件（权限 0600），而不是系统钥匙串。不会从中读取。',
  askRemoval: (path) => `删除明文文件 ${path} 吗？不通过 svcd 运行的模板需要它。`,

  keychainUnusable: (words, why) => `系统钥匙串${words}（${why}）`,
  notAskedYet: (hint) => `还没有请您输入 Key：暂时没有地方保存它。${hint}`,
  notWritable: (path, why) => `无法写入 Key 文件 ${path}（${why}）`,
  notWritableHint: '还没有请您输入 Key。请用 --key-file 指定您自己文件夹中的文件。',
  inArguments: '不能把 Key 作为参数：它现在留在 shell 的历史记录中，其他用户也可能看到',
  inArgumentsHint:
    '没有保存任何内容。请从历史记录中删除那一行，最好换一个新的 Key，然后只运行 "svcd key set"，它会询问 Key。',
  howToGive: '请在提示处输入 Key，或用管道传入："pass show service | svcd key set"。',
  nothingForFile: (file) => `没有 Key：既没有输入，也没有传入内容；--key-file 指定的是要写入的文件 ${file}`,
  keyInFileAlready: (how) =>
    `没有写入任何内容。${how}如果 Key 已在文件中："svcd config set keyFile FILE"，或 "svcd key import FILE"。`,
  sameFile: (path) => `--key-file 就是要导入的文件：${path}`,
  packageStays: (path) => `${path} 是模板包，svcd 不改写模板包`,
  packageStaysHint: '请去掉 --remove，或解压后导入文件夹。',
  readFileInstead: (path) =>
    `"svcd config set keyFile ${shellWord(path)}" 让 svcd 从该文件读取 Key；文件权限须为 0600。`,
  writeFileInstead: (path) =>
    `"svcd key import ${shellWord(path)} --key-file FILE" 把 Key 写入权限为 0600 的文件，svcd 随后从中读取。`,
  sandboxKey: (account) => `这是沙盒的 Key，而 ${account} 是真实的服务`,
  sandboxKeyHint: '没有保存任何内容。远程服务的 Key 在其账户的 API 和积分页面。',
  keyInFile: (file) => `您的 Key 在文件 ${file} 中，没有删除任何内容`,
  keyInFileHint: (file) =>
    `"svcd key remove --key-file ${shellWord(file)}" 可删除它；加 --remote https://… 则删除系统钥匙串中的 Key。`,
  sandboxInUseHint: '请用 --remote https://… 指定 Key 所属的远程服务。',
  noRemoteHint: '请指定："svcd config set remote https://…"，或在此使用 --remote https://…。',
  stored: (lastFour, where) => `以 ${lastFour} 结尾的 Key 已存入：${where}。`,
  firstBudget: (_english, day) =>
    `使用此数据目录的第一个 Key，svcd 每天最多花 ${day} 积分；"svcd budget set --day N" 可更改，"svcd budget set --day none" 可取消。`,
  nextRemote: (remote) => `svcd 从下次启动起使用 ${remote} 和此 Key："svcd stop"，然后 "svcd start"。`,
  otherRemote: (uses, remote) =>
    `此数据目录使用${uses === 'sandbox' ? '沙盒' : uses === 'none' ? '不带远程服务' : ` ${uses}`}。要使用远程服务："svcd config set remote ${remote}"，然后 "svcd stop" 和 "svcd start"。`,
  otherTakesPrecedence: (source) => `正在运行的后台服务使用另一个 Key（${source}），它优先。`,
  fileStays: (path) => `${path} 仍以明文保存 Key；--remove 可删除它。`,
  packageHolds: (path) => `${path} 仍以明文保存 Key：svcd 不改写模板包。`,
  stillIn: (place) => `${place} 中还有一个，svcd 会使用它。`,
  daemonHasNone: '正在运行的后台服务现在没有 Key；已拥有的内容仍可使用。',
  daemonUses: (source) => `正在运行的后台服务使用另一个（${source}）。`,
  endsIn: (lastFour, source) => `以 ${lastFour} 结尾，${source}`,

  keychain: KEYCHAIN,
};

export const keyWords = wordsBeside(pairs, { en, zh });
