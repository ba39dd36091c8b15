// Puts owned files into the user's folder as plain files, and shows it. The folder is set in a terminal alone: a page never
// tells a path.

import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { FolderAnswer } from '../../api/collections.js';
import { refusalOf } from '../../api/refusal.js';
import { writeSetting } from '../../config/config.js';
import { folderWithin, guard, putPlainFile, removePlainParts, requireFolder } from '../../video/lock/plain-folder.js';
import { videosFolder } from '../../platform/files/videos-folder.js';
import { createPutMade } from './put-made.js';
import { isSvcdError, SvcdError } from '../../model/errors.js';
import type { Rooms } from '../rooms.js';
import { notOwned, type OwnedFiles } from './owned-files.js';
import { ownTurn } from '../../platform/steps.js';

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
    putMade: createPutMade(usable),
    /** Makes `svcd` in the system's folder of videos and sets it, unless one is set; tells the folder. Throws `no_folder`. */
    setUsual: async (): Promise<string> => {
      if (findFolder() === undefined) {
        const wanted = join(await videosFolder(), 'svcd');
        guard(wanted, () => mkdirSync(wanted, { recursive: true }));
        writeSetting(home, 'folder', requireFolder(wanted, home));
      }
      return usable();
    },
    /** Opens the system's file window there, or in the folder of a script; tells the folder. Throws `no_folder`. */
    reveal: async (project?: string): Promise<string> => {
      const folder = project === undefined ? usable() : folderWithin(usable(), project, false);
      if (await openOutside(folder)) return folder;
      throw new SvcdError('no_folder', `this system could not show the folder ${folder}`);
    },
  };
}
