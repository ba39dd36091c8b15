// Words of Taiwan and what the mainland says for them, both in simplified characters, from OpenCC's phrases.

import { foldTraditional } from '../../../src/library/language/fold-traditional.js';
import { readJiebaWords } from '../../frequency/build/jieba-words.js';
import { readDictionary } from '../../traditional/build/opencc.js';

/** Both sides are ordinary words then, and no names of chemistry or programming. */
const LEAST_COMMON = 30;
/** Read by hand and left out: on the mainland the word on the left is another thing, or the pair is for programmers. */
const REFUSED = new Set(
  `桌布 指标 文件 档案 尼日 狮子山 核心 通道 模拟 呼叫 宣告 启用 程序 物件 登录档 支援 撷取 汇入 汇出 批次 效能 向量 例项 片语 预设
   迦纳 卡达 贝南 永珍 尤拉 莱雅 宝侨 堆叠 字首 字尾 区域性 全域性 多工 映象 映射 即时 释出 遮蔽 序列 引数 建立 元件 型别 栏位 运算子 运算元 子音 母音
   执行 检视 埠 过载 递回 位元 位元组 字元 字串 阵列 伫列 变数 函式 专案 排程 丛集 整合 内建 相容 远端 低阶 高阶 溢位 回圈 回拨 布林 机率 泡面 金钥 稽核
   系结 分割槽 许可权 除错 调变 进位制 表示式 对映 闸道器 正子 原始码 指令码 组合语言 命令列 资料来源 结束通话 重灌 缩排 智慧 复制 查询 储存 互动 点选 叮当 摄护腺 签帐金融卡 暂存器 正规表示式 傅立叶 闸流体 三极体 二极体`.split(
    /\s+/,
  ),
);

/** Entries, in the order of their characters. */
export function regionalLines(): string[] {
  const counts = readJiebaWords();
  const lines: string[] = [];
  for (const [mainland, regional] of readDictionary('TWPhrases')) {
    const [left, right] = [foldTraditional(regional), foldTraditional(mainland)];
    if (left === right || left.length < 2 || right.length < 2 || REFUSED.has(left)) continue;
    if ((counts.get(right) ?? 0) >= LEAST_COMMON) lines.push(`${left} > ${right}`);
  }
  return [...new Set(lines)].toSorted();
}
