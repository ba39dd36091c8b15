// A template's package (`.motion`): made by code for tests and for trying. It holds what the document names, and just
// enough of a template to be one: the declaration, the digests of the files, and the Key of the account that downloads it.

import { strToU8, zipSync } from 'fflate';
import { sha256Hex } from '../../model/hash.js';
import { TEMPLATE_DESIGNS, type TemplateDesign } from './template-designs.js';

/** The files of a package by their path in it. */
export type MotionFiles = Readonly<Record<string, string>>;

/** The earliest time a ZIP file can tell: the same files give the same bytes. */
const ZIP_TIME = '1980-01-02T00:00:00Z';
const KEY_FILE = 'service.key.json';
const INTEGRITY_FILE = 'integrity.json';

/**
 * The files of the package of `name@version`, with this Key in `service.key.json`. A template that we have no
 * design of gets a plain one that calls for stickers.
 */
export function motionFiles(template: string, key: string): MotionFiles {
  const [name = template, version = '1.0.0'] = template.split('@');
  const design = TEMPLATE_DESIGNS[name] ?? PLAIN;
  const files: Record<string, string> = {
    'motion.json': json(declarationOf(name, version, design)),
    'scenes/scenes.json': json({ scenes: design.scenes }),
    'README.md': readmeOf(name, version, design),
  };
  return {
    ...files,
    [INTEGRITY_FILE]: json({ algorithm: 'sha256', files: digestsOf(files) }),
    // Not among the digests: it is another one in every download.
    [KEY_FILE]: json({ key }),
  };
}

/** SHA-256 of the package's integrity.json, as a production is registered with. */
export function packageSha256(files: MotionFiles): string {
  return sha256Hex(files[INTEGRITY_FILE] ?? '');
}

/** The files of a package as one ZIP file. */
export function zipMotionFiles(files: MotionFiles): Uint8Array {
  const entries = Object.entries(files).map(([path, text]) => [path, strToU8(text)]);
  return zipSync(Object.fromEntries(entries) as Record<string, Uint8Array>, { mtime: ZIP_TIME });
}

const PLAIN: TemplateDesign = {
  title: 'Plain',
  layout: 'landscape',
  durationS: 10,
  capabilities: ['stickers.file'],
  scenes: [{ at: 0, lasts: 10, copy: '{{headline}}', wants: 'sticker' }],
};

function declarationOf(name: string, version: string, design: TemplateDesign): object {
  const { title, layout, durationS, capabilities } = design;
  return { name, version, title, layout, duration_s: durationS, service: { capabilities } };
}

// These words are part of the package's digest, which a sandbox's registered productions name: they stay.
function readmeOf(name: string, version: string, { title, capabilities }: TemplateDesign): string {
  return [
    `# ${title} (${name}@${version})`,
    '',
    `Calls the asset service for: ${capabilities.length === 0 ? 'nothing' : capabilities.join(', ')}.`,
    'The Key is read from `SERVICE_API_KEY`, then from `service.key.json`. That file holds the Key of whoever',
    'downloaded this package: do not pass it on. Without Key or credits, render with the defaults.',
    '',
  ].join('\n');
}

function digestsOf(files: MotionFiles): Record<string, string> {
  return Object.fromEntries(Object.entries(files).map(([path, text]) => [path, sha256Hex(text)]));
}

function json(value: object): string {
  return `${JSON.stringify(value, undefined, 2)}\n`;
}
