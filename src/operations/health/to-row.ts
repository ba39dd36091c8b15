// A finding as a row of GET /svcd/health: its words, and what to do, in one language.

import type { HealthRow, Language } from '../../api/health.js';
import type { Finding } from './finding.js';
import { type Sentence, SENTENCES } from './words.js';

/** What `@NAME` as a value of a finding stands for. */
const VALUES: Readonly<Record<string, Sentence>> = {
  // Where the Key comes from.
  environment: ['from SERVICE_API_KEY', '来自 SERVICE_API_KEY'],
  key_file: ['from your key file', '来自您的 Key 文件'],
  keychain: ['from the OS keychain', '来自系统钥匙串'],
  package: ["from the template package's service.key.json", '来自模板包的 service.key.json'],
  none: ['from nowhere', '没有来源'],
  taken: ['the service takes it', '远程服务接受它'],
  untried: ['the service was not asked', '没有询问远程服务'],
  // Why a Key or a keychain is not needed.
  key_is_there: ['the Key comes from elsewhere', 'Key 另有来源'],
  at_hub: ['the hub has the Key', 'Key 在集线器上'],
  of_sandbox: ['the sandbox has a Key of its own', '沙盒有自己的 Key'],
  no_remote: ['no remote is configured', '没有配置远程服务'],
  // What a keychain says, and how it is opened.
  found: ['it holds a Key for this remote', '存有此远程服务的 Key'],
  empty: ['it works, and holds no Key for this remote', '可用，没有此远程服务的 Key'],
  locked: ['it is locked, or has no keyring yet', '已锁定，或还没有钥匙串'],
  no_service: [
    'it has no keyring service to talk to, as is usual on servers and in containers',
    '没有运行钥匙串服务，这在服务器和容器中很常见',
  ],
  no_module: ['a module or its system library is missing', '缺少模块或其系统库'],
  no_answer: [
    'it does not answer: its keyring service hangs, or waits for a password',
    '没有回答：钥匙串服务卡住了，或在等待密码',
  ],
  unlock: ['Unlock it: log in to the desktop, or open its password program.', '请解锁：登录桌面，或打开其密码程序。'],
  find_dialog: [
    'Look for a password dialog, or restart the keyring service.',
    '请找一找密码对话框，或重启钥匙串服务。',
  ],
  port_own: ["svcd's", '由 svcd 使用'],
  port_free: ['free', '空闲'],
  any_port: ['any', '任意端口'],
  ahead: ['ahead of', '快'],
  behind: ['behind', '慢'],
  the_service: ['the service', '远程服务'],
  the_command: ['the command', '此命令'],
  same_request: [
    'the same request with the header "X-Svcd-Allow-Repay: 1"',
    '用带有"X-Svcd-Allow-Repay: 1"头的相同请求',
  ],
  never: ['never', '从未'],
  hub_restarts: [
    'Restart the hub: it makes a new one of the same key, and machines know it again.',
    '请重启集线器：它会用同一密钥生成新证书，各机器仍认得它。',
  ],
  hub_renews: [
    'Renew it with the same private key, or machines have to join again; then restart the hub.',
    '请用同一私钥续期，否则各机器须重新加入；然后重启集线器。',
  ],
  raise_limit: ['Raise its limit at the service, or store another.', '请在远程服务提高它的限额，或保存另一个。'],
  enable_key: ['Enable it at the service, or store another.', '请在远程服务启用它，或保存另一个。'],
};

/** A finding in words. A line about what to do whose value is empty is left out. */
export function toRow({ name, code, status, values, command }: Finding, language: Language): HealthRow {
  const at = language === 'zh' ? 1 : 0;
  const inWords = (value: string | number = '') =>
    (typeof value === 'string' && value.startsWith('@') ? VALUES[value.slice(1)]?.[at] : undefined) ?? String(value);
  const fill = (line: string) => line.replace(/\{(\d)\}/g, (_, number: string) => inWords(values[Number(number)]));
  const isWhole = (line: string) => [...line.matchAll(/\{(\d)\}/g)].every(([, n]) => inWords(values[Number(n)]) !== '');
  const [words = '', ...rest] = SENTENCES[code][at].split('\n');
  const hint = rest
    .filter(isWhole)
    .map(fill)
    .join(at === 1 ? '' : ' ');
  return { name, code, status, words: fill(words), hint: hint === '' ? null : hint, command: command ?? null };
}
