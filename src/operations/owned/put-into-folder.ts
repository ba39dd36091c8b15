// Puts owned files into the user's folder as plain files, and shows it. The folder is set in a terminal alone: a page never
// tells a path.

import type { FolderAnswer } from '../../api/collections.js';
import { refusalOf } from '../../api/refusal.js';
import { putPlainFile, removePlainParts, requireFolder } from '../../video/lock/plain-folder.js';
import { isSvcdError, SvcdError } from '../../model/errors.js';
import type { Rooms } from '../rooms.js';
import { notOwned, type OwnedFiles } from './owned-files.js';
import { ownTurn } from '../../platform/steps.js';

export type PutIntoFolder = ReturnType<typeof createPutIntoFolder>;

export function createPutIntoFolder({ config: { home }, findFolder, openOutside }: Rooms, ownedFiles: OwnedFiles) {
  const usable = () => {
    const folder = findFolder();
    if (folder !== undefined) return requireFolder(folder, home);
    throw new SvcdError('no_folder', 'no folder is set to put files into', {
      hint: 'Set one in a terminal: svcd config set folder DIR',
    });
  };
  return {
    /** Throws `no_folder`; what is not owned is told as failed, and so is what could not be written. */
    put: async (presets: readonly string[]): Promise<FolderAnswer> => {
      const folder = usable();
      removePlainParts(folder);
      const files: FolderAnswer['files'][number][] = [];
      const failed: FolderAnswer['failed'][number][] = [];
      for (const preset of new Set(presets)) {
        const file = await ownedFiles.read(preset);
        // Each is flushed to the disk: others are answered in between.
        await ownTurn();
        try {
          if (file === undefined) throw notOwned([preset]);
          const nameOf = (nth: number) => ownedFiles.nameOf(preset, nth);
          files.push({ preset, ...putPlainFile(folder, nameOf, file.bytes) });
        } catch (error) {
          if (!isSvcdError(error)) throw error;
          const { code, message } = refusalOf(error);
          failed.push({ preset, code, message });
        }
      }
      return { folder, files, failed };
    },
    /** Opens the system's file window there, and tells the folder. Throws `no_folder`. */
    reveal: async (): Promise<string> => {
      const folder = usable();
      if (await openOutside(folder)) return folder;
      throw new SvcdError('no_folder', `this system could not show the folder ${folder}`);
    },
  };
}
