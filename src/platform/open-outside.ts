// Opens an address or a folder with the system's own program: a browser, a file window.

import { spawn } from 'node:child_process';

/** Whether the system's program accepted it. */
export type OpenOutside = (target: string) => Promise<boolean>;

const WAIT_MS = 3000;
const OPENERS: Readonly<Partial<Record<NodeJS.Platform, readonly string[]>>> = {
  darwin: ['open'],
  win32: ['rundll32', 'url.dll,FileProtocolHandler'],
};

/**
 * It started, and did not fail within three seconds. Without a screen or a program for it, it fails by its exit code.
 */
export const openOutside: OpenOutside = (target) => {
  const [program = 'xdg-open', ...args] = OPENERS[process.platform] ?? [];
  return new Promise((resolve) => {
    const opener = spawn(program, [...args, target], { detached: true, stdio: 'ignore' });
    // Some openers run for as long as the browser does.
    const timer = setTimeout(() => resolve(true), WAIT_MS);
    opener.unref();
    const end = (isOpen: boolean) => {
      clearTimeout(timer);
      resolve(isOpen);
    };
    opener.on('error', () => end(false));
    opener.on('exit', (code) => end(code === 0));
  });
};
