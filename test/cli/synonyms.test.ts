// svcd synonyms: where the user's own are, and which lines of them say nothing.

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { eachHome, expectRefusal } from '../support/in-test.js';
import { runHere } from '../support/run-here.js';

let home: string;
eachHome((fresh) => (home = fresh));

describe('svcd synonyms', () => {
  it('says where the file is', async () => {
    const { code, stdout } = await runHere(['synonyms', 'path'], { home });
    expect({ code, stdout }).toEqual({ code: 0, stdout: `${join(home, 'synonyms.txt')}\n` });
  });

  it('is content with none', async () => {
    expect(await runHere(['synonyms'], { home })).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/synonyms\.txt: 0 valid lines\.\n"svcd library synonyms path --help"/) as string,
    });
  });

  it('counts the sound lines and points at the others, with an exit code for scripts', async () => {
    const file = join(home, 'synonyms.txt');
    writeFileSync(file, '# mine\n发薪日 工资\n独行\n小美 > 美女 # 她\n> 无\n');
    const { code, stdout } = await runHere(['synonyms', 'check'], { home });
    expect(stdout.split('\n')).toEqual([
      `${file}:3: has one word only: "独行" stands for nothing else`,
      `${file}:5: has no word before ">"`,
      `${file}: 2 valid lines, 2 skipped.`,
      '',
    ]);
    expect(code).toBe(2);
  });

  it('checks another file before it is copied, and says when it cannot be read', async () => {
    expectRefusal(await runHere(['synonyms', 'check', join(home, 'none.txt')], { home }), 'none.txt');
  });
});
