// What a picture brings to mind besides what it shows, as English stems, by what it is called: an idea for 灯泡, a goal for
// 正中靶心的飞镖. The table is made by data/associations/build; what an association is worth is for sticker-terms.ts.

import { readLanguageMap } from './language-data.js';

/** The stems of each title, as the file has them. */
let table: ReadonlyMap<string, string> | undefined;

/** The stems that pictures of this normalised title bring to mind; none for a title that is not listed. */
export function associationsOf(title: string): readonly string[] {
  table ??= readLanguageMap('associations/associations.txt');
  return table.get(title)?.split(' ') ?? [];
}
