// svcd logs.

import { wordsIn } from '../terminal/language.js';

const en = {
  follow: 'Go on printing lines as they come, until Ctrl+C.',
  since: 'Only lines since then: 30s, 10m, 2h, 3d ago, or a date and time (ISO 8601).',
  level: 'Only lines of this level and above: info, warn or error. [info]',
  lines: 'How many lines at most, the last ones. [200; all with --since]',
  examples: {
    last: 'the last lines, whether or not svcd runs',
    night: 'what went wrong since two hours ago',
    follow: 'watch it; also across a restart',
    json: 'one JSON object a line, for jq',
  },
  sinceRule: '30s, 10m, 2h or 3d, or a date and time such as 2026-11-22T02:00:00+08:00',
  levelRule: 'info, warn or error',
  noLog: (home: string) => `There is no log in ${home} yet: svcd writes one as soon as it runs ("svcd start").`,
  noneFits: 'No line of the log fits.',
};

const zh: typeof en = {
  follow: '持续打印新的行，直到按 Ctrl+C。',
  since: '只显示此后的行：30s、10m、2h、3d 之前，或日期时间（ISO 8601）。',
  level: '只显示此级别及以上的行：info、warn 或 error。[info]',
  lines: '最多显示多少行，取最后的。[200；有 --since 时为全部]',
  examples: {
    last: '最后的行，无论 svcd 是否在运行',
    night: '两小时以来出了什么问题',
    follow: '持续查看；重启后也继续',
    json: '每行一个 JSON 对象，可用于 jq',
  },
  sinceRule: '30s、10m、2h 或 3d，或如 2026-11-22T02:00:00+08:00 的日期时间',
  levelRule: 'info、warn 或 error',
  noLog: (home) => `${home} 中还没有日志：svcd 一运行就会写日志（"svcd start"）。`,
  noneFits: '日志中没有符合条件的行。',
};

export const logsWords = wordsIn<typeof en>({ en, zh });
