// Why a default was served, in a sentence that goes on after a colon.

import type { FallbackReason } from '../../model/asset.js';
import { wordsIn } from '../language.js';

const en: Readonly<Record<FallbackReason, string>> = {
  offline: 'svcd was set to offline ("svcd online" ends that), or the service cannot be reached',
  no_key: 'there is no Key to pay with; "svcd key set" stores one',
  insufficient_credits: 'the credits are used up',
  budget: 'the budget is used up; "svcd budget" shows it, "svcd budget set --day N" changes it',
  not_enabled: 'the service does not offer it now',
  rate_limited: 'the service wants fewer requests a minute',
  late: 'it was not there in time; it will be owned in a moment',
  spending_stopped: 'spending is stopped; "svcd stop-spending --lift" allows it again',
  upstream_failure: 'the service failed',
  unsettled: 'it is not known yet whether an earlier purchase of it was charged; see "svcd purchases"',
};

const zh: typeof en = {
  offline: 'svcd 被设为离线（"svcd online" 结束离线），或无法连接远程服务',
  no_key: '没有可用来付费的 Key；"svcd key set" 保存一个',
  insufficient_credits: '积分已用完',
  budget: '预算已用完；"svcd budget" 显示预算，"svcd budget set --day N" 更改预算',
  not_enabled: '远程服务目前不提供',
  rate_limited: '远程服务要求减少每分钟的请求',
  late: '未能及时取得；稍后即为已拥有',
  spending_stopped: '已停止花费；"svcd stop-spending --lift" 重新允许',
  upstream_failure: '远程服务出错',
  unsettled: '尚不清楚之前的一次购买是否已扣费；见 "svcd purchases"',
};

export const reasonWords = wordsIn<typeof en>({ en, zh });
