// The authorities whose certificates are trusted when the user names further ones: a proxy that reads what passes through it
// shows a certificate that only its company knows.

import { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import * as tls from 'node:tls';
import type { Config } from '../config/config.js';
import { nodeCaFile } from '../config/environment.js';
import { SvcdError, systemCode } from '../model/errors.js';
import type { Way } from './open-connection.js';

const PEM = /-----BEGIN CERTIFICATE-----[\s\S]+?-----END CERTIFICATE-----/g;

/**
 * The certificates of this file and all that Node.js trusts by itself, those of `nodeFile` (NODE_EXTRA_CA_CERTS) too. Throws
 * `invalid_config`.
 */
export function readTrusted(file: string, nodeFile: string | undefined): readonly string[] {
  return [...trustedByNode(nodeFile), ...readOwn(file)];
}

function readOwn(file: string): readonly string[] {
  const found = textOf(file).match(PEM) ?? [];
  const [broken] = found.flatMap((pem, i) => (isCertificate(pem) ? [] : [i + 1]));
  if (found.length === 0) throw wrong(file, 'holds no certificate in PEM form (-----BEGIN CERTIFICATE-----)');
  if (broken !== undefined) throw wrong(file, `holds a certificate that cannot be read, number ${broken}`);
  return found;
}

function textOf(file: string): string {
  try {
    return readFileSync(file, 'latin1');
  } catch (cause) {
    throw wrong(file, `cannot be read (${systemCode(cause) ?? 'unknown'})`, cause);
  }
}

function wrong(file: string, what: string, cause?: unknown): SvcdError {
  return new SvcdError('invalid_config', `the file of certificates ${file} ${what}`, {
    cause,
    hint: 'Name another one with --ca-file FILE or "svcd config set caFile FILE".',
  });
}

function isCertificate(pem: string): boolean {
  try {
    return new X509Certificate(pem).subject !== undefined;
  } catch {
    return false;
  }
}

/** Node.js 20 cannot be asked for the second part. It passes over a file that it cannot read, with a warning at its start. */
function trustedByNode(nodeFile: string | undefined): readonly string[] {
  const { getCACertificates } = tls as { getCACertificates?: () => string[] };
  if (getCACertificates !== undefined) return getCACertificates();
  return [...tls.rootCertificates, ...(nodeFile === undefined ? [] : readQuietly(nodeFile))];
}

function readQuietly(file: string): readonly string[] {
  try {
    return readOwn(file);
  } catch {
    return [];
  }
}

/** How a remote that is elsewhere is reached. Throws `invalid_config` for a file of certificates that cannot be used. */
export function wayOf({ proxy, caFile }: Pick<Config, 'proxy' | 'caFile'>): Way {
  return { proxy, certificates: caFile === undefined ? undefined : readTrusted(caFile, nodeCaFile()) };
}
