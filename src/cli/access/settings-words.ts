// What each setting is for. The English sentences stand with the settings (config/), whose documentation is made of them.

import type { Setting } from '../../config/settings.js';
import { wordsIn } from '../terminal/language.js';

interface SettingWords {
  what(setting: Setting): string;
  /** Its default, as a person reads it. */
  fallback(setting: Setting): string;
}

const WHAT: Readonly<Record<Setting['name'], string>> = {
  home: 'svcd 的数据目录。',
  port: '127.0.0.1 和 ::1 上的端口；0 表示由系统选择。',
  remote: '远程服务的地址：https，或本机上的 http。',
  sandbox: '运行内置沙盒，并用它作为远程服务。',
  proxy: 'https 远程服务所用的代理，如 http://proxy.example.com:3128；direct 表示不用。',
  caFile: '除系统之外还信任的证书文件（PEM），如代理自己的证书。',
  offline: '从不连接远程服务。',
  deadlineMs: '请求贴纸时最多等多少毫秒，之后改用替代素材。',
  imageDeadlineMs: '请求图片时最多等多少毫秒，之后改用替代素材。',
  fallback: '素材不可用时提供替代素材；false 表示报错。',
  whenNothingFits: '没有合适的替代素材时用什么：plain（灰色）、transparent（空白）或 error（报错）。',
  maxFileBytes: '从远程服务接收的贴纸或图片最大多少字节。',
  form: '提供的贴纸形式：as-bought（原样），或 safe（不含代码，不从网络加载）。',
  project: '集线器上为此机器的购买付费的项目。',
  cacheLimit: '本机最多保留多少 MB 来自集线器的文件；最久未用的先移除。',
  backgroundSync: '在后台用免费请求从远程服务填充素材库；需要 Key。',
  syncShare: '填充素材库最多占用远程服务每分钟 120 个请求的百分之几。',
  timeZone: '预算按此时区计算日和月，如 Asia/Shanghai。',
  trustLoopback: '允许没有令牌的本地程序花费您的积分。',
  keyFile: '保存 Key 的文件，权限 0600，用于没有系统钥匙串的机器。',
  package: '模板包（文件夹或 .motion）：没有其他 Key 时使用其中的 service.key.json。',
  folder: '页面把文件放入的文件夹，供剪辑软件使用。',
  hubListen: '作为集线器：在此 HOST:PORT 接受机器（"svcd hub start"）。',
  hubPublicUrl: '机器访问集线器所用的 https 地址，多个用逗号分隔。',
  hubIdentity: '集线器证书和收据密钥所在的文件夹，多个集线器可共用。',
  hubTlsCert: '集线器的证书（PEM），代替 svcd 自己生成的。',
  hubTlsKey: '该证书的私钥（PEM）。',
  hubReceiptKey: '签署收据的私钥（Ed25519，PEM）。',
  hubDatabase: '集线器存放购买记录的 PostgreSQL：postgres://USER:PASSWORD@HOST:5432/NAME，多个主机用逗号分隔。',
  hubDatabaseOwner: '同上，但使用可以建表的用户（如果不是同一个用户）。',
  hubAcceptAsynchronous: '即使数据库的备用机滞后（切换后会丢失购买记录）也启动集线器。',
  registerProductions: '是否把所用模板告知远程服务：ask（在终端问一次）、always 或 never。',
};

const FALLBACKS: Readonly<Record<string, string>> = {
  none: '无',
  "the system's data folder for svcd": '系统中 svcd 的数据文件夹',
  "the system's": '系统时区',
  'no limit': '无限制',
  "the machine's first": '机器的第一个项目',
  'hub in the home': '数据目录中的 hub',
  'that of HTTPS_PROXY': 'HTTPS_PROXY 的值',
};

const en: SettingWords = { what: ({ what }) => what, fallback: ({ fallback }) => fallback };

const zh: SettingWords = {
  what: ({ name }) => WHAT[name],
  fallback: ({ fallback }) => FALLBACKS[fallback] ?? fallback,
};

export const settingWords = wordsIn<SettingWords>({ en, zh });
