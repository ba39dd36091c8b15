// Sandbox or remote: which of them is meant where both are set.

interface Settled {
  readonly setting: { readonly name: string };
  readonly value: unknown;
  readonly from: string;
}

/**
 * A remote that is named further up than the sandbox ends it; named at the same place, the sandbox is the remote. `sources` are
 * the places, the highest first.
 */
export function endSandbox<T extends Settled>(settled: readonly T[], sources: readonly T['from'][]): readonly T[] {
  const remote = settled.find(({ setting }) => setting.name === 'remote');
  return settled.map((one) =>
    one.value === true &&
    one.setting.name === 'sandbox' &&
    remote?.value !== undefined &&
    sources.indexOf(remote.from) < sources.indexOf(one.from)
      ? { ...one, value: false, from: remote.from, endedBy: 'remote' }
      : one,
  );
}
