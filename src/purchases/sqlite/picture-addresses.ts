// Addresses of pictures that a page can load without a token: 128 random bits each, written down once, so that an address
// leads to the same picture for good, also when its bytes had to be fetched again.

import { randomBytes } from 'node:crypto';
import type { Log } from '../../platform/log.js';
import type { Database } from '../../platform/open-database.js';

export interface PictureAddresses {
  /** The address of an item, 32 hexadecimal digits; undefined when a new one could not be written down. */
  of(item: string): string | undefined;
  /** The item at an address. */
  find(address: string): string | undefined;
}

const BYTES = 16;

/** Opens the addresses of one scope. */
export function openPictureAddresses(db: Database, scope: string, log: Log): PictureAddresses {
  const select = db.prepare<[string, string], { address: string }>(
    `SELECT address FROM picture_address WHERE scope = ? AND item = ?`,
  );
  // Another process may have been first.
  const insert = db.prepare(
    `INSERT INTO picture_address (address, scope, item) VALUES (?, ?, ?) ON CONFLICT (scope, item) DO NOTHING`,
  );
  const find = db.prepare<[string, string], { item: string }>(
    `SELECT item FROM picture_address WHERE address = ? AND scope = ?`,
  );
  return {
    of: (item) => {
      const known = select.get(scope, item);
      if (known !== undefined) return known.address;
      try {
        insert.run(randomBytes(BYTES).toString('hex'), scope, item);
      } catch (error) {
        // A full disk: the picture still has the address that programs use.
        log.warn('a picture could not be given an address for pages', { why: String(error) });
      }
      return select.get(scope, item)?.address;
    },
    find: (address) => find.get(address, scope)?.item,
  };
}
