// Errors for those who do not read English: sentences of other rooms by their English text, and a headline above a message
// that has no twin.

import { headlineOf } from './exit-codes.js';
import { afterHan, wordsIn } from './language.js';
// Hints, and parts of sentences, of other rooms, by their English text; `{}` stands for a value. A test finds each in the source.
import TWINS from './twins.zh.json' with { type: 'json' };

/** Codes of the system: what they mean, and what helps, in both languages. */
const OF_SYSTEM: Readonly<Record<string, readonly [en: string, zh: string]>> = {
  ENOENT: [
    'there is no such file or folder. Check the path, and that its folder is there.',
    '没有这个文件或文件夹。请检查路径，以及它所在的文件夹是否存在。',
  ],
  EACCES: [
    'this user may not. Check its owner and mode with "ls -ld", or name another path.',
    '此用户没有权限。请用 "ls -ld" 检查所有者和权限，或换一个路径。',
  ],
  ENOSPC: ['the disk is full. Free some space, or name another disk.', '磁盘已满。请腾出空间，或换到另一个磁盘。'],
  EISDIR: ['it is a folder. Name a file.', '它是文件夹。请指定文件。'],
  EROFS: ['the disk can only be read. Name a path on another disk.', '磁盘是只读的。请换到另一个磁盘。'],
};

interface ErrorWords {
  /** In place of a missing headline, the message says it all. */
  headline(this: void, code: string): string | undefined;
  /** An English sentence of another room, where it has a Chinese twin. */
  translated(this: void, line: string): string;
  /** A code of the system in words, with what helps. */
  ofSystem(this: void, code: string): string | undefined;
  failed(this: void, why: string): string;
  notPrinted(this: void, code: string): string;
  readonly debug: string;
  tooManyFiles(this: void, why: string): string;
  readonly tooManyFilesHint: string;
}

const en: ErrorWords = {
  headline: () => undefined,
  translated: (text) => text,
  ofSystem: (code) => OF_SYSTEM[code]?.[0],
  failed: (why) => `svcd failed: ${why}`,
  notPrinted: (code) => `the answer could not be printed (${code}); what was done is done`,
  debug: 'SVCD_DEBUG=1 shows where.',
  tooManyFiles: (why) => `svcd may not open as many files as it needs: the open files limit is too low (${why})`,
  tooManyFilesHint: 'Raise it with "ulimit -n 4096" and try again. "svcd doctor" shows the limit.',
};

const zh: ErrorWords = {
  headline: headlineOf,
  translated: translate,
  ofSystem: (code) => OF_SYSTEM[code]?.[1],
  failed: (why) => `svcd 出错：${why}`,
  notPrinted: (code) => `无法输出结果（${code}）；已完成的操作仍然有效`,
  debug: '设置 SVCD_DEBUG=1 可显示出错位置。',
  tooManyFiles: (why) => `svcd 能打开的文件数不够：打开文件数的上限太低（${why}）`,
  tooManyFilesHint: '请用 "ulimit -n 4096" 提高上限后重试。"svcd doctor" 显示上限。',
};

export const errorWords = wordsIn<ErrorWords>({ en, zh });

/** English sentences that have a Chinese twin, for the test that finds them in the source. */
export const TRANSLATED = Object.keys(TWINS);

let patterns: readonly (readonly [RegExp, string])[] | undefined;

function readPatterns() {
  return Object.entries(TWINS).map(([from, to]) => {
    const parts = from.split('{}').map((part) => part.replaceAll(/[$()*+.?[\\\]^{|}]/g, String.raw`\$&`));
    return [new RegExp(`^${parts.join('(.*)')}$`, 's'), to] as const;
  });
}

/** A sentence by its twin, else by those of its parts; as it is where nothing has one. */
function translate(text: string): string {
  for (const [pattern, to] of (patterns ??= readPatterns())) {
    const values = pattern.exec(text)?.slice(1);
    if (values === undefined) continue;
    let next = 0;
    return to.replaceAll(/\{(\d?)\}/g, (_, at: string) => translate(values[at === '' ? next++ : Number(at)] ?? ''));
  }
  // The daemon of another process names the home in its commands already.
  const bare = text.replaceAll(/ --home (?:'[^']*'|\/[^\s"']*)/g, '');
  return (
    (bare === text ? undefined : translateOther(bare)) ??
    translateRule(text) ??
    translateBudget(text) ??
    translateParts(text)
  );
}

/** What a value must be, with the value or without. */
function translateRule(text: string): string | undefined {
  const [, what = '', be = '', rule = '', got = ''] = /^([^:]+):? must (be )?(.+?)(?:, got (.+))?$/.exec(text) ?? [];
  if (rule === '') return undefined;
  const names = /^\S+(?:, \S+)* or \S+$/.test(rule) ? rule.replace(' or ', ' 或 ') : undefined;
  const told = be === '' ? translateOther(`must ${rule}`) : (translateOther(rule) ?? names);
  if (told === undefined) return undefined;
  const must = be === '' ? told : `应为${afterHan(told)}`;
  const name = translate(what).replace(/(?<!\p{Script=Han})$/u, ' ');
  return `${name}${must}${got === '' ? '' : `，而不是${afterHan(translate(got))}`}`;
}

/** The sentence of a budget (purchases/budget.ts), which has more parts than twins have places. */
function translateBudget(text: string): string | undefined {
  const found =
    /^the budget(?: of (.+?))?(?: per (\w+))? is (\d+) credits?(?: \((\d+) spent .+\))?, and this costs (\d+)$/.exec(
      text,
    );
  if (found === null) return undefined;
  const [, whose = '', per = '', limit, used, price] = found;
  const name = whose.replace('the token', '令牌').replace('all projects together', '所有项目合计');
  const each = { day: '每天', month: '每月', request: '每次请求' }[per] ?? '总';
  const taken = used === undefined ? '' : `（已花费或预留 ${used}）`;
  return `${name === '' ? '' : `${name} 的`}${each}预算为 ${limit} 积分${taken}，而这需要 ${price} 积分`;
}

/** Sentences one after the other, or joined; a name may stand before one. */
function translateParts(text: string): string {
  const [, credits] = /^([\d,]+) credits?$/.exec(text) ?? [];
  if (credits !== undefined) return `${credits} 积分`;
  for (const [between, joint] of JOINTS) {
    const [, first = '', rest = ''] = between.exec(text) ?? [];
    if (rest === '') continue;
    const [head, tail] = [translate(first), translateOther(rest)];
    if (tail !== undefined && (joint === '：' || joint === ' ' || head !== first)) return `${head}${joint}${tail}`;
  }
  return text;
}

const JOINTS = [
  [/^(.+?\.) ((?:[A-Z"]|svcd ).+)$/, ''],
  [/^(.+?); (.+)$/, '；'],
  [/^(.+?)(?:: |：)(.+)$/, '：'],
  [/^(\S+) (is .+)$/, ' '],
] as const;

/** Undefined where it has no twin. */
function translateOther(text: string): string | undefined {
  const told = text === '' ? text : translate(text);
  return told === text ? undefined : told;
}
