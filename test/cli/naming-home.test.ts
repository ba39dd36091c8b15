// Commands that svcd names in a sentence speak of the home that was typed.

import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { namingHome, rememberHome } from '../../src/cli/terminal/format.js';
import { makeHome, runSvcd } from '../support/run-svcd.js';

afterEach(() => rememberHome([]));

describe('a sentence', () => {
  it.each([
    ['', 'Start it with "svcd start".', 'Start it with "svcd start".'],
    ['--home /a/b', 'Start it with "svcd start".', 'Start it with "svcd start --home /a/b".'],
    ['--home=/a --home /b', '"svcd usage", or "svcd budget"', '"svcd usage --home /b", or "svcd budget --home /b"'],
    ['--home /a', '请运行“svcd start”，或 "svcd stop"。', '请运行“svcd start --home /a”，或 "svcd stop --home /a"。'],
    ["--home=/a_b/it's", '"svcd stop"', `"svcd stop --home '/a_b/it'\\''s'"`],
    ['--home /a', '"svcd run --port 0 -- COMMAND"', '"svcd run --port 0 --home /a -- COMMAND"'],
    ['--home /a', 'See "svcd start --help", "svcd --help"', 'See "svcd start --help", "svcd --help"'],
    ['--home /a', '"svcd start --home /b"', '"svcd start --home /b"'],
    ['--home /a', 'a sticker called "svcdog"', 'a sticker called "svcdog"'],
    [
      '--home /a',
      'Join again: on the hub, "svcd hub invite"; here, "svcd hub join CODE".',
      'Join again: on the hub, "svcd hub invite"; here, "svcd hub join CODE --home /a".',
    ],
    ['--home /a', '在集线器上运行 "svcd hub doctor"。', '在集线器上运行 "svcd hub doctor"。'],
    ['run -- svcd --home /a', '"svcd start"', '"svcd start"'],
  ])('after %j: %s', (typed, text, named) => {
    rememberHome(typed.split(' '));
    expect(namingHome(text)).toBe(named);
  });
});

describe('svcd', () => {
  let folder: string;
  let remove: () => void;
  beforeEach(() => {
    ({ home: folder, remove } = makeHome());
  });
  afterEach(() => remove());

  it('says that a home is new which a mistyped name made', async () => {
    const search = async (home: string) => (await runSvcd(['search', '猫', '--home', home], { home: folder })).stderr;
    expect(await search(`${folder}/tpyo`)).toContain('/tpyo is a new home: it was made now');
    expect(await search(`${folder}/tpyo`)).not.toContain('new home');
  });

  it('names the home in hints, for people and for programs, only where it was typed', async () => {
    const home = `${folder}/my home`;
    const named = `"svcd start --home '${home}'"`;
    expect((await runSvcd(['status', '--home', home], { home: folder })).stderr).toContain(named);
    const told = await runSvcd(['status', `--home=${home}`, '--json'], { home: folder });
    expect((JSON.parse(told.stderr) as { hint: string }).hint).toContain(named);
    expect((await runSvcd(['doctor', '--home', home], { home: folder })).stdout).toContain(
      `svcd start --detach --home '${home}'`,
    );
    expect((await runSvcd(['status'], { home: folder })).stderr).toContain('"svcd start"');
  });
});
