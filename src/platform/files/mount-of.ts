// The file system that a folder lies on.

import { readFileSync, statfsSync } from 'node:fs';

export interface Mount {
  /** Where it is mounted; the folder itself where that is not known. */
  readonly path: string;
  /** Its kind, such as ext4 or nfs4; empty where that is not known. */
  readonly kind: string;
  readonly readOnly: boolean;
  /** Bytes that this user may still write. */
  readonly freeBytes: number;
  /** Files that may still be made; undefined where there is no such limit. */
  readonly freeFiles: number | undefined;
}

/** Names of kinds (Linux, macOS) whose files lie on another machine: SQLite's locks and shared memory do not hold there. */
const NETWORK =
  /^(?:nfs\d?|cifs|smb\d?|smbfs|afpfs|webdav|ncpfs|afs|ceph|lustre|glusterfs|gpfs|fuse\.(?:sshfs|rclone|s3fs|glusterfs|davfs\d?|ceph))$/;
/** Numbers of `statfs` for the same: NFS, SMB, CIFS, SMB2, NCP, AFS, Ceph, Lustre, Coda. */
const NETWORK_TYPES = new Set([
  0x6969, 0x517b, 0xff534d42, 0xfe534d42, 0x564c, 0x5346414f, 0x00c36400, 0x0bd00bd0, 0x73757245,
]);
const ANY_NETWORK = 'a network file system';

/** Of a folder that exists. Throws the system's error. */
export function mountOf(folder: string, mounts = readMounts()): Mount {
  const { bavail, bsize, files, ffree, type } = statfsSync(folder);
  const mount = mounts
    .filter(({ path }) => path === folder || folder.startsWith(path.endsWith('/') ? path : `${path}/`))
    // Of two on one path the later one is seen.
    .reduce<MountLine | undefined>((best, one) => (best && best.path.length > one.path.length ? best : one), undefined);
  return {
    path: mount?.path ?? folder,
    kind: mount?.kind ?? (NETWORK_TYPES.has(type >>> 0) ? ANY_NETWORK : ''),
    readOnly: mount?.readOnly ?? false,
    freeBytes: bavail * bsize,
    // btrfs and others count none.
    freeFiles: files === 0 ? undefined : ffree,
  };
}

/** Whether files of such a kind lie on another machine. */
export function isNetwork({ kind }: Pick<Mount, 'kind'>): boolean {
  return kind === ANY_NETWORK || NETWORK.test(kind);
}

interface MountLine {
  readonly path: string;
  readonly kind: string;
  readonly readOnly: boolean;
}

/** What is mounted, as Linux tells (`man 5 proc`, mountinfo); nothing elsewhere. */
function readMounts(): MountLine[] {
  let text: string;
  try {
    text = readFileSync('/proc/self/mountinfo', 'utf8');
  } catch {
    return [];
  }
  return parseMounts(text);
}

/** The lines of a mountinfo. */
export function parseMounts(text: string): MountLine[] {
  return text.split('\n').flatMap((line) => {
    const [left = '', right = ''] = line.split(' - ');
    const [, , , , path, options = ''] = left.split(' ');
    const [kind = '', , own = ''] = right.split(' ');
    if (path === undefined) return [];
    const readOnly = [...options.split(','), ...own.split(',')].includes('ro');
    return [{ path: unescape(path), kind, readOnly }];
  });
}

/** Spaces and their like are octal there. */
function unescape(path: string): string {
  return path.replace(/\\(\d{3})/g, (_, digits: string) => String.fromCharCode(Number.parseInt(digits, 8)));
}
