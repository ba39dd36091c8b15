// The grammar of a preset, which every door shares.

import { expect, it } from 'vitest';
import { presetProblem, remotePresetProblem } from '../../src/model/preset.js';

it.each([
  'fluent-emoji-flat/birthday-cake',
  'heart',
  '节日/生日 蛋糕',
  'a.b/c..d/e...f',
  '100%',
  'family: 👨‍👩‍👧/é',
  'search/x',
  'a;b,c?d#e+f&g=h',
  'x'.repeat(300),
  '蛋'.repeat(300),
  '*',
])('%j is one', (preset) => {
  expect(remotePresetProblem(preset)).toBeUndefined();
});

it.each([
  ['', /1 to 300/],
  ['x'.repeat(301), /1 to 300/],
  ['a\nb', /control/],
  ['a\u0000', /control/],
  ['a\u202Eb', /control/],
  ['\uD800', /control/],
  ['/a', /empty/],
  ['a/', /empty/],
  ['a//b', /empty/],
  ['a/ /b', /empty/],
  ['.', /"\."/],
  ['a/../b', /"\.\."/],
  ['a\\..\\b', /"\.\."/],
  ['a/%2e%2e/b', /"\.\."/],
  ['a/%252E./b', /"\.\."/],
  ['a/..;x/b', /"\.\."/],
  ['a%00', /control/],
  ['search', /other addresses/],
  ['Match', /other addresses/],
  ['se%61rch', /other addresses/],
  ['search;v=1', /other addresses/],
])('%j is none', (preset, why) => {
  expect(presetProblem(preset)).toMatch(why);
});

it('keeps own/ for the user', () => {
  expect(presetProblem('own/logo')).toBeUndefined();
  expect(remotePresetProblem('own/logo')).toMatch(/own\//);
});
