// Colour distances, held to what eyes and the definition of OKLab say.

import { describe, expect, it } from 'vitest';
import { colourDistance, parseColour } from '../../src/library/colour.js';

const distance = (a: string, b: string): number => colourDistance(parseColour(a)!, parseColour(b)!);

describe('colour distance', () => {
  it('is 0 for one colour and 100 from black to white', () => {
    expect(distance('#12ab9f', '#12AB9F')).toBe(0);
    expect(distance('#000000', '#ffffff')).toBeCloseTo(100, 3);
  });

  // Values of the reference implementation for red: L .628, a .225, b .126.
  it('places red where the definition does', () => {
    const [lightness, greenRed, blueYellow] = parseColour('#ff0000')!;
    expect(lightness).toBeCloseTo(62.796, 2);
    expect(greenRed).toBeCloseTo(22.486, 2);
    expect(blueYellow).toBeCloseTo(12.585, 2);
  });

  it('finds orange nearer to red than blue is, and pink nearer than green', () => {
    expect(distance('#ff0000', '#ff6600')).toBeLessThan(distance('#ff0000', '#0000ff'));
    expect(distance('#ff0000', '#ff5588')).toBeLessThan(distance('#ff0000', '#00aa00'));
  });

  it('knows no colour names and no short forms', () => {
    expect(parseColour('red')).toBeUndefined();
    expect(parseColour('#f00')).toBeUndefined();
  });
});
