// Why a default was served, in a sentence that goes on after a colon.

import type { FallbackReason } from '../../model/asset.js';
import { wordsIn } from '../terminal/language.js';

const en: Readonly<Record<FallbackReason, string>> = {
  offline: 'svcd was set to offline ("svcd offline --off" ends that), or the service cannot be reached',
  no_key: 'there is no Key to pay with; "svcd key set" stores one',
  insufficient_credits: 'the credits are used up',
  budget: 'the budget is used up; "svcd budget" shows it, "svcd budget set --day N" changes it',
  not_enabled: 'the service does not offer it now',
  rate_limited: 'the service wants fewer requests a minute',
  late: 'it was not there in time; it will be owned in a moment',
  spending_stopped: 'spending is stopped; "svcd budget resume" allows it again',
  upstream_failure: 'the service failed',
  unsettled: 'it is not known yet whether an earlier purchase of it was charged; see "svcd purchases"',
};

const zh: typeof en = {
  offline: 'svcd 被设为离线（"svcd offline --off" 结束离线），或无法连接远程服务',
  no_key: '没有可用来付费的 Key；"svcd key set" 保存一个',
  insufficient_credits: '积分已用完',
  budget: '预算已用完；"svcd budget" 显示预算，"svcd budget set --day N" 更改预算',
  not_enabled: '远程服务目前不提供',
  rate_limited: '远程服务要求减少每分钟的请求',
  late: '未能及时取得；稍后即为已拥有',
  spending_stopped: '已停止花费；"svcd budget resume" 重新允许',
  upstream_failure: '远程服务出错',
  unsettled: '尚不清楚之前的一次购买是否已扣费；见 "svcd purchases"',
};

const hub = {
  en: {
    machine_revoked:
      'the hub no longer accepts this machine: it was revoked, or its time is over; "svcd hub join CODE" joins again, "svcd hub leave" ends it',
    not_a_machine: 'the hub does not know this machine; "svcd hub join CODE" joins again, "svcd hub leave" ends it',
    hub_certificate_changed:
      'what answers is not the hub that this machine joined, or it has a new certificate; ask who looks after the hub, then "svcd hub join CODE" or "svcd hub leave"',
    unsettled:
      'it is not known yet whether an earlier purchase of it was charged; at the hub, "svcd hub purchases --state unknown" lists it',
    hub_without_key: 'the hub has no Key to pay with; on the hub, "svcd key set" stores one',
    budget: (why: string) =>
      `the hub refuses it: ${why}; on the hub, "svcd hub budget" shows every limit, and "svcd hub budget set" changes one`,
  },
  zh: {
    machine_revoked:
      '集线器不再接受这台机器：它已被停用，或期限已过；"svcd hub join CODE" 重新加入，"svcd hub leave" 退出',
    not_a_machine: '集线器不认识这台机器；"svcd hub join CODE" 重新加入，"svcd hub leave" 退出',
    hub_certificate_changed:
      '应答的不是这台机器所加入的集线器，或其证书已更换；请询问集线器的管理者，然后运行 "svcd hub join CODE" 或 "svcd hub leave"',
    unsettled: '尚不清楚之前的一次购买是否已扣费；在集线器上，"svcd hub purchases --state unknown" 列出它',
    hub_without_key: '集线器没有可用来付费的 Key；在集线器上，"svcd key set" 保存一个',
    budget: (why: string) =>
      `集线器拒绝了它：${why}；在集线器上，"svcd hub budget" 显示各上限，"svcd hub budget set" 更改上限`,
  },
};

/** What a hub refuses a machine for. */
export const hubRefusalWords = wordsIn<typeof hub.en>(hub);

export const reasonWords = wordsIn<typeof en>({ en, zh });
