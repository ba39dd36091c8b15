// Starts the workers that the build made. The policy of the page lets no other text become the address of a script, and
// lets one set of rules be made once.

declare const trustedTypes:
  undefined | { createPolicy(name: string, rules: object): { createScriptURL(url: string): string } };

const FILES = { draw: WORKER_FILE, export: EXPORT_WORKER_FILE };

let rules: { createScriptURL(url: string): string } | undefined;

/** A new worker: one that draws, or one that makes files. */
export function startWorker(kind: keyof typeof FILES): Worker {
  const file = FILES[kind];
  if (typeof trustedTypes === 'undefined') return new Worker(file);
  rules ??= trustedTypes.createPolicy('svcd', {
    createScriptURL: (url: string) => {
      if (Object.values(FILES).includes(url)) return url;
      throw new TypeError(`${url} is no worker of this page`);
    },
  });
  return new Worker(rules.createScriptURL(file));
}
