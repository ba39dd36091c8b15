// What a picture brings to mind besides what it shows, as English stems, by what it is called: an idea for 灯泡, a goal for
// 正中靶心的飞镖. The table is made by data/associations/build; what an association is worth is for sticker-terms.ts.

import { readLanguageText } from './language-data.js';

/** The stems of each title, as the file has them. */
let table: ReadonlyMap<string, string> | undefined;

/** The stems that pictures of this normalised title bring to mind; none when nobody has written them down. */
export function associationsOf(title: string): readonly string[] {
  table ??= readTable();
  return table.get(title)?.split(' ') ?? [];
}

function readTable(): ReadonlyMap<string, string> {
  const lines = readLanguageText('associations/associations.txt').trimEnd().split('\n');
  return new Map(
    lines.map((line) => {
      const space = line.indexOf(' ');
      return [line.slice(0, space), line.slice(space + 1)];
    }),
  );
}
