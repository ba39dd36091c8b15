// Words of a copy that say nothing about its scene, though a sticker's title or keyword may be spelled the same.

const STOP_WORDS = new Set(
  `我的 你的 您的 他的 她的 它的 好的 上下 和 与 或 请 别 此 为 哦 噢 嗯 哟 呦 一 不 也 了 人 他 们 会 但 你 个 么 之 于 什 从 以 但 作 你 使 便 候 先 再 出 到 前 半 单 即 却 又 及 只 可 各 同 后 向 吗 吧 呀 呢 咱 哪 啦
   啊 嘛 因 在 地 多 大 她 好 如 它 对 将 小 就 已 并 年 得 很 性 总 想 我 所 才 把 按 新 无 日 时 是 最 有 来 每 比 没 点 然 用 由 的 着 等 给 而 能 自
   若 被 要 让 该 说 谁 起 跟 过 近 这 进 还 那 部 都 里 非 面 下 上 中 内 外 左 右 看 做 去 走 开 关 天 月 号 次 种 些 位 款 元 块 第 更 太 真 全 本 叫
   成 加 分 合 行 见 道 长 高 低 老 少 早 晚 快 慢 打 放 回 家 头 面 口 手 心 事 发 生 动 定 正 当 两 三 四 五 六 七 八 九 十 百 千 万
   一个 一些 一下 一样 一起 一直 一定 一种 不是 不会 不能 不要 不用 不同 不过 不仅 与其 为了 为什么 之后 之前 也是 于是 什么 今后 他们 以及 以后 以前 任何
   但是 你们 使用 例如 其中 其他 其实 具有 别人 别的 即使 只是 只有 只要 可以 可能 各种 同时 后来 哪里 哪些 哪个 因为 因此 如何 如果 它们 对于 就是 尤其 已经
   并且 应该 怎么 怎样 我们 或者 所以 所有 所谓 才能 方便 方式 是否 最后 有些 有的 本身 来说 根据 此外 每个 每次 比如 比较 没有 然后 特别 现在 甚至 由于 的话
   看到 真的 知道 等等 结果 继续 而且 自己 虽然 觉得 认为 许多 起来 还是 还有 这个 这些 这样 这种 这里 通过 进行 那个 那些 那么 那样 那里 都是 里面 非常 需要
   并不 之间 一切 大家 部分 左右 其它 上面 下面 里边 前面 后面 东西 时候 问题 情况 内容 能够 出来 出现 开始 成为 得到 表示 要求 属于 关于 包括 有关 相关 正在 随时 完全
   the a an and or of to in on for is are be it this that with as at by from you your we our i my not can will`.split(
    /\s+/,
  ),
);

/** Whether a normalised word is left out of a copy's scene words; explicit keywords are never asked. */
export function isStopWord(word: string): boolean {
  return STOP_WORDS.has(word);
}
