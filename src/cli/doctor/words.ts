// The words around what the doctor finds; what is found has words of its own (operations/health/words.ts).

import { pairsOf, wordsBeside } from '../terminal/language.js';

const framePairs = pairsOf({
  report: ['Also write the findings to this new file, without secrets.', '同时把检查结果写入这个新文件，不含机密。'],
  states: { ok: ['ok', '正常'], warn: ['warn', '注意'], bad: ['bad', '严重'] },
  run: (command: string) => [`Run: ${command}`, `运行：${command}`],
  nothingBad: ['Nothing is bad.', '没有严重问题。'],
  someBad: (bad: number, all: number) => [
    `${bad} of ${all} ${bad === 1 ? 'is' : 'are'} bad.`,
    `${all} 项中有 ${bad} 项严重。`,
  ],
  reportIs: (file: string) => [`The report is in ${file}.`, `报告已写入 ${file}。`],
  exists: (file: string) => [`${file} exists already`, `${file} 已存在`],
  unwritable: (file: string, code: string) => [`${file} cannot be written (${code})`, `${file} 无法写入（${code}）`],
  another: ['Name another file.', '请换一个文件名。'],
});

const frameEn = {
  acceptLoss: 'Go on without purchases that owned.db lacks, and pay again for what they were.',
  mendDates: 'Count purchases that a wrong clock dated in the future as spent today.',
  examples: [
    'svcd doctor # exit code 1 when something is bad',
    'svcd doctor --report svcd-report.json # a file to send with a question',
  ],
  names: {} as Readonly<Record<string, string>>,
};

const frameZh: typeof frameEn = {
  acceptLoss: '放弃 owned.db 中缺少的购买，需要时重新付费。',
  mendDates: '把时钟错误时记到未来的购买算作今天的花费。',
  examples: ['svcd doctor # 有严重问题时退出码为 1', 'svcd doctor --report svcd-report.json # 提问时可附上的文件'],
  names: {
    unsettled: '结果未知',
    home: '数据目录',
    settings: '设置',
    token: '令牌',
    log: '日志',
    purchases: '购买',
    spending: '花费',
    paid: '已付费',
    dates: '日期',
    disk: '磁盘',
    daemon: '后台服务',
    service: '开机启动',
    port: '端口',
    'open files': '打开文件数',
    memory: '内存',
    proxy: '代理',
    remote: '远程服务',
    keychain: '系统钥匙串',
    clock: '时钟',
    lock: '锁文件',
    certificate: '证书',
    backup: '备份',
    database: '数据库',
    audit: '核对',
  },
};

export const doctorWords = wordsBeside(framePairs, { en: frameEn, zh: frameZh });
