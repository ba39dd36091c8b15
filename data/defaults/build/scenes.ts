// The scenes of the default pack: for each a drawing, a title, the words that occur in copy about it, and,
// where the general choice would not do, a motion. Sets with an attribution clause are not used here.

import type { MotionName } from '../../catalogue/build/motions.js';
import { readFurtherScenes } from './further-scenes.js';

/** A default sticker to be; `set` is that of its drawing, `svcd` for the original ones. */
export interface Scene {
  name: string;
  title: string;
  keywords: string[];
  set: string;
  art: string;
  motion: MotionName | undefined;
  /** Of drawing and text; that of the drawing when not given. */
  licence?: string;
}

// name | title | keywords | drawing (of Fluent, or set/drawing) | motion
const TABLE = `
birthday-cake | 生日蛋糕 | 生日 生日快乐 蛋糕 庆生 过生日 寿星 吹蜡烛 许愿 生日派对 | birthday-cake | tada
wedding | 婚礼 | 婚礼 结婚 新婚 婚庆 喜事 新娘 新郎 教堂 办喜酒 | wedding | tada
wedding-ring | 求婚戒指 | 戒指 求婚 订婚 钻戒 结婚 嫁给我 婚戒 誓言 | ring | twinkle
sale | 大促销 | 促销 大促 打折 折扣 优惠 特价 降价 清仓 限时抢购 双十一 | svcd/sale | tada
coupon | 优惠券 | 优惠券 满减 代金券 领券 折扣券 抵扣 券 红包券 省钱 | svcd/coupon | jelly
countdown | 倒计时 | 倒计时 最后三天 限时 倒数 三二一 截止 马上开始 即将 | svcd/countdown | beat
hourglass | 沙漏 | 时间 等待 沙漏 抓紧 来不及 流逝 耐心 | hourglass-not-done | turnover
rain | 下雨 | 下雨 雨天 大雨 小雨 暴雨 梅雨 天气 淋雨 | cloud-with-rain | rain
umbrella | 雨伞 | 雨伞 打伞 下雨 遮雨 出门 带伞 | umbrella | sway
money-bag | 钱袋 | 钱 赚钱 财富 收入 暴富 资金 存钱 理财 发财 工资 | money-bag | bounce
red-envelope | 红包 | 红包 发红包 抢红包 压岁钱 恭喜发财 利是 拜年 礼金 | red-envelope | tada
coin | 金币 | 金币 硬币 积分 零钱 现金 返现 赚 | coin | flip
credit-card | 银行卡 | 银行卡 支付 刷卡 付款 信用卡 买单 分期 | credit-card | flip
applause | 鼓掌 | 鼓掌 掌声 拍手 喝彩 叫好 精彩 欢呼 | clapping-hands | clap
arrow-right | 向右箭头 | 箭头 右 向右 下一步 往右看 前进 继续 右滑 | svcd/arrow-right | slide-right
arrow-left | 向左箭头 | 箭头 左 向左 上一步 返回 往左看 左滑 | svcd/arrow-left | slide-left
arrow-up | 向上箭头 | 箭头 上 向上 上升 提升 增加 涨 上滑 | svcd/arrow-up | slide-up
arrow-down | 向下箭头 | 箭头 下 向下 下降 降低 点击下方 看下面 下滑 链接在下面 | svcd/arrow-down | slide-down
question | 问号 | 问号 疑问 为什么 问题 怎么办 什么 提问 不懂 | red-question-mark | tilt
exclamation | 感叹号 | 感叹号 注意 重要 重点 提醒 惊叹 强调 划重点 | red-exclamation-mark | shake
warning | 警告 | 警告 危险 注意 小心 当心 警示 避坑 风险 | warning | shake
heart | 爱心 | 爱心 爱 喜欢 心动 比心 红心 爱你 表白 | red-heart | beat
broken-heart | 心碎 | 心碎 分手 失恋 伤心 难过 破碎 | broken-heart | shake
thumbs-up | 点赞 | 点赞 赞 厉害 优秀 好评 真棒 支持 一键三连 | thumbs-up | wave
star | 星星 | 星星 五星 收藏 评分 明星 好评 闪亮 | glowing-star | twinkle
sparkles | 闪光 | 闪光 闪闪 亮晶晶 崭新 魔法 惊艳 高级感 | sparkles | twinkle
fireworks | 烟花 | 烟花 烟火 庆祝 节日 跨年 新年 绽放 放烟花 | fireworks | burst
firecracker | 鞭炮 | 鞭炮 爆竹 过年 春节 除夕 放炮 喜庆 | firecracker | shake
party | 庆祝 | 庆祝 派对 彩带 恭喜 撒花 狂欢 聚会 开业 | party-popper | tada
gift | 礼物 | 礼物 礼盒 送礼 惊喜 赠品 抽奖 福利 拆礼物 | wrapped-gift | tada
balloon | 气球 | 气球 派对 生日 飘 儿童节 装饰 | balloon | float
music | 音乐 | 音乐 歌 唱歌 听歌 旋律 音符 背景音乐 歌曲 | musical-notes | dance
fire | 火焰 | 火 火焰 热门 爆款 火爆 燃 热销 热点 着火 | fire | flicker
trophy | 奖杯 | 奖杯 冠军 第一名 获奖 胜利 比赛 夺冠 荣誉 | trophy | tada
medal | 金牌 | 金牌 第一 冠军 奖牌 排名 榜首 优胜 | 1st-place-medal | pendulum
clock | 闹钟 | 闹钟 时钟 时间 起床 几点 早起 准时 提醒 | alarm-clock | ring
calendar | 日历 | 日历 日期 日程 计划 安排 星期 今天 打卡 | spiral-calendar | flip
shopping-cart | 购物车 | 购物车 加购 下单 买 小黄车 网购 剁手 购物 | shopping-cart | slide-right
shopping-bags | 购物袋 | 购物 逛街 买买买 好物 种草 战利品 商场 | shopping-bags | pendulum
parcel | 包裹 | 快递 包裹 开箱 收货 发货 包邮 拆快递 箱子 | package | hop
delivery-truck | 快递车 | 物流 快递 送货 运输 配送 货车 发货 次日达 | delivery-truck | drive
mobile-phone | 手机 | 手机 屏幕 刷手机 打电话 下载 应用 数码 扫码 | mobile-phone | ring
laptop | 电脑 | 电脑 笔记本 办公 上班 编程 工作 加班 | laptop | press
email | 邮件 | 邮件 信 邮箱 来信 投稿 信封 通知 写信 | envelope | float
telephone | 电话 | 电话 打电话 联系 客服 来电 热线 咨询 | telephone-receiver | ring
location | 定位 | 定位 地址 位置 在哪里 地点 导航 打卡地 门店 | round-pushpin | bounce
search | 搜索 | 搜索 查找 放大镜 寻找 搜一搜 找 查询 探索 | magnifying-glass-tilted-left | orbit
settings | 设置 | 设置 齿轮 配置 选项 调整 机械 系统 | gear | spin
check | 勾选 | 对勾 勾选 正确 完成 通过 确认 可以 成功 | check-mark-button | pop
cross | 错误 | 错 叉 错误 不行 不要 失败 取消 禁止 | cross-mark | shake
loading | 加载中 | 加载 加载中 等待 转圈 缓冲 稍等 载入 | svcd/loading | spin
speech | 对话气泡 | 对话 聊天 说话 评论 留言 气泡 消息 弹幕 | svcd/speech | float
smile | 微笑 | 微笑 开心 高兴 快乐 笑 笑脸 幸福 | smiling-face-with-smiling-eyes | nod
laugh | 大笑 | 大笑 哈哈 笑哭 搞笑 好笑 笑死 段子 | face-with-tears-of-joy | laugh
cry | 大哭 | 哭 大哭 伤心 难过 流泪 委屈 眼泪 | loudly-crying-face | droop
angry | 生气 | 生气 愤怒 发火 气死 怒 不爽 吐槽 | pouting-face | shake
surprised | 惊讶 | 惊讶 震惊 哇 吃惊 没想到 天哪 居然 | astonished-face | nod
thinking | 思考 | 思考 想 疑惑 琢磨 考虑 纠结 想一想 | thinking-face | tilt
love-eyes | 花痴 | 花痴 喜欢 心动 迷人 好看 爱了 颜值 | smiling-face-with-heart-eyes | beat
sleep | 睡觉 | 睡觉 困 晚安 失眠 睡眠 休息 做梦 | sleeping-face | breathe
muscle | 加油 | 加油 肌肉 力量 努力 健身 坚持 奋斗 强壮 | flexed-biceps | wave
handshake | 握手 | 握手 合作 成交 伙伴 签约 共赢 你好 | handshake | clap
thanks | 感谢 | 感谢 谢谢 拜托 祈祷 双手合十 祝福 感恩 | folded-hands | nod
hello | 打招呼 | 你好 挥手 再见 大家好 嗨 拜拜 哈喽 | waving-hand | wave
coffee | 咖啡 | 咖啡 提神 早安 下午茶 热饮 喝咖啡 咖啡店 | hot-beverage | tilt
noodles | 美食 | 美食 面条 好吃 吃饭 拉面 餐厅 探店 干饭 | steaming-bowl | jelly
hamburger | 汉堡 | 汉堡 快餐 外卖 炸鸡 好吃 美食 吃货 | hamburger | jelly
dumpling | 饺子 | 饺子 包饺子 冬至 年夜饭 北方 中餐 面食 | dumpling | jelly
milk-tea | 奶茶 | 奶茶 珍珠奶茶 饮料 下午茶 喝 秋天第一杯 | bubble-tea | tilt
apple | 苹果 | 苹果 水果 新鲜 健康 维生素 平安夜 果园 | red-apple | jelly
watermelon | 西瓜 | 西瓜 水果 夏天 吃瓜 解暑 清凉 | watermelon | sway
strawberry | 草莓 | 草莓 水果 甜 采摘 新鲜 果酱 | strawberry | jelly
dessert | 小蛋糕 | 蛋糕 甜点 甜品 下午茶 烘焙 奶油 草莓蛋糕 | shortcake | jelly
cheers | 啤酒干杯 | 干杯 啤酒 喝酒 聚会 庆祝 夜宵 酒 烧烤 | clinking-beer-mugs | tilt
sun | 太阳 | 太阳 晴天 阳光 夏天 早安 炎热 防晒 天气 | sun | spin
moon | 月亮 | 月亮 夜晚 晚安 月色 夜 睡前 | crescent-moon | sway
cloud | 云 | 云 多云 天空 阴天 云朵 天气 云端 | svcd/cloud | drift
rainbow | 彩虹 | 彩虹 雨后 希望 美好 七彩 天空 | rainbow | glow
snowflake | 雪花 | 雪花 下雪 冬天 寒冷 降温 雪景 冷 | snowflake | flutter
leaf | 落叶 | 树叶 落叶 秋天 枫叶 秋 叶子 凉爽 | fallen-leaf | flutter
sprout | 发芽 | 发芽 成长 春天 种子 环保 绿色 生机 植物 | seedling | grow
flower | 樱花 | 花 樱花 春天 赏花 花开 浪漫 踏青 | cherry-blossom | spin
rose | 玫瑰 | 玫瑰 花 情人节 送花 浪漫 七夕 表白 | rose | sway
bouquet | 花束 | 花束 鲜花 母亲节 送花 祝福 教师节 | bouquet | sway
cat | 猫 | 猫 猫咪 小猫 喵 宠物 撸猫 萌宠 | cat-face | nod
dog | 狗 | 狗 小狗 狗狗 汪 宠物 遛狗 修勾 | dog-face | nod
panda | 熊猫 | 熊猫 大熊猫 国宝 四川 成都 可爱 | panda | hop
car | 汽车 | 汽车 开车 车 自驾 买车 出行 驾驶 | automobile | drive
airplane | 飞机 | 飞机 旅行 旅游 航班 出发 机场 出差 度假 | airplane | fly
train | 高铁 | 高铁 火车 出行 回家 春运 车票 旅途 | high-speed-train | drive
rocket | 火箭 | 火箭 起飞 发射 飞速 增长 创业 航天 冲 | rocket | slide-up-right
bicycle | 自行车 | 自行车 骑车 骑行 单车 低碳 通勤 | bicycle | run
beach | 海滩 | 海滩 度假 大海 海边 沙滩 暑假 旅行 | beach-with-umbrella | sway
football | 足球 | 足球 世界杯 踢球 进球 球赛 体育 | soccer-ball | bounce
basketball | 篮球 | 篮球 投篮 打球 灌篮 球赛 运动 | basketball | bounce
running | 跑步 | 跑步 跑 运动 健身 马拉松 晨跑 减肥 锻炼 | person-running | run
book | 书 | 书 读书 阅读 看书 知识 学习 教材 | open-book | flip
pencil | 铅笔 | 铅笔 写 笔记 写作 考试 画画 作业 | pencil | write
graduation | 毕业 | 毕业 学习 学士帽 大学 高考 录取 学历 上岸 | graduation-cap | tada
idea | 灯泡 | 灯泡 点子 想法 灵感 创意 主意 小技巧 妙招 | light-bulb | glow
house | 房子 | 房子 家 回家 买房 装修 租房 房产 | house | hop
hospital | 医院 | 医院 医疗 看病 医生 体检 健康 挂号 | hospital | breathe
medicine | 药 | 药 吃药 健康 感冒 治疗 胶囊 生病 | pill | tilt
lantern | 春节灯笼 | 灯笼 春节 过年 新年 元宵 红红火火 年味 | red-paper-lantern | pendulum
moon-cake | 中秋月饼 | 月饼 中秋 中秋节 团圆 赏月 八月十五 | moon-cake | spin
christmas-tree | 圣诞树 | 圣诞 圣诞节 圣诞树 平安夜 冬天 礼物 | christmas-tree | sway
flag | 旗帜 | 旗 国庆 红旗 国庆节 目标 爱国 出发 | triangular-flag | flag
growth | 上升图表 | 增长 上升 图表 数据 业绩 涨 趋势 销量 | chart-increasing | slide-up-right
decline | 下降图表 | 下降 下跌 亏损 降 数据 跌 股市 | chart-decreasing | slide-down-right
lock | 锁 | 锁 安全 密码 隐私 保密 加密 锁定 | locked | press
shield | 盾牌 | 安全 保护 防护 保障 盾牌 放心 正品 | shield | breathe
qr-code | 二维码 | 二维码 扫码 扫一扫 加微信 关注 支付 进群 | svcd/qr-code | zoom
live | 直播 | 直播 开播 直播间 正在直播 主播 带货 在线 | svcd/live | blink
video | 摄像机 | 摄像机 视频 拍摄 录像 短视频 拍视频 镜头 | video-camera | blink
camera | 相机 | 相机 拍照 摄影 照片 自拍 写真 出片 | camera | zoom
microphone | 麦克风 | 麦克风 唱歌 采访 主持 录音 演讲 配音 播客 | studio-microphone | dance
megaphone | 喇叭 | 喇叭 通知 公告 宣布 重要通知 广播 号外 | loudspeaker | shake
bell | 铃铛 | 铃铛 提醒 通知 关注 消息 订阅 叮 | bell | swing
crown | 王冠 | 王冠 皇冠 会员 尊贵 国王 女王 排行第一 | crown | tada
hundred | 一百分 | 一百分 满分 百分百 完美 考试 优秀 全对 | hundred-points | pop
target | 目标 | 目标 靶心 精准 命中 计划 重点 达成 | bullseye | zoom
diamond | 钻石 | 钻石 宝石 珠宝 贵重 奢侈 闪耀 会员 | gem-stone | twinkle
lightning | 闪电 | 闪电 快 极速 充电 打雷 秒杀 能量 | high-voltage | shake
earth | 地球 | 地球 世界 全球 环保 国际 旅行 | globe-showing-asia-australia | tilt
game | 游戏 | 游戏 打游戏 电竞 手柄 开黑 通关 | video-game | shake
lipstick | 口红 | 口红 美妆 化妆 护肤 彩妆 美女 变美 | lipstick | twinkle
dress | 连衣裙 | 衣服 裙子 穿搭 时尚 女装 新款 上新 | dress | pendulum
baby | 宝宝 | 宝宝 婴儿 母婴 孩子 育儿 新生儿 宝妈 | baby | nod
hug | 拥抱 | 拥抱 家人 陪伴 温暖 安慰 抱抱 团聚 | people-hugging | breathe
toolbox | 维修工具 | 维修 工具 修理 安装 装修 售后 动手 | hammer-and-wrench | strike
work | 公文包 | 工作 上班 职场 面试 求职 商务 打工人 | briefcase | pendulum
table | 表格 | 表格 表单 网格 报表 数据表 单元格 | svcd/table | press
list | 列表 | 列表 清单 目录 菜单 条目 排序 | svcd/list | press
align | 对齐 | 对齐 排版 段落 布局 缩进 行距 | svcd/align | slide-right
text | 文字 | 文字 文本 字体 标题 输入 排版 | svcd/text | press
database | 数据库 | 数据库 数据 存储 服务器 云存储 备份 | svcd/database | press
code | 代码 | 代码 编程 程序 开发 脚本 源码 | svcd/code | press
layers | 图层 | 图层 叠加 层级 堆叠 蒙版 组合 | svcd/layers | float
pie-chart | 饼图 | 饼图 占比 比例 百分比 统计 份额 | svcd/pie-chart | spin
cursor | 点击 | 点击 光标 鼠标 选择 点按 拖动 | svcd/cursor | press
scan | 扫描框 | 扫描 对焦 聚焦 截图 识别 取景 | svcd/scan | zoom
network | 节点网络 | 节点 网络 连接 关系 分支 结构 流程 | svcd/network | breathe
toggle | 开关 | 开关 切换 打开 关闭 启用 停用 | svcd/toggle | press
browser | 网页 | 网页 浏览器 网站 界面 应用 窗口 | svcd/browser | press
cube | 立方体 | 立方体 方块 模型 三维 立体 几何 | svcd/cube | flip
chip | 芯片 | 芯片 处理器 硬件 内存 电子 科技 | svcd/chip | breathe
expand | 展开 | 展开 放大 全屏 扩展 缩放 伸缩 | svcd/expand | zoom
download | 下载 | 下载 保存 获取 导入 存到本地 | svcd/download | slide-down
upload | 上传 | 上传 导出 发布 提交 备份 | svcd/upload | slide-up
turn-arrow | 转向箭头 | 转弯 掉头 转向 返回 路线 | svcd/turn-arrow | slide-left
user-card | 用户资料 | 用户 账号 资料 会员 个人中心 | svcd/user-card | press
plain | 占位图 | 占位 默认 通用 素材 | svcd/plain | breathe
`;

function parseScene(line: string): Scene {
  const [name = '', title = '', keywords = '', drawing = '', motion = ''] = line.split('|').map((c) => c.trim());
  const [set, art] = drawing.includes('/') ? drawing.split('/') : ['fluent-emoji-flat', drawing];
  if (set === undefined || art === undefined || art === '') throw new Error(`Unreadable scene: ${line}`);
  const wanted = motion === '' ? undefined : (motion as MotionName);
  return { name, title, keywords: keywords.split(' '), set, art, motion: wanted };
}

const [PLAIN, ...OTHERS] = TABLE.trim().split('\n').map(parseScene).toReversed();

/** Every scene of the pack, the placeholder of last resort at the end. */
export const SCENES: readonly Scene[] = [...OTHERS.toReversed(), ...readFurtherScenes(), ...(PLAIN ? [PLAIN] : [])];
