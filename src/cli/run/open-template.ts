// The template package of a command, and the token it gets: what its motion.json declares, and what a person changes of it.

import type { DeclaredOnly, Permission } from '../../model/spender.js';
import { declaredWords } from '../../video/template/declaration.js';
import { openPackage, type TemplatePackage } from '../../video/template/open-package.js';
import { switchOption, textOption } from '../command.js';
import { formatForeign } from '../terminal/format.js';
import type { Input } from '../terminal/input.js';
import { invalidArgument } from '../terminal/invalid-argument.js';
import { readOnly } from '../terminal/options.js';
import { printNote } from '../terminal/output.js';
import { runWords } from './words.js';

export const templateOptions = () => ({
  template: textOption(runWords().options.template),
  allow: textOption(runWords().options.allow),
  'changed-on-purpose': switchOption(runWords().options.changedOnPurpose),
});

/** What a token is leased with. Throws what opening a package throws, and `invalid_argument`. */
export async function readFence(input: Input): Promise<{ only: Permission[] | undefined; fence?: DeclaredOnly }> {
  const [only, allow = []] = [readOnly(input), readOnly(input, 'allow')];
  const path = input.text('template');
  if (path === undefined) {
    for (const name of ['allow', 'changed-on-purpose']) {
      if (input.list(name).length > 0) throw invalidArgument(runWords().forTemplate(name), runWords().nameTemplate);
    }
    return { only };
  }
  const template = await openPackage(path, {
    changedOnPurpose: input.flag('changed-on-purpose') ?? false,
    command: 'svcd run',
  });
  tellPackage(template);
  const declared = template.permissions.filter((one) => only?.includes(one) ?? true);
  return {
    only: [...new Set([...declared, ...allow])],
    fence: { template: template.template, declares: declaredWords(template) },
  };
}

/** Says what of a package a person should know before it is used. */
export function tellPackage({ template, unknown, packageSha256 }: TemplatePackage): void {
  const words = runWords();
  const name = formatForeign(template);
  if (packageSha256 === undefined) printNote(words.changedPackage(name));
  if (unknown.length > 0) printNote(words.unknownWords(name, unknown.map(formatForeign)));
}
