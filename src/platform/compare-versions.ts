// Which of two versions is the newer one: by its numbers, as semantic versioning has it.

/** Negative when `a` is older than `b`, positive when newer, 0 when neither. */
export function compareVersions(a: string, b: string): number {
  const [[coreA, preA], [coreB, preB]] = [partsOf(a), partsOf(b)];
  // A version that has a pre-release comes before the one that has none.
  const byPresence = Number(preA === undefined) - Number(preB === undefined);
  return compareDotted(coreA, coreB) || byPresence || compareDotted(preA ?? '', preB ?? '');
}

/** The numbers and what stands behind a dash; build metadata says nothing about age. */
function partsOf(version: string): [core: string, preRelease: string | undefined] {
  const [told = ''] = version.split('+', 1);
  const dash = told.indexOf('-');
  return dash < 0 ? [told, undefined] : [told.slice(0, dash), told.slice(dash + 1)];
}

function compareDotted(a: string, b: string): number {
  const [partsA, partsB] = [a.split('.'), b.split('.')];
  for (let i = 0; i < Math.max(partsA.length, partsB.length); i++) {
    const order = comparePart(partsA[i], partsB[i]);
    if (order !== 0) return order;
  }
  return 0;
}

function comparePart(a: string | undefined, b: string | undefined): number {
  if (a === undefined || b === undefined) return Number(b === undefined) - Number(a === undefined);
  const [numberA, numberB] = [a, b].map((part) => /^\d+$/.test(part));
  if (numberA === true && numberB === true) return Number(a) - Number(b);
  if (numberA !== numberB) return numberA === true ? -1 : 1;
  return a < b ? -1 : Number(a > b);
}
