// Exit codes: one per kind of failure, so that a script can tell them apart without reading text.

import type { ErrorCode } from '../../model/errors.js';

/** Of every error its exit code, and its headline for those who do not read English; a code without a row does not compile. */
const ERRORS: Record<ErrorCode, readonly [exit: number, headline: string]> = {
  internal: [1, '内部错误'],

  invalid_argument: [2, '命令或选项有误'],
  invalid_config: [2, '设置有误'],
  no_folder: [2, '没有可用的导出文件夹'],
  invalid_request: [2, '请求不符合规则'],
  body_too_large: [2, '内容太大'],
  unsupported_media_type: [2, '内容类型不受支持'],
  method_not_allowed: [2, '该地址不接受这种请求'],
  range_not_satisfiable: [2, '请求的范围超出文件'],

  not_found: [3, '找不到'],
  unknown_preset: [3, '没有这个贴纸'],
  not_owned: [3, '尚未拥有'],
  not_drawable: [18, '无法画出'],

  not_running: [4, '后台服务没有运行'],
  already_running: [5, '后台服务已在运行'],
  port_in_use: [6, '端口已被占用'],
  home_not_writable: [7, '数据目录无法写入'],
  disk_full: [19, '磁盘已满'],
  library_damaged: [8, '素材库已损坏'],

  owned_damaged: [9, '购买记录数据库（owned.db）已损坏'],
  damaged: [9, '文件已损坏'],

  invalid_key: [10, 'Key 缺失或有误'],
  key_disabled: [10, 'Key 已被停用'],
  invalid_token: [10, '令牌缺失或有误'],
  not_declared: [10, '模板没有声明这项能力'],
  not_permitted: [10, '令牌没有这项权限'],
  forbidden_host: [10, 'Host 不是本机后台服务的地址'],
  forbidden_origin: [10, '该网页来源未获允许'],

  insufficient_credits: [11, '积分不足'],
  key_limit_exceeded: [11, '超出 Key 的限额'],
  permission_missing: [10, 'Key 没有这项权限'],
  budget: [11, '超出预算'],
  spending_stopped: [11, '购买已停止'],
  needs_consent: [11, '需要您确认'],
  needs_code: [11, '需要验证码'],

  offline: [12, '离线，或远程服务无法连接'],
  upstream_failure: [12, '远程服务出错'],
  timeout: [12, '等待超时'],
  busy: [12, '正忙，请稍后再试'],
  rate_limited: [12, '请求过于频繁'],
  not_enabled: [12, '远程服务尚未开放此功能'],
  duplicate_request: [12, '同样的请求正在处理'],

  unsupported_platform: [13, '不支持此平台'],
  unsettled: [14, '购买没有得到文件，已扣费或可能已扣费'],
  keychain_unavailable: [15, '系统钥匙串无法使用'],
  newer_file: [16, '文件由更新版本的 svcd 写入'],
  service_manager_failed: [18, '系统服务管理器出错'],

  plan_stale: [17, '计划已过时'],
  lock_unmet: [17, '锁文件中的文件尚未拥有'],
  lock_mismatch: [17, '文件与锁文件不一致'],
  package_changed: [17, '模板包已被改动'],
  price_changed: [17, '价格已变化'],

  // Of a hub and the machines that have joined it.
  not_a_machine: [10, '集线器不认识这台机器的令牌'],
  machine_revoked: [10, '这台机器已被集线器停用'],
  hub_without_key: [10, '集线器没有 Key'],
  for_machines: [10, '此端口只供已加入的机器使用'],
  invalid_invite: [10, '邀请码有误'],
  invite_used_up: [10, '邀请码的使用次数已满'],
  invite_expired: [10, '邀请码已过期'],
  hub_certificate_changed: [10, '集线器的证书已改变'],
  database_away: [12, 'PostgreSQL 数据库无法使用'],
  database_unsafe: [9, 'PostgreSQL 的设置可能丢失数据'],
  database_newer: [16, '数据库由更新版本的 svcd 写入'],

  defaults_served: [20, '有素材未能取得，或用了替代素材'],
  interrupted: [130, '已中断'],
};

export const EXIT_CODE_OF = Object.fromEntries(Object.entries(ERRORS).map(([code, [exit]]) => [code, exit])) as Record<
  ErrorCode,
  number
>;

/** In Chinese; undefined for a code of a newer daemon. */
export function headlineOf(code: string): string | undefined {
  return Object.hasOwn(ERRORS, code) ? ERRORS[code as ErrorCode][1] : undefined;
}

/** The meaning of each exit code; the table in src/cli/REFERENCE.md is compared with it. */
export const EXIT_MEANINGS: Readonly<Record<number, string>> = {
  0: 'Done.',
  1: 'svcd itself failed, or "svcd doctor" found something bad.',
  2: 'The command, an option, a setting or the request is wrong.',
  3: 'There is no such sticker or path.',
  4: 'svcd does not run on this home.',
  5: 'svcd already runs on this home.',
  6: 'Another program uses the port.',
  7: 'The home folder cannot be written.',
  8: 'The library is damaged.',
  9: 'The purchases, or a file that was paid for, are damaged; svcd never rebuilds them.',
  10: 'No usable Key or token.',
  11: 'Out of credits, or over the budget.',
  12: 'The service or the daemon cannot answer now: offline, busy, failing or too slow.',
  13: 'This platform is not supported.',
  14: 'It is not known yet whether an earlier purchase was charged.',
  15: 'The OS keychain cannot be used.',
  16: 'A newer svcd wrote a file in the home.',
  17: 'A lock, a plan or a package does not agree with what is here.',
  18: 'systemd, launchd or the Task Scheduler is not there, or refused.',
  19: 'The disk is full.',
  20: 'The command of "svcd run --strict" succeeded, but got a default, an error, or lists without the service, or svcd was away.',
  130: 'Interrupted.',
};

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
// npm forwards Ctrl+C to a child that the terminal has signalled already: one keystroke, two signals.
const SAME_KEYSTROKE_MS = 300;

/**
 * Calls `stop` with the first signal's name; a second one ends the process at once. `takes` is told each first, and answers
 * whether it means something else. Returns how to end the watch.
 */
export function onStopSignal(stop: (signal: string) => void, takes = (_signal: string): boolean => false): () => void {
  let firstAt: number | undefined;
  const hear = (signal: string) => {
    if (takes(signal)) return;
    const isFirst = firstAt === undefined;
    firstAt ??= performance.now();
    if (performance.now() - firstAt > SAME_KEYSTROKE_MS) process.exit(EXIT_CODE_OF.interrupted);
    if (isFirst) stop(signal);
  };
  for (const signal of SIGNALS) process.on(signal, hear);
  return () => SIGNALS.forEach((signal) => process.off(signal, hear));
}

/** Resolves with the first signal's name; a second one ends the process at once. */
export function watchStopSignals(takes?: (signal: string) => boolean): Promise<string> {
  return new Promise((resolve) => void onStopSignal(resolve, takes));
}
