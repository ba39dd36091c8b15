// Errors for those who do not read English: sentences of other rooms by their English text, and a headline above a message
// that has no twin.

import { wordsIn } from './language.js';
import { headlineOf } from './exit-codes.js';

/** Hints, and parts of sentences, of other rooms, by their English text; `{}` stands for a value. A test finds each in the source. */
const TWINS: Readonly<Record<string, string>> = {
  'Set one with "svcd config set remote https://…", or try "svcd start --sandbox".':
    '用 "svcd config set remote https://…" 设置一个，或用 "svcd start --sandbox" 试用。',
  'The service asked svcd to wait; "svcd offline --off" asks it again at once.':
    '远程服务要求等待；"svcd offline --off" 立即重新请求。',
  'Check the base address of the service: "svcd config show".': '请检查远程服务的地址："svcd config show"。',
  'Copy the whole Key, without spaces or line breaks.': '请完整复制 Key，不含空格和换行。',
  'Nothing was charged.': '没有扣除积分。',
  'Nothing was charged. "svcd key status" says which Key svcd uses; "svcd key set" stores another.':
    '没有扣除积分。"svcd key status" 显示 svcd 使用哪个 Key；"svcd key set" 保存另一个。',
  'Nothing was charged. svcd buys it as soon as the service allows.': '没有扣除积分。远程服务允许后 svcd 会立即购买。',
  'Raise it with "svcd budget set --{} N".': '用 "svcd budget set --{} N" 提高预算。',
  'Raise it with "svcd budget set --{} N", or wait for the next {}.':
    '用 "svcd budget set --{} N" 提高预算，或等到下一日或下一月。',
  '"svcd token list" shows the limits of every token; they were set when it was made.':
    '"svcd token list" 显示各令牌的限额；限额在创建时设定。',
  'Allow spending again with "svcd budget resume".': '用 "svcd budget resume" 重新允许购买。',
  'Restore a backup with "svcd owned restore FILE", or continue without those purchases and pay again for what is missing: "svcd doctor --accept-loss".':
    '用 "svcd owned restore FILE" 恢复备份；或放弃这些购买，缺少的内容重新付费："svcd doctor --accept-loss"。',
  'Run "svcd stop", restore a backup with "svcd owned restore FILE", then run "svcd start".':
    '运行 "svcd stop"，用 "svcd owned restore FILE" 恢复备份，再运行 "svcd start"。',
  'Run "svcd stop", put the file back, then run "svcd start".':
    '运行 "svcd stop"，把文件放回原处，再运行 "svcd start"。',
  'Make it writable; then run "svcd stop" and "svcd start".': '请使它可写，然后运行 "svcd stop" 和 "svcd start"。',
  'The purchase continues: the sticker is owned as soon as the answer arrives.':
    '购买仍在进行：答复到达后即拥有该贴纸。',
  'The image is still being made. Ask again later.': '图片仍在生成，请稍后再试。',
  'svcd looks again by itself in {} s. See "svcd purchases"; "svcd purchases retry {}" buys it again, and may cost a second time.':
    'svcd 将在 {} 秒后自行再次核对。见 "svcd purchases"；"svcd purchases retry {}" 再次购买，可能再扣一次积分。',
  'See "svcd purchases"; "svcd purchases retry {}" buys it again.':
    '见 "svcd purchases"；"svcd purchases retry {}" 再买一次。',
  'If you know the outcome, record it: "svcd purchases settle {} --as charged" or "--as free".':
    '如果知道结果，请记录："svcd purchases settle {} --as charged" 或 "--as free"。',
  'Send the image request again with the header "X-Svcd-Allow-Repay: 1".':
    '请带上请求头 "X-Svcd-Allow-Repay: 1" 重新请求该图片。',
  'It holds what you paid for, and svcd never rebuilds it. Restore a backup with "svcd owned restore FILE", or move the file away to start without it.':
    '其中是您已付费的内容，svcd 不会重建它。用 "svcd owned restore FILE" 恢复备份，或移走该文件后重新开始。',
  'Name a file of "svcd owned backup".': '请指定 "svcd owned backup" 写出的文件。',
  'Use a name such as Asia/Shanghai.': '请使用 Asia/Shanghai 这样的名称。',
  'Use a newer svcd: npm install -g svcd.': '请更新 svcd：npm install -g svcd。',
  'Restore the lock from your version control. Without one, run "svcd apply --out DIR" with another folder: owned files cost nothing again.':
    '请从版本控制恢复锁文件。没有的话，用 "svcd apply --out DIR" 写到另一个文件夹：已拥有的文件不再收费。',
  'Move it away, or name another folder with --out DIR.': '请移走它，或用 --out DIR 指定另一个文件夹。',
  'Name another folder with --out DIR.': '请用 --out DIR 指定另一个文件夹。',
  'Try again when it has ended.': '请等它结束后再试。',
  'Correct it, or remove it and add the origins again with "svcd config origins add ORIGIN".':
    '请改正它，或删除它，再用 "svcd config origins add ORIGIN" 添加来源。',
  'Correct it, or run "svcd doctor": it shows the command that puts the file aside.':
    '请改正它，或运行 "svcd doctor"：它给出移开该文件的命令。',
  'Remove it; then "svcd start --sandbox" or "svcd start --remote https://…" writes a new one.':
    '请删除它；"svcd start --sandbox" 或 "svcd start --remote https://…" 会写一个新的。',
  'Free some space on the disk of the home folder; "svcd doctor" says which it is.':
    '请在数据目录所在的磁盘上腾出空间；"svcd doctor" 会指出是哪一个。',
  'Free some space there: svcd then goes on by itself.': '请在那里腾出空间：之后 svcd 会自行恢复。',
  'Update svcd on this machine, and restart the hub.': '请更新此机器上的 svcd，然后重启集线器。',
  'Free some space, or use another home with --home DIR or SVCD_HOME.':
    '请腾出空间，或用 --home DIR 或 SVCD_HOME 指定另一个数据目录。',
  'Give another one with --home DIR or SVCD_HOME.': '请用 --home DIR 或 SVCD_HOME 指定另一个。',
  'Use the running one, stop it with "svcd stop", or use another home with --home DIR.':
    '请使用正在运行的，或用 "svcd stop" 停止它，或用 --home DIR 指定另一个数据目录。',
  'Use it as it is, stop it first, or give another folder with --home DIR.':
    '请直接使用它，或先停止它，或用 --home DIR 指定另一个文件夹。',
  'Give a folder with --home DIR, or set SVCD_HOME to an absolute path.':
    '请用 --home DIR 指定文件夹，或把 SVCD_HOME 设为绝对路径。',
  'Restore the file it points to, or remove the link.': '请恢复它指向的文件，或删除该链接。',
  'Unpack it and name the folder.': '请解压后指定文件夹。',
  'Unpack it and name its service.key.json.': '请解压后指定其中的 service.key.json。',
  'Run: chmod 600 {}': '请运行：chmod 600 {}',
  '"svcd token show" prints it.': '"svcd token show" 显示它。',
  'Make a token that may: "svcd token add NAME --only {}".': '请创建有此权限的令牌："svcd token add NAME --only {}"。',
  'Use another name, or revoke it with "svcd token revoke {}".': '请换一个名称，或用 "svcd token revoke {}" 撤销它。',
  "The Key is in the service's account, in its API and credits area.": 'Key 在远程服务的账户中，见 API 与积分部分。',
  'Send "Authorization: Bearer …" with what "svcd token show" prints.':
    '请发送 "Authorization: Bearer …"，内容为 "svcd token show" 显示的令牌。',
  '"svcd library list" lists your stickers.': '"svcd library list" 列出您的贴纸。',
  'Give yours another name with --preset.': '请用 --preset 给它换一个名称。',
  'Ask without form=safe to get it as it was bought.': '不用安全形式即可取得购买时的原文件。',
  'Buy it, or run "svcd owned export" on the machine that owns it and "svcd owned import" here.':
    '请购买它；或在拥有它的机器上运行 "svcd owned export"，再在这里运行 "svcd owned import"。',
  '"svcd config origins" lists the allowed origins.': '"svcd config origins" 列出允许的来源。',
  '"svcd get {}" buys it.': '"svcd get {}" 购买它。',
  '"svcd library defaults" lists what is registered.': '"svcd library defaults" 列出已登记的替代素材。',
  'Search for it: "svcd search WORDS" lists presets.': '请先搜索："svcd search 词语" 列出预设。',
  'Update svcd, or export it again from the older one.': '请更新 svcd，或从旧版本重新导出。',
  'If both are the same service, import it with --any-remote.': '如果两者是同一个远程服务，请加 --any-remote 导入。',
  'Start svcd again: the damaged file is set aside and the library is rebuilt.':
    '请重新启动 svcd：损坏的文件会被移开，素材库会重建。',
  'Set one in a terminal: svcd config set folder DIR': '请在终端设置：svcd config set folder DIR',
  'Make it writable or free some space, or set another one in a terminal: svcd config set folder DIR':
    '请使它可写或腾出空间，或在终端另设一个：svcd config set folder DIR',
  'Use another port with --port N, or any free one with --port 0.':
    '请用 --port N 换一个端口，或用 --port 0 使用任一空闲端口。',
  'Ports below 1024 need special rights. Use another port with --port N, or any free one with --port 0.':
    '1024 以下的端口需要特殊权限。请用 --port N 换一个端口，或用 --port 0 使用任一空闲端口。',
  'Run "svcd open" for another.': '请运行 "svcd open" 取得新的。',
  'Run "svcd open --code" in a terminal, and type what it prints.':
    '请在终端中运行 "svcd open --code"，并输入它显示的验证码。',
  'Export the animation as Lottie JSON (not .lottie, GIF or video).':
    '请把动画导出为 Lottie JSON（不是 .lottie、GIF 或视频）。',
  'Download it again.': '请重新下载。',
  'Copy the whole code that was printed on the hub by "svcd hub invite".':
    '请完整复制在集线器上用 "svcd hub invite" 显示的邀请码。',
  'Download it again. If the changes are yours: "{} --changed-on-purpose".':
    '请重新下载。如果是您自己改动的："{} --changed-on-purpose"。',
  'The last {} runs are kept. "svcd token env --run NAME" begins one, and so does "svcd run".':
    '只保留最近 {} 次运行。"svcd token env --run NAME" 或 "svcd run" 开始一次运行。',
  // What is wrong with a preset (model/preset.ts).
  'must be 1 to {} characters': '必须有 1 到 {} 个字符',
  'must not hold control characters': '不能含有控制字符',
  'must not have an empty part between slashes': '斜线之间不能为空',
  'must not have "." or ".." as a part, nor percent-encoded control characters':
    '不能含有 "." 或 ".." 这样的部分，也不能含有百分号编码的控制字符',
  'must not be {}, which are other addresses of the service': '不能是 {}：它们是远程服务的其他地址',
  // Why a default was chosen (defaults/).
  'owned, {}': '已拥有，{}',
  'the remote cannot be reached ({})': '无法连接远程服务（{}）',
  'shares {}': '都有 {}',
  'shipped, {}': '自带，{}',
  'the preset says {}': '预设名中有 {}',
  'the title says {}': '标题中有 {}',
  'akin to {}, {}': '与 {} 相近，{}',
  'nothing is known of this preset': '对此预设一无所知',
  'nothing in the pack is like it': '替代素材包中没有相近的',
  // Another remote than before (config/remote-choice.ts).
  'This home was last used with {}; now it uses {} ({}).': '此数据目录上次使用 {}，现在使用 {}（{}）。',
  '"svcd start {}" switches back.': '"svcd start {}" 换回原来的。',
  'config.json names {}: commands without a daemon, and a start without {}, use that.':
    'config.json 指定了 {}：没有后台服务时的命令，以及不带 {} 的启动，都使用它。',
  'the sandbox': '沙盒',
  'no remote': '无远程服务',
  'as last time': '与上次相同',
  'none is named': '未指定',
  '{} in config.json': 'config.json 中的 {}',
  // What was refused, and why.
  'There is no sticker of this preset.': '没有这个预设的贴纸。',
  'there is no sticker of yours called {}': '您没有名为 {} 的贴纸',
  'there is no sticker {}': '没有贴纸 {}',
  'this needs a Key: the request brings none, and svcd holds none for it':
    '这需要 Key：请求没有带 Key，svcd 也没有可用的 Key',
  'Send "Authorization: Bearer …" with your Key, or with the local token ("svcd token show"). svcd\'s own Key: "svcd key status".':
    '请发送 "Authorization: Bearer …"，内容为您的 Key 或本机令牌（"svcd token show"）。svcd 自己的 Key："svcd key status"。',
  'svcd already runs on {} at {} (process {})': '已有 svcd 在 {} 上运行：{}（进程 {}）',
  'svcd already runs on {}': '已有 svcd 在 {} 上运行',
  'port {} on {} is used by {}': '{1} 上的端口 {0} 已被占用：{2}',
  'this user may not listen on {}, port {}': '此用户不能在 {0} 的端口 {1} 上监听',
  'another svcd, with another home': '使用另一个数据目录的 svcd',
  'another program': '另一个程序',
  'there is no lock {}': '没有锁文件 {}',
  '"svcd apply" writes one; name another with --lock FILE, where FILE is mostly called {}.':
    '"svcd apply" 会写一个；也可用 --lock FILE 指定另一个，通常名为 {}。',
  'there is no token {}': '没有令牌 {}',
  'a token {} exists already': '令牌 {} 已存在',
  'there is no purchase {}': '没有编号为 {} 的购买',
  'there is no Key at {}': '{} 中没有 Key',
  'body: is not valid JSON ({})': '请求内容不是有效的 JSON（{}）',
  'nothing to match: give text, keywords or both': '没有可匹配的内容：请给出文案、关键词或两者',
  'a sticker needs text, keywords or preset, an image needs prompt and size, and no slot is both':
    '贴纸需要 text、keywords 或 preset，图片需要 prompt 和 size，一个位置不能两者都是',
  'spending is stopped': '已停止花费',
  'the remote cannot be reached, so the outcome of purchase {} stays unknown':
    '无法连接远程服务，因此第 {} 笔购买的结果仍然未知',
  'the hub cannot be reached ({})': '无法连接集线器（{}）',
  'the connection to the remote broke ({})': '与远程服务的连接中断（{}）',
  'It may have been charged: "svcd purchases --state unknown" says how to find out, or to buy it again.':
    '可能已扣费："svcd purchases --state unknown" 说明如何查明，或再次购买。',
  'svcd is set to offline': 'svcd 已设为离线',
  'no remote is configured': '没有设置远程服务',
  'The Key is not valid.': 'Key 无效。',
  'the library knows no sticker with this preset': '素材库中没有这个预设的贴纸',
  'there is no sticker of yours with this preset': '您没有这个预设的贴纸',
  'nothing in the library fits, or it is used already': '素材库中没有合适的，或已被其他位置使用',
  'the service did not answer ({}), so this plan uses what svcd knew before':
    '远程服务没有回应（{}），因此此方案使用 svcd 之前所知的内容',
  // What a value must be.
  'a whole number from {} to {}': '{} 到 {} 的整数',
  'an address such as https://assets.example.com': 'https://assets.example.com 这样的地址',
  'true or false': 'true 或 false',
  'one of {}': '{} 之一',
  'square, wide, tall, a ratio such as 1.5 or 16:9, or a range such as 0.8..1.25':
    'square、wide、tall，1.5 或 16:9 这样的比例，或 0.8..1.25 这样的范围',
  // What a plan warns of, and why a sticker was chosen (video/choose/).
  'all spending is stopped, so nothing of this can be bought now': '已停止花费，因此现在都不能购买',
  'there is no Key to pay with': '没有可用来付费的 Key',
  'no remote is configured, so nothing of this can be bought': '没有设置远程服务，因此都不能购买',
  '{}, so nothing of this can be bought now': '{}，因此现在都不能购买',
  'svcd is set to offline ("svcd offline --off" ends that)': 'svcd 已设为离线（"svcd offline --off" 结束离线）',
  'the service cannot be reached': '无法连接远程服务',
  'the library knows {} stickers and is not complete, so better ones may be missing':
    '素材库只有 {} 个贴纸，尚不完整，可能缺少更合适的',
  '{}; "svcd library sync" fills it': '{}；"svcd library sync" 填充它',
  'chosen before the service was asked; "svcd plan --refresh" asks it':
    '在询问远程服务之前选出；"svcd plan --refresh" 会询问',
  'what was found is only loosely related': '找到的只是略微相关',
  'a synonym of {}': '{} 的同义词',
  '{} in the title': '标题中有 {}',
  '{} in the keywords': '关键词中有 {}',
  // What is noticed when a Key is looked for (auth/user-key.ts).
  'the Key found ({}) belongs to a sandbox, and {} is not one: it is not sent there':
    '找到的 Key（{}）属于沙盒，而 {} 不是沙盒：不会把它发送到那里',
};

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

function translate(text: string): string {
  for (const [from, to] of Object.entries(TWINS)) {
    const parts = from.split('{}').map((part) => part.replaceAll(/[$()*+.?[\\\]^{|}]/g, String.raw`\$&`));
    const values = new RegExp(`^${parts.join('(.+)')}$`).exec(text)?.slice(1);
    if (values === undefined) continue;
    let next = 0;
    return to.replaceAll(/\{(\d?)\}/g, (_, at: string) => translate(values[at === '' ? next++ : Number(at)] ?? ''));
  }
  const [, what = '', rule = '', got = ''] = /^(.+?):? must be (.+), got (.+)$/.exec(text) ?? [];
  const told = translateOther(rule);
  return told === undefined ? text : `${what} 应为 ${told}，而不是 ${got}`;
}

/** Undefined where it has no twin. */
function translateOther(text: string): string | undefined {
  const told = text === '' ? text : translate(text);
  return told === text ? undefined : told;
}
