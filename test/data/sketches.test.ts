// Which free drawing a title may be shown by: those expected here were looked at. A wrong one is worse than none.

import { describe, expect, it } from 'vitest';
import { openShownArt } from '../../src/operations/page/shown-art.js';
import { readCatalogue } from '../library/scratch-library.js';

const art = openShownArt();

/** A title, and the title of its drawing; null for none. */
const EXPECTED: readonly (readonly [string, string | null])[] = [
  // Equal, however it is written.
  ['生日蛋糕', '生日蛋糕'],
  ['气球', '气球'],
  ['氣球', '气球'],
  ['公鸡', '公鸡'],
  ['焰火', '焰火'],
  ['烟花', '烟花'],
  ['红心', '红心'],
  ['礼物', '礼物'],
  ['3D眼镜', '3D眼镜'],
  ['３ｄ眼鏡', '3D眼镜'],
  ['脑', '脑'],
  // By its end: Chinese names the thing last.
  ['颜色鲜艳的公鸡', '公鸡'],
  ['漂浮的彩色气球', '气球'],
  ['三层生日蛋糕', '生日蛋糕'],
  ['系着丝带的礼物', '礼物'],
  ['新年焰火', '焰火'],
  ['卡通火箭', '火箭'],
  ['闭着眼的猫脸', '猫脸'],
  ['超市购物车', '购物车'],
  ['手绘太阳', '太阳'],
  ['鲜红的草莓', '草莓'],
  ['复古电视', '电视'],
  // One character at the end is too little; a keyword, a synonym or a beginning is nothing.
  ['土鳖', null],
  ['看广告牌的人', null],
  ['限时秒杀', null],
  ['公鸡报晓', null],
  ['气球派对开始啦', null],
  ['庆生', null],
  ['狗子', null],
  ['双十一大促', null],
  ['点赞关注收藏', null],
  ['龘', null],
  ['', null],
  ['   ', null],
  ['的', null],
  // What is denied is not shown.
  ['不闹钟', null],
  ['没有礼物', null],
  // Half a word in letters is another word.
  ['pancakexyz', null],
  ['abvip', null],
  ['vip', 'VIP'],
];

describe('the drawing for a title', () => {
  it.each(EXPECTED)('%s: %s', async (title, drawing) => {
    await art.untilReady();
    expect(art.sketchOf(title)?.of ?? null).toBe(drawing);
  });

  it('is one that is shipped, free of a credit line, and can be read', async () => {
    await art.untilReady();
    const shipped = new Map(readCatalogue().map(({ preset, title }) => [preset, title]));
    for (const { title } of readCatalogue().filter((_, i) => i % 400 === 0)) {
      const sketch = art.sketchOf(title);
      if (sketch === undefined) continue;
      expect(shipped.get(sketch.id)).toBe(sketch.of);
      expect(sketch.id).not.toMatch(/^twemoji/);
      expect(JSON.parse((await art.readSketch(sketch.id))?.toString() ?? '')).toMatchObject({
        layers: expect.any(Array) as unknown,
      });
    }
  });

  it('can be had of every sticker of the sandbox as a picture, and of none that it does not have', async () => {
    for (const { preset } of readCatalogue().filter((_, i) => i % 997 === 0)) {
      expect(JSON.parse((await art.read(preset))?.toString() ?? '')).toMatchObject({ nm: preset });
    }
    expect(await art.read('no/such')).toBeUndefined();
    expect(await art.readSketch('twemoji/birthday-cake')).toBeUndefined();
  });
});
