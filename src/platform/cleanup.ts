// Closes what was opened, in reverse order, even when closing something fails.

/** What has been opened so far. */
export type Cleanup = ReturnType<typeof createCleanup>;

/** An empty one. `closeAll` closes all and then throws the first failure. */
export function createCleanup() {
  const closers: (() => void | Promise<void>)[] = [];
  let closing: Promise<void> | undefined;
  const closeAll = async () => {
    const failures: unknown[] = [];
    for (let close = closers.pop(); close !== undefined; close = closers.pop()) {
      // A failure must not keep the others open.
      await Promise.resolve()
        .then(close)
        .catch((error: unknown) => failures.push(error));
    }
    if (failures.length > 0) throw failures[0];
  };
  return {
    push: (close: () => void | Promise<void>): void => void closers.push(close),
    // Two at a time would close what the first still waits for.
    closeAll: (): Promise<void> => (closing ??= closeAll()),
  };
}
