import { describe, expect, test } from 'vitest';
import { foldTraditional } from '../../src/library/language/fold-traditional.js';
import { readLanguageText } from '../../src/library/language/language-data.js';
import { normalise } from '../../src/library/language/normalise.js';
import { parseSynonyms } from '../../src/library/language/synonyms.js';
import { tokenise, WHOLE_MARK } from '../../src/library/language/tokenise.js';
import { readSynonymTable } from '../../src/library/language/synonym-table.js';
import { readCatalogue, SYNONYMS } from './scratch-library.js';

describe('a synonym table', () => {
  const table = parseSynonyms('# comment\n开心 高兴 快乐 # all alike\n\n情人节　七夕 > 玫瑰 OK\n开心 > 笑脸\n独行');

  test('lets the words of a group find one another', () => {
    expect(table.of('高兴')).toEqual(['开心', '快乐']);
  });

  test('lets a scene find its things, and not the other way round', () => {
    expect(table.of('七夕')).toEqual(['玫瑰', 'ok']);
    expect(table.of('玫瑰')).toEqual([]);
  });

  test('adds up the lines a word stands on', () => {
    expect(table.of('开心')).toEqual(['高兴', '快乐', '笑脸']);
  });

  test('finds nothing for a word alone on its line', () => {
    expect(table.of('独行')).toEqual([]);
  });
});

describe('reading a table', () => {
  test('says which lines say nothing, and why', () => {
    const { entries, problems } = readSynonymTable(
      '甲 乙\n\n丙\n丁 > \n> 戊\na > b > c\n一二三四五六七八九十一二三四五六七八九十一二三四五 己\n庚 辛_壬',
    );
    expect(entries.map(({ words }) => words)).toEqual([
      ['甲', '乙'],
      ['庚', '辛 壬'],
    ]);
    expect(problems.map(({ line }) => line)).toEqual([3, 4, 5, 6, 7]);
  });
});

/** Opposites, parts and siblings: what must never stand in one group. */
const APART =
  `上 下, 左 右, 大 小, 多 少, 快 慢, 冷 热, 开 关, 买 卖, 黑 白, 红 绿, 新 旧, 男人 女人, 男孩 女孩, 爸爸 妈妈, 爷爷 奶奶, 开心 难过,
 高兴 生气, 大笑 大哭, 成功 失败, 正确 错误, 上涨 下跌, 涨价 打折, 存款 取款, 上传 下载, 上班 下班, 日出 日落, 太阳 月亮, 晴天 下雨,
 春天 秋天, 夏天 冬天, 猫 狗, 猫 老虎, 结婚 离婚, 点赞 差评, 你好 再见, 早安 晚安, 早餐 晚餐, 午餐 晚餐, 飞机 火车, 火车 地铁, 公交车 出租车,
 篮球 足球, 茶 咖啡, 啤酒 红酒, 苹果 香蕉, 橙子 橘子, 饺子 粽子, 月饼 粽子, 圣诞节 元旦, 春节 中秋, 母亲节 父亲节, 台风 龙卷风, 老师 学生,
 医生 护士, 警察 军队, 手机 电脑, 牙刷 牙齿, 赚钱 花钱, 加班 下班, 开始 结束, 增加 减少, 添加 删除, 正品 山寨, 胖 瘦, 甜 苦, 升职 辞职`
    .split(',')
    .map((pair) => pair.trim().split(/\s+/));

describe('the shipped tables', () => {
  const known = new Set(
    readCatalogue()
      .flatMap(({ title, keywords }) => [title, ...keywords])
      .flatMap((text) => tokenise(normalise(text)))
      .map((token) => token.term),
  );
  const lines = SYNONYMS.split('\n').map((line) => line.replace(/#.*/, '').trim());
  const groups = lines.filter((line) => line !== '' && !line.includes('>')).map((line) => line.split(/\s+/));
  const shown = lines.filter((line) => line.includes('>')).map((line) => line.split('>').map(wordsOf));

  function wordsOf(text: string): string[] {
    return text.split(/\s+/).filter(Boolean);
  }

  test('have at least 400 curated groups, and 400 scenes', () => {
    expect(groups.length).toBeGreaterThanOrEqual(400);
    expect(shown.length).toBeGreaterThanOrEqual(400);
  });

  test.each([
    ['synonyms.txt', 1000],
    ['english.txt', 500],
    ['regional.txt', 150],
  ])('%s is sound in every line, each written once, in the form in which words are searched', (name, least) => {
    const text = readLanguageText(`synonyms/${name}`);
    const { entries, problems } = readSynonymTable(text);
    expect(problems).toEqual([]);
    expect(entries.length).toBeGreaterThanOrEqual(least);
    const own = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
    expect(own.filter((line, i) => own.indexOf(line) !== i)).toEqual([]);
    const words = entries.flatMap((entry) => [...entry.words, ...entry.find]);
    expect(words.filter((word) => foldTraditional(word) !== word)).toEqual([]);
    const repeating = own.filter((line) => new Set(wordsOf(line)).size < wordsOf(line).length);
    expect(repeating).toEqual([]);
  });

  test('keep apart what only looks alike', () => {
    const wrong = APART.filter(([one = '', other = '']) =>
      groups.some((group) => group.includes(one) && group.includes(other)),
    );
    expect(wrong).toEqual([]);
  });

  test('have no two groups that share two words', () => {
    const seen = new Map<string, string>();
    const twice: string[] = [];
    for (const group of groups) {
      for (const one of group) {
        for (const other of group) {
          const pair = `${one} ${other}`;
          if (one < other && seen.has(pair)) twice.push(pair);
          seen.set(pair, group.join(' '));
        }
      }
    }
    expect(twice).toEqual([]);
  });

  test('show no scene by what itself is shown by the scene', () => {
    const pairs = new Set(
      shown.flatMap(([left = [], right = []]) => left.flatMap((a) => right.map((b) => `${a} ${b}`))),
    );
    expect([...pairs].filter((pair) => pairs.has(pair.split(' ').toReversed().join(' ')))).toEqual([]);
  });

  test.each(lines.filter((line) => line !== ''))('can find something for: %s', (line) => {
    const words = wordsOf(line.split('>').at(-1)!);
    expect(words.some((word) => known.has(WHOLE_MARK + normalise(word.replaceAll('_', ' '))))).toBe(true);
  });
});
