// What svcd config says.

import { wordsIn } from '../terminal/language.js';

const en = {
  origins: 'Manage the origins whose web pages may use svcd.',
  running:
    'These settings apply to the next start. The running svcd keeps those it was started with: see "svcd status".',
  show: {
    what: 'Show every setting and where its value comes from.',
    examples: [
      'svcd config # every setting, its value and its source',
      'svcd config show --sandbox --json # the settings that "svcd start --sandbox" would use',
    ],
  },
  set: {
    what: 'Write a setting to config.json.',
    examples: [
      'svcd config set remote https://assets.example.com # use this service from the next start on',
      'svcd config set deadlineMs 3000 # wait less long for the service',
      'svcd config set folder ~/Videos/stickers # where the page puts files, for your editing program',
    ],
    done: (name: string, value: string, isNow: boolean) =>
      `${name} is ${value} from ${isNow ? 'now' : 'the next start'} on.`,
  },
  unset: {
    what: 'Remove a setting from config.json.',
    examples: ['svcd config unset remote # use the default again'],
    done: (name: string, isNow: boolean) =>
      `${name} is not in config.json from ${isNow ? 'now' : 'the next start'} on.`,
  },
  path: {
    what: 'Print the path of config.json.',
    examples: ['$EDITOR "$(svcd config path)" # edit the settings by hand'],
  },
  uses: (remote: string) => `This home uses ${remote} then.`,
  keeps: (remote: string) => `The running svcd keeps ${remote} until "svcd stop".`,
  remotes: { sandbox: 'the sandbox', none: 'no remote' },
  notInFile: (name: string) => `${name} cannot be set in config.json, which is inside it`,
  useOption: (flag: string, env: string) => `Use --${flag} or ${env}.`,
  likeKey: 'of that name, which looks like a Key',
  unknown: (name: string, meant: string) => `there is no setting ${name}${meant}`,
  known: (names: string) => `Settings: ${names}.`,
  none: 'none',
  ofSystem: (zone: string) => `${zone} (the system's)`,
  because: {
    remote: 'because there is a remote',
    loopback: 'because the remote is on this machine',
    hub: 'because this home belongs to a hub',
  },
  from: (place: string) => `from ${place}`,
  lastUsed: 'as this home was last used',
  initial: 'default',
};

const zh: typeof en = {
  origins: '管理可以使用 svcd 的网页来源。',
  running: '这些设置在下次启动时生效。正在运行的 svcd 保持启动时的设置：见 "svcd status"。',
  show: {
    what: '显示每个设置及其值的来源。',
    examples: [
      'svcd config # 每个设置、其值和来源',
      'svcd config show --sandbox --json # "svcd start --sandbox" 会使用的设置',
    ],
  },
  set: {
    what: '把设置写入 config.json。',
    examples: [
      'svcd config set remote https://assets.example.com # 从下次启动起使用这个远程服务',
      'svcd config set deadlineMs 3000 # 缩短等待远程服务的时间',
      'svcd config set folder ~/Videos/stickers # 网页把文件放入此文件夹，供剪辑软件使用',
    ],
    done: (name, value, isNow) => `从${isNow ? '现在' : '下次启动'}起，${name} 为 ${value}。`,
  },
  unset: {
    what: '从 config.json 中删除设置。',
    examples: ['svcd config unset remote # 恢复默认值'],
    done: (name, isNow) => `从${isNow ? '现在' : '下次启动'}起，config.json 中没有 ${name}。`,
  },
  path: {
    what: '打印 config.json 的路径。',
    examples: ['$EDITOR "$(svcd config path)" # 手动编辑设置'],
  },
  uses: (remote) => `届时此数据目录使用 ${remote}。`,
  keeps: (remote) => `正在运行的 svcd 仍使用 ${remote}，直到 "svcd stop"。`,
  remotes: { sandbox: '沙盒', none: '无远程服务' },
  notInFile: (name) => `${name} 不能写在 config.json 中，因为该文件就在其中`,
  useOption: (flag, env) => `请使用 --${flag} 或 ${env}。`,
  likeKey: '：所写的名称像是 Key',
  unknown: (name, meant) => `没有设置 ${name}${meant}`,
  known: (names) => `设置：${names}。`,
  none: '无',
  ofSystem: (zone) => `${zone}（系统时区）`,
  because: { remote: '因为有远程服务', loopback: '因为远程服务在本机', hub: '因为此数据目录已加入集线器' },
  from: (place) => `来自 ${place}`,
  lastUsed: '与此数据目录上次使用时相同',
  initial: '默认',
};

export const configWords = wordsIn<typeof en>({ en, zh });
