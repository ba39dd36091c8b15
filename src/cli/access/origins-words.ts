// What svcd config origins says.

import { wordsIn } from '../terminal/language.js';

const en = {
  none: 'Only svcd\'s own web pages may use it. "svcd config origins add http://localhost:3000" allows those of another origin.',
  spoofable: 'Warning: without https, anyone who controls the network can pretend to be this origin.',
  list: 'List the origins whose pages may use svcd.',
  listExample: 'the allowed origins',
  add: 'Allow the pages of an origin to use svcd, at once.',
  addExample: 'for pages you develop there',
  remove: 'Refuse the pages of an origin again, at once.',
  removeExample: 'its pages are refused again',
  removed: (origin: string) => `Pages of ${origin} may no longer use svcd.`,
  added: (origin: string) => `Pages of ${origin} may search, match and use owned stickers from now on.`,
  needToken: 'To spend or to see the account they need the local token.',
};

const zh: typeof en = {
  none: '只有 svcd 自己的网页可以使用它。"svcd config origins add http://localhost:3000"允许另一个来源的网页。',
  spoofable: '警告：没有 https，控制网络的人可以冒充这个来源。',
  list: '列出网页可以使用 svcd 的来源。',
  listExample: '允许的来源',
  add: '立即允许一个来源的网页使用 svcd。',
  addExample: '用于您在那里开发的网页',
  remove: '立即重新拒绝一个来源的网页。',
  removeExample: '它的网页又被拒绝',
  removed: (origin) => `${origin} 的网页不能再使用 svcd。`,
  added: (origin) => `${origin} 的网页从现在起可以搜索、匹配和使用已拥有的贴纸。`,
  needToken: '要花费积分或查看账户，它们需要本机令牌。',
};

export const originsWords = wordsIn<typeof en>({ en, zh });
