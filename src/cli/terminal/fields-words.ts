// Labels of what the service says about an account. Its document shows some fields; others get their own name in words.

import { wordsIn } from './language.js';

const en = {
  /** By the path of the field. */
  labels: {
    'key.kind': 'kind of Key',
    'key.status': 'state of the Key',
    'key.limits.per_request': 'limit of the Key per request',
    'key.limits.daily': 'limit of the Key per day',
    'key.limits.monthly': 'limit of the Key per month',
    'key.permissions': 'permissions of the Key',
    'key.monthly_cap': 'limit of the Key per month',
    'key.monthly_remaining': 'left of it this month',
    balance: 'balance of the account',
    pending_credits: 'credits that are not released yet',
  } as Readonly<Record<string, string>>,
  numbered: (number: number) => `no. ${number}`,
  join: (parts: readonly string[]) => parts.join(', '),
  none: 'none',
  noLimit: 'no limit',
  yes: 'yes',
  no: 'no',
  values: {} as Readonly<Record<string, string>>,
};

const zh: typeof en = {
  labels: {
    'key.kind': 'Key 的种类',
    'key.status': 'Key 的状态',
    'key.limits.per_request': 'Key 每次请求的上限',
    'key.limits.daily': 'Key 每天的上限',
    'key.limits.monthly': 'Key 每月的上限',
    'key.permissions': 'Key 的权限',
    'key.monthly_cap': 'Key 每月的上限',
    'key.monthly_remaining': '本月剩余',
    balance: '账户余额',
    pending_credits: '尚未发放的积分',
  },
  numbered: (number) => `第 ${number} 项`,
  join: (parts) => parts.join('，'),
  none: '无',
  noLimit: '不限',
  yes: '是',
  no: '否',
  values: {
    general: '通用',
    package: '模板包',
    active: '有效',
    disabled: '已停用',
    available: '可用',
    beta: '测试版',
    planned: '计划中',
  },
};

export const fieldWords = wordsIn<typeof en>({ en, zh });
