// Loads what is not needed for the first tiles: one script and one style, when either is first wanted.

export type Parts = Awaited<ReturnType<typeof load>>;

let loading: Promise<Parts> | undefined;

/** Rejects while svcd does not answer; the next call tries again. */
export function loadParts(): Promise<Parts> {
  loading ??= load().catch((error: unknown) => {
    loading = undefined;
    throw error;
  });
  return loading;
}

async function load() {
  const [{ parts }] = await Promise.all([import('./parts.js'), loadStyle()]);
  return parts;
}

/** Parts are shown once they look as they should. */
function loadStyle(): Promise<void> {
  return new Promise((resolve, reject) => {
    const link = document.createElement('link');
    link.rel = 'stylesheet';
    link.href = LATE_STYLE;
    link.addEventListener('load', () => resolve());
    link.addEventListener('error', () => {
      link.remove();
      reject(new Error('a style of the page did not come'));
    });
    document.head.append(link);
  });
}
