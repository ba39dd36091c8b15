// What the service says of an account is shown in words: no path of its JSON, whatever it sends.

import { afterEach, describe, expect, it } from 'vitest';
import { describeFields } from '../../src/cli/terminal/describe-fields.js';
import { chooseLanguage } from '../../src/cli/terminal/language.js';

afterEach(() => void chooseLanguage([], true));

const ME = {
  key: { kind: 'general', limits: { daily: null, monthly: 500 }, permissions: ['music.search', 'assets.read'] },
  balance: 1000,
  rewards: [{ released_at: null, locked: true }],
  notes: [],
};

describe('figures of the service', () => {
  it('have labels, and fields that are not documented the words of their names', () => {
    expect(describeFields(ME)).toEqual([
      ['kind of Key', 'general'],
      ['limit of the Key per day', 'no limit'],
      ['limit of the Key per month', '500'],
      ['permissions of the Key', 'music.search, assets.read'],
      ['balance of the account', '1,000'],
      ['rewards, no. 1, released at', 'none'],
      ['rewards, no. 1, locked', 'yes'],
      ['notes', 'none'],
    ]);
  });

  it('are Chinese for a Chinese reader', () => {
    chooseLanguage(['--lang', 'zh'], false);
    expect(describeFields(ME).slice(0, 2)).toEqual([
      ['Key 的种类', '通用'],
      ['Key 每天的上限', '不限'],
    ]);
  });

  it('cannot move the cursor', () => {
    expect(describeFields({ 'a\u001B[2J': 'b\u0007' })).toEqual([['a [2J', 'b ']]);
  });
});
