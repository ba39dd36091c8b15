// Why a further token may not do something: it was made for other things, or its template does not declare it.

import { CAPABILITIES, type DeclaredOnly, type Grant, type Permission } from '../model/spender.js';
import { SvcdError } from '../model/errors.js';

/** The refusal of what needs this permission, of a token that does not have it. */
export function toPermissionRefusal({ only, fence }: Grant, need: Permission): SvcdError {
  if (fence === undefined) {
    return notPermitted(
      need,
      only,
      `Make a token that may: "svcd token add NAME --only ${[...only, need].join(',')}".`,
    );
  }
  const word = CAPABILITY_OF.get(need);
  if (word !== undefined && fence.declares.includes(word)) {
    return notPermitted(need, only, 'The template declares it, but --only of "svcd run" left it out.');
  }
  return notDeclared(
    fence,
    word ?? WORDS[need],
    `"svcd run --template … --allow ${need} -- …" allows it all the same.`,
  );
}

/** The refusal of what is for the home's own token alone. */
export function ownerOnly(fence?: DeclaredOnly): SvcdError {
  if (fence !== undefined) return notDeclared(fence, 'administering svcd', "Only the home's own token may do this.");
  return new SvcdError('not_permitted', "only the home's own token may do this", {
    hint: '"svcd token show" prints it.',
  });
}

const CAPABILITY_OF: ReadonlyMap<Permission, string> = new Map(
  Object.entries(CAPABILITIES).map(([word, permission]) => [permission, word]),
);

/** What no capability grants, as it stands in a sentence. */
const WORDS: Record<Permission, string> = {
  stickers: 'buying stickers',
  images: 'generating images',
  account: 'seeing the account',
  purchases: 'listing purchases',
  other: 'any other call to the service',
};

function notDeclared({ template, declares }: DeclaredOnly, what: string, hint: string): SvcdError {
  const name = template.slice(0, template.lastIndexOf('@'));
  const words = declares.length === 0 ? 'no capabilities' : declares.join(', ');
  return new SvcdError('not_declared', `motion.json of ${name} declares ${words}; ${what} is not among them`, { hint });
}

function notPermitted(need: Permission, only: readonly Permission[], hint: string): SvcdError {
  const what = only.length === 0 ? 'nothing that needs a permission' : `${only.join(', ')} only`;
  return new SvcdError('not_permitted', `this token is for ${what}, and this needs ${need}`, { hint });
}
