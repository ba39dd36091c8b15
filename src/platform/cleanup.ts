// What was opened, closed in reverse order whatever happens.

/** What was opened so far, to be closed in reverse order. */
export interface Cleanup {
  push(close: () => void | Promise<void>): void;
  closeAll(): Promise<void>;
}

/** A new one, with nothing in it. `closeAll` throws the first failure, after all were closed. */
export function createCleanup(): Cleanup {
  const closers: (() => void | Promise<void>)[] = [];
  return {
    push: (close) => void closers.push(close),
    closeAll: async () => {
      const failures: unknown[] = [];
      for (let close = closers.pop(); close !== undefined; close = closers.pop()) {
        // One that fails must not keep the others open.
        await Promise.resolve()
          .then(close)
          .catch((error: unknown) => failures.push(error));
      }
      if (failures.length > 0) throw failures[0];
    },
  };
}
