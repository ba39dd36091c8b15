// A certificate that signs itself, by @peculiar/x509. Loaded once in the life of a hub.

// oxlint-disable-next-line import/no-unassigned-import -- the package needs it to be there
import 'reflect-metadata';
import { createPublicKey, type KeyObject, webcrypto } from 'node:crypto';
import { isIP } from 'node:net';
import {
  BasicConstraintsExtension,
  ExtendedKeyUsage,
  ExtendedKeyUsageExtension,
  SubjectAlternativeNameExtension,
  X509CertificateGenerator,
} from '@peculiar/x509';

const ALGORITHM = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };

/** A certificate in PEM for a private key of P-256, for these names and addresses. */
export async function signCertificate(
  key: KeyObject,
  names: readonly string[],
  notBefore: Date,
  notAfter: Date,
): Promise<string> {
  const { subtle } = webcrypto;
  const spki = createPublicKey(key).export({ type: 'spki', format: 'der' });
  const keys = {
    privateKey: await subtle.importKey('pkcs8', key.export({ type: 'pkcs8', format: 'der' }), ALGORITHM, false, [
      'sign',
    ]),
    publicKey: await subtle.importKey('spki', spki, ALGORITHM, true, ['verify']),
  };
  const certificate = await X509CertificateGenerator.createSelfSigned({
    name: 'CN=svcd hub',
    notBefore,
    notAfter,
    keys,
    signingAlgorithm: ALGORITHM,
    extensions: [
      new BasicConstraintsExtension(false, undefined, true),
      new ExtendedKeyUsageExtension([ExtendedKeyUsage.serverAuth]),
      new SubjectAlternativeNameExtension(
        names.map((value) => ({ type: isIP(value) === 0 ? ('dns' as const) : ('ip' as const), value })),
      ),
    ],
  });
  return `${certificate.toString('pem').trim()}\n`;
}
