// Asking for a plan of a copy file, with or without a template package.

import type { Plan } from '../../api/plan.js';
import { wantsImage, type Copy, type Slot } from '../../api/slot.js';
import { CAPABILITY_OF } from '../../model/spender.js';
import type { TemplatePackage } from '../template/open-package.js';
import type { Client } from '../../cli/connection/client.js';
import { namingCopy, type ReadCopy } from './read-copy.js';

export interface PlanQuestion {
  readonly read: ReadCopy;
  /** How the copy is called in errors. */
  readonly copyName: string;
  readonly template?: TemplatePackage | undefined;
  readonly maxCredits?: number | undefined;
  readonly refresh?: boolean | undefined;
}

/** The plan, with what it was made of. Throws `invalid_argument`, naming the copy, for what the daemon refuses in it. */
export async function makePlan(client: Client, question: PlanQuestion): Promise<Plan> {
  const { read, copyName, template, maxCredits, refresh } = question;
  const { slots } = read.copy;
  const body = { slots, ...(maxCredits !== undefined && { max_credits: maxCredits }), ...(refresh && { refresh }) };
  try {
    const { plan, digest, ...rest } = await client.ask<Plan>('POST', '/svcd/plan', body);
    return {
      plan,
      digest,
      ...(template !== undefined && { template: template.template }),
      ...(template?.packageSha256 !== undefined && { package_sha256: template.packageSha256 }),
      copy_sha256: read.sha256,
      ...rest,
      warnings: [...rest.warnings, ...undeclared(slots, template)],
    };
  } catch (error) {
    throw namingCopy(error, copyName);
  }
}

/** The capability words of what the slots ask for, each once. */
export function capabilitiesOf({ slots }: Copy): string[] {
  return [...new Set(slots.map((slot) => CAPABILITY_OF[wantsImage(slot) ? 'image' : 'sticker']))];
}

/** Slots that the template's own declaration does not allow to be bought for. */
export function undeclared(
  slots: readonly Slot[],
  template: Pick<TemplatePackage, 'template' | 'capabilities'> | undefined,
): Plan['warnings'][number][] {
  if (template === undefined) return [];
  return slots.flatMap((slot) => {
    const needed = CAPABILITY_OF[wantsImage(slot) ? 'image' : 'sticker'];
    if (template.capabilities.includes(needed)) return [];
    return [{ code: 'not_declared', words: `${template.template} does not declare ${needed}`, slot: slot.id }];
  });
}
