// Which parts of a copy are said not to be so: 不要蛋糕 is not about cake. What that costs a word is for keyword-extraction.ts.

export interface Span {
  readonly start: number;
  readonly end: number;
}

/** What negates what follows. */
const NEGATIONS = words(`
  不要 不用 不必 不需要 不想 不想要 不能 不可 不可以 不会 不再 不再有 不是 不含 不加 不带 不吃 不喝 不买 不去 不做 不看 不用再
  不许 不准 不得 不该 不应 不应该 不愿 不肯 不敢 不让 不爱 不喜欢 不适合 不建议 不推荐 不包括 不包含 不提供 不支持
  没有 没 没了 没得 没去 没买 没吃 没带 并非 绝非 毫无 无需 无须 无 未 未必 从未 从不 从来不 从来没 从来没有 绝不 决不 毫不 并不 也不 都不
  勿 请勿 切勿 别 别再 别去 别买 别吃 别做 莫 休要 甭 禁止 严禁 拒绝 谢绝 杜绝 避免 远离 告别 摆脱 戒掉 取代 代替 抛弃 而不是 而非 除了不
  零添加 0添加`);

/** What looks like one and is none, or is taken back: 别墅, 不倒翁; 不仅, 不要错过, 不能不. */
const FALSE_FRIENDS = words(`
  别墅 别人 别的 别致 别针 别名 别具 别样 别提多 别有 别来无恙 别扭 别处 别动队 别克 特别 区别 个别 性别 分别 级别 类别 鉴别 离别 送别 差别 辨别 识别 久别 派别
  别忘 别错过 别犹豫 别客气 别担心 别着急 别急 别慌 别怕 别说 别看 别走开 别眨眼 别吵
  不倒翁 不锈钢 不夜城 不动产 不得了 不得不 不错 不断 不停 不久 不愧 不妨 不禁 不由 不止 不仅 不但 不只 不光 不单 不论 不管 不同 不一样 不一般 不如 不过 不凡 不俗 不少
  不已 不息 不懈 不屈 不朽 不二 不一会 不时 不觉 不知不觉 不约而同 不可思议 不可或缺 不可不 不可多得 不容错过 不见不散 不醉不归 不好意思 不离不弃 不负 不慌不忙
  不要错过 不要犹豫 不要忘 不要担心 不要着急 不要客气 不要停 不要走开 不能不 不能错过 不能少 不想错过 不会错过 不会错 不用担心 不用愁 不用怕 不用客气 不用谢 不是吗 不是不
  对不起 了不起 差不多 说不定 忍不住 停不下来 少不了 离不开 免不了 舍不得 巴不得 恨不得 怪不得 来不及 看不够 吃不腻 挡不住 受不了 好不好 是不是 要不要 能不能 会不会 有没有 想不想 去不去 行不行
  没错 没事 没事儿 没关系 没问题 没想到 没完没了 没准 没收 没落 没什么比 没有什么比 没有比 没有人不 没有不 没人不 没大没小 淹没 出没 埋没 沉没 吞没 隐没 泯没 神出鬼没
  无限 无敌 无线 无论 无比 无数 无人机 无线电 无语 无聊 无奈 无穷 无尽 无花果 无双 无所谓 无忧 无忧无虑 无微不至 无时无刻 无处不在 无处不 无不 无非 无疑 无形 无穷大 无烟煤 无名指 无锡 无间道 无极 全无敌 毫无疑问
  未来 未婚 未婚妻 未婚夫 未免 未成年 未央 未知 未名湖 勿忘我 勿忘草 勿念 莫非 莫名 莫过于 莫斯科 莫兰迪 莫代尔 莫奈 莫愁 莫扎特 茉莉 休闲`);

/** Where what was negated is over: 没有蜡烛的生日 is about a birthday, 不是面包而是蛋糕 about cake. */
const TURNS = words(
  `而是 但是 但 可是 却 只要 只有 只需 就是 就能 就可以 就会 也能 也要 也可以 也会 而要 要的是 反而 才是 才能 的话 的 直接 轻松 让你 还你 选择 换成 改成 改为 其实 因为`,
);
/** Nothing else begins a word of either list: most of a copy is passed over. */
const BEGINNINGS = new Set(Array.from([...NEGATIONS.keys(), ...FALSE_FRIENDS.keys()], (first) => first.charCodeAt(0)));
const CLAUSE_ENDS = /[\s，。！？；：、,.!?;:~～…—\-()（）【】「」“”"|/]/;
/** No negation reaches further. */
const MAX_SPAN = 12;
/** 无糖可乐 is cola all the same. */
const MAX_SPAN_OF: Readonly<Record<string, number>> = {
  无: 2,
  毫无: 2,
  无需: 6,
  无须: 6,
  未: 3,
  零添加: 4,
  '0添加': 4,
};

/** The negated parts of a normalised copy, in order and apart: what follows a negation, to the end of its clause or a turn. */
export function findNegated(copy: string): Span[] {
  const found: Span[] = [];
  for (let at = 0; at < copy.length;) {
    if (!BEGINNINGS.has(copy.charCodeAt(at))) {
      at++;
      continue;
    }
    const friend = wordAt(copy, at, FALSE_FRIENDS);
    const negation = wordAt(copy, at, NEGATIONS);
    if (negation > friend) {
      const start = at + negation;
      const end = endOfClause(copy, start, MAX_SPAN_OF[copy.slice(at, start)] ?? MAX_SPAN);
      if (end > start) found.push({ start, end });
      at = Math.max(end, start);
    } else at += Math.max(1, friend);
  }
  return found;
}

function endOfClause(copy: string, from: number, longest: number): number {
  const most = Math.min(copy.length, from + longest);
  let at = from;
  while (at < most && !CLAUSE_ENDS.test(copy[at]!) && (at === from || wordAt(copy, at, TURNS) === 0)) at++;
  return at;
}

/** Length of the longest of these words that stands here; 0 for none. */
function wordAt(copy: string, at: number, among: ReadonlyMap<string, readonly string[]>): number {
  const candidates = among.get(copy[at]!);
  return candidates?.find((word) => copy.startsWith(word, at))?.length ?? 0;
}

/** The words by their first character, longest first. */
function words(list: string): ReadonlyMap<string, readonly string[]> {
  const byFirst = new Map<string, string[]>();
  for (const word of list.trim().split(/\s+/)) byFirst.set(word[0]!, [...(byFirst.get(word[0]!) ?? []), word]);
  for (const group of byFirst.values()) group.sort((a, b) => b.length - a.length);
  return byFirst;
}
