// On which file system a folder lies, as mountinfo tells: the locks of a home must hold there.

import { tmpdir } from 'node:os';
import { describe, expect, it } from 'vitest';
import { isNetwork, mountOf, parseMounts } from '../../src/platform/files/mount-of.js';

const MOUNTS = parseMounts(
  [
    '22 1 8:1 / / rw,relatime shared:1 - ext4 /dev/sda1 rw',
    `40 22 0:35 / ${tmpdir()} rw,relatime shared:2 master:3 - nfs4 server:/export rw,vers=4.2`,
    String.raw`41 22 0:36 / /media/my\040disk ro,relatime - fuse.sshfs me@server: rw`,
    '',
  ].join('\n'),
);

describe('the file system of a folder', () => {
  it('is that of the longest path above it', () => {
    expect(mountOf(tmpdir(), MOUNTS)).toMatchObject({ path: tmpdir(), kind: 'nfs4', readOnly: false });
    expect(mountOf('/', MOUNTS)).toMatchObject({ path: '/', kind: 'ext4' });
  });

  it('is read with its spaces, and read-only where either side is', () => {
    expect(MOUNTS[2]).toEqual({ path: '/media/my disk', kind: 'fuse.sshfs', readOnly: true });
  });

  it.each(['nfs', 'nfs4', 'cifs', 'smb3', 'smbfs', 'fuse.sshfs', 'ceph', 'webdav'])(
    '%s is on another machine',
    (kind) => {
      expect(isNetwork({ kind })).toBe(true);
    },
  );

  it.each(['ext4', 'btrfs', 'tmpfs', 'overlay', 'apfs', 'fuse.ntfs', ''])('"%s" is on this one', (kind) => {
    expect(isNetwork({ kind })).toBe(false);
  });
});
