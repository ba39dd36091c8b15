// The folder that the page puts files into, as config.json names it now: whoever sets one while a page waits for it need not
// start svcd again.

import { isSvcdError } from '../model/errors.js';
import { readSetting, type Config } from './config.js';

/** Tells the folder; one that a flag or the environment named stays for as long as svcd runs. */
export function followFolder({ home, folder }: Pick<Config, 'home' | 'folder'>): () => string | undefined {
  if (folder !== inFile(home)) return () => folder;
  return () => inFile(home);
}

function inFile(home: string): string | undefined {
  try {
    return readSetting(home, 'folder') as string | undefined;
  } catch (error) {
    // What svcd was started with goes on; the next start tells what is wrong with the file.
    if (isSvcdError(error, 'invalid_config')) return undefined;
    throw error;
  }
}
