// Which pictures people put beside words more than all others: faces, hearts and hands in talk, signs and tools in cards,
// lists and headlines, red envelopes and coupons in offers. By what they are called; what that is worth is for whoever ranks.

import { documentOf, fieldsOf, IN_TITLE, type CompiledIndex } from '../search-index/compiled-index.js';
import { WHOLE_MARK } from '../language/tokenise.js';

const USUAL = `
   笑哭了 红心 笑得满地打滚 拇指向上 放声大哭 双手合十 飞吻 喜笑颜开 花痴 羞涩微笑 拉炮彩带 嘻嘻 两颗心 恳求的脸 苦笑 火焰 微笑 捂脸 耸肩 翻白眼 斜眼笑 抱抱 眨眼 生日蛋糕 想一想 鼓掌 呵呵 脸红
   聚会笑脸 墨镜笑脸 紫心 沉思 肌肉 闪亮 闪亮的心 双眼 好吃 得意 哭 反手食指向右指 搏动的心 累死了 一百分 玫瑰 舞动的心 气球 蓝心 哈哈 怒火中烧 花束 单眼吐舌 非礼勿视 交叉的手指 大笑 流口水 举双手 滑稽
   心叹号 嘿嘿 唇印 头骨 反手食指向下指 心碎 松了口气 心跳 好崇拜哦 倒脸 龇牙咧嘴 吓死了 睡着了 不说 冷漠 微笑的太阳 不高兴 微笑天使 樱花 恶魔微笑 多个音符 胜利手势 五彩纸屑球 脸发烧 失望 绿心 太阳 黑心
   钱袋 羞涩亲亲 皇冠 礼物 爆炸 举手 不满 无语 头昏眼花 反手食指向左指 大便
   勾号按钮 火箭 灯泡 图钉 圆图钉 备忘录 书 打开的书本 笔记本电脑 手机 台式电脑 机器人 脑 高压 闪亮的星星 星星 正中靶心的飞镖 趋势向上的图表 条形图 趋势向下的图表 日历 闹钟 沙正往下流的沙漏
   左斜的放大镜 右斜的放大镜 扳手 锤子与扳手 齿轮 合上的锁 钥匙 盾牌 警告 红色感叹号 红色问号 叉号 禁止 话语气泡 喇叭 扩音器 铃铛 电子邮件 电话听筒 相机 电影摄影机 场记板 调色盘 音符 耳机 游戏手柄 奖杯
   金牌 奖牌 毕业帽 铅笔 笔 回形针 链接 索引分隔文件夹 文件夹 打开的文件夹 文件 带卷边的页面 剪贴板 垃圾桶 软盘 包裹 汽车 飞机 房子 办公楼 地球上的欧洲非洲 带经纬线的地球 彩虹 幼苗 药草 四叶草 落叶树
   浪花 热饮 咖啡杯 面条 米饭 汉堡 披萨 红苹果 狗脸 猫脸 熊猫 狐狸 足球 篮球 跑步者 盘腿的人 公文包 信用卡 长翅膀的钱 美元 购物车 购物袋 医院 药丸 听诊器 注射器 显微镜 试管 弯月 宝石 小宝贝
  红包 优惠券 vip 烟花 爆竹 灯笼`
  .trim()
  .split(/\s+/);

/** A byte for each document: 1 for those called so, a number behind it or not. What came to the index since its making has none. */
export function markUsual(index: CompiledIndex): Uint8Array {
  const names = countNames(index);
  const titles = new Set<number>();
  for (const title of USUAL) {
    index.forEachPosting(index.find(WHOLE_MARK + title), (document, fields) => {
      if ((fields & IN_TITLE) !== 0 && names[document] === 1) titles.add(index.titleOf(document));
    });
  }
  const marks = new Uint8Array(index.capacity);
  for (let document = 0; document < index.size; document++)
    if (titles.has(index.titleOf(document))) marks[document] = 1;
  return marks;
}

// A title with a colon has its parts for names too: a variant of what is usual is not.
function countNames({ terms, arrays, capacity }: CompiledIndex): Uint8Array {
  const { starts, postings } = arrays;
  const counts = new Uint8Array(capacity);
  const [from, to] = terms.range(WHOLE_MARK);
  for (let i = starts[from]!; i < starts[to]!; i++)
    if ((fieldsOf(postings[i]!) & IN_TITLE) !== 0) counts[documentOf(postings[i]!)]!++;
  return counts;
}
