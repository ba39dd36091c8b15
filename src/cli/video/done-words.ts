// The words of `svcd done`, and of telling the service that a template is used.

import { wordsIn } from '../terminal/language.js';

const CONFIG = '"svcd config set registerProductions always"';

const en = {
  layout: 'Layout of the video, such as landscape [that of motion.json].',
  duration: 'Length of the video in seconds [that of motion.json].',
  lock: (locks: readonly string[]) =>
    `The lock of the video, which tells what kinds of assets it uses [${locks.join(' or ')}].`,
  report: 'The report of "svcd run --report" in place of a lock.',
  example: 'after the export; asks once whether the service may be told',
  exampleThis: 'of this video',
  exampleNever: 'never tell the service',
  aWord: 'a word such as landscape',
  seconds: (most: number) => `seconds from 0 to ${most}`,
  noLockNoReport: (file: string) => `${file} is no lock and no report`,
  noLockNoReportHint: (lock: string) => `Give ${lock}, or the file of "svcd run --report".`,
  ofAnother: (file: string, other: string, template: string) =>
    `${file} is of ${other}, and the package is ${template}`,
  ask: (template: string) =>
    `Tell the service that ${template} is used for a video? It learns the template, the layout, the duration and the ` +
    'kinds of assets; no copy, no names. The answer is kept.',
  notKept: (why: string) => `svcd: the answer could not be kept: ${why}`,
  toldNot: (template: string, why: string) => `The service was not told of ${template}: ${why}.`,
  toldNotNote: (template: string, why: string) => `svcd: the service was not told of ${template}: ${why}`,
  told: (template: string, stage: string) => `The service was told of ${template} (${stage}).`,
  notice: (words: string) => `  notice: ${words}`,
  tip: (words: string) => `  tip: ${words}`,
  newVersion: (name: string, latest: string, version: string) => `${name} has version ${latest}; this is ${version}.`,
  unreachable: (reason: string) => `it cannot be reached (${reason})`,
  reasons: {
    changed: 'the package is not as it was published',
    declined: `you declined; ${CONFIG} tells it`,
    not_asked: `there was no terminal to ask on; ${CONFIG} tells it without asking`,
  } as Readonly<Record<string, string>>,
};

const zh: typeof en = {
  layout: '视频的版式，例如 landscape [motion.json 中的]。',
  duration: '视频的秒数 [motion.json 中的]。',
  lock: (locks) => `视频的锁文件，说明它使用了哪几类素材 [${locks.join(' 或 ')}]。`,
  report: '用 "svcd run --report" 的报告代替锁文件。',
  example: '导出之后；询问一次是否可以告诉远程服务',
  exampleThis: '针对这个视频',
  exampleNever: '永远不告诉远程服务',
  aWord: '一个词，例如 landscape',
  seconds: (most) => `0 到 ${most} 之间的秒数`,
  noLockNoReport: (file) => `${file} 既不是锁文件，也不是报告`,
  noLockNoReportHint: (lock) => `请给出 ${lock}，或 "svcd run --report" 的文件。`,
  ofAnother: (file, other, template) => `${file} 属于 ${other}，而模板包是 ${template}`,
  ask: (template) =>
    `可以告诉远程服务 ${template} 用于制作视频吗？远程服务只会得知模板、版式、时长和素材种类；不含文案和名称。您的回答会保存。`,
  notKept: (why) => `svcd：无法保存您的回答：${why}`,
  toldNot: (template, why) => `没有把 ${template} 告诉远程服务：${why}。`,
  toldNotNote: (template, why) => `svcd：没有把 ${template} 告诉远程服务：${why}`,
  told: (template, stage) => `已把 ${template} 告诉远程服务（${stage}）。`,
  notice: (words) => `  通知：${words}`,
  tip: (words) => `  提示：${words}`,
  newVersion: (name, latest, version) => `${name} 有版本 ${latest}；当前是 ${version}。`,
  unreachable: (reason) => `无法联系远程服务（${reason}）`,
  reasons: {
    changed: '模板包与发布时不同',
    declined: `您已拒绝；${CONFIG} 可以改为告诉`,
    not_asked: `没有终端可以询问；${CONFIG} 表示不询问就告诉`,
  },
};

export const doneWords = wordsIn<typeof en>({ en, zh });
