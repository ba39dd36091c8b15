// Color distances, held to what eyes and the definition of OKLab say.

import { describe, expect, it } from 'vitest';
import { colorDistance, namedDistance, parseColor } from '../../src/model/color.js';

const distance = (a: string, b: string): number => colorDistance(parseColor(a)!, parseColor(b)!);

describe('color distance', () => {
  it('is 0 for one color and 100 from black to white', () => {
    expect(distance('#12ab9f', '#12AB9F')).toBe(0);
    expect(distance('#000000', '#ffffff')).toBeCloseTo(100, 3);
  });

  // Values of the reference implementation for red: L .628, a .225, b .126.
  it('places red where the definition does', () => {
    const [lightness, greenRed, blueYellow] = parseColor('#ff0000')!;
    expect(lightness).toBeCloseTo(62.796, 2);
    expect(greenRed).toBeCloseTo(22.486, 2);
    expect(blueYellow).toBeCloseTo(12.585, 2);
  });

  it('finds orange nearer to red than blue is, and pink nearer than green', () => {
    expect(distance('#ff0000', '#ff6600')).toBeLessThan(distance('#ff0000', '#0000ff'));
    expect(distance('#ff0000', '#ff5588')).toBeLessThan(distance('#ff0000', '#00aa00'));
  });

  it('of what is named finds a dark red nearer to red than an orange, and grays as far apart as they are light', () => {
    const named = (a: string, b: string): number => namedDistance(parseColor(a)!, parseColor(b)!);
    expect(named('#ff0000', '#be1931')).toBeLessThan(15);
    expect(named('#ff0000', '#ff6723')).toBeGreaterThan(15);
    expect(named('#000000', '#ffffff')).toBeCloseTo(70, 3);
  });

  it('knows no color names and no short forms', () => {
    expect(parseColor('red')).toBeUndefined();
    expect(parseColor('#f00')).toBeUndefined();
  });
});
