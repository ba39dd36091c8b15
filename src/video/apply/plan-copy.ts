// Asking for a plan of a copy, with or without a template package: what is shown is what is asked for, once.

import { digestOfPlan, type Plan, type PlanRequest } from '../../api/plan.js';
import { wantsImage, wantsMusic, type Slot } from '../../api/slot.js';
import { CAPABILITY_OF } from '../../model/spender.js';
import { digestOfCopy } from '../lock/standing-slots.js';
import type { TemplatePackage } from '../template/open-package.js';
import type { Asker } from './asker.js';
import { namingCopy, type NamedCopy } from './read-copy.js';
import type { ApplyWords } from './words.js';

/** What a plan and a lock say of a template package. */
export type PlannedTemplate = Pick<TemplatePackage, 'template' | 'packageSha256' | 'capabilities'>;

export interface PlanQuestion {
  readonly named: NamedCopy;
  readonly template?: PlannedTemplate | undefined;
  readonly maxCredits?: number | undefined;
  readonly refresh?: boolean | undefined;
  readonly fitAtLeast?: PlanRequest['fit_at_least'] | undefined;
  readonly style?: PlanRequest['style'] | undefined;
  readonly styleKind?: PlanRequest['style_kind'] | undefined;
}

/** The plan, with what it was made of. Throws `invalid_argument`, naming the copy, for what the daemon refuses in it. */
export async function makePlan(asker: Asker, question: PlanQuestion, words: ApplyWords): Promise<Plan> {
  const { named, template, maxCredits, refresh, fitAtLeast: least, style, styleKind } = question;
  const { slots } = named.copy;
  const request = {
    slots,
    ...(maxCredits !== undefined && { max_credits: maxCredits }),
    ...(refresh && { refresh }),
    ...(least !== undefined && { fit_at_least: least }),
    ...(style !== undefined && { style }),
    ...(styleKind !== undefined && { style_kind: styleKind }),
  };
  const { plan, digest: _, ...rest } = await askPlan(asker, request, named.name, words);
  const about = { ...fieldsOf(template), copy_sha256: digestOfCopy(slots) };
  return {
    plan,
    digest: digestOfPlan({ ...about, ...rest }),
    ...about,
    ...rest,
    warnings: [...rest.warnings, ...undeclared(slots, template)],
  };
}

/** The daemon's plan. Throws like `makePlan`. */
export async function askPlan(asker: Asker, request: PlanRequest, name: string, words: ApplyWords): Promise<Plan> {
  try {
    return await asker.ask<Plan>('POST', '/svcd/plan', request);
  } catch (error) {
    throw namingCopy(error, name, words);
  }
}

/** The fields of a plan or lock that say which template it is of. */
export function fieldsOf(template: PlannedTemplate | undefined) {
  if (template === undefined) return {};
  const { packageSha256 } = template;
  return { template: template.template, ...(packageSha256 !== undefined && { package_sha256: packageSha256 }) };
}

/** The capability words of what the slots ask for, each once. */
export function capabilitiesOf(slots: readonly Slot[]): string[] {
  return [...new Set(slots.map(capabilityOf))];
}

/** Slots that the template's own declaration does not allow to be bought for. */
export function undeclared(slots: readonly Slot[], template: PlannedTemplate | undefined): Plan['warnings'][number][] {
  if (template === undefined) return [];
  return slots
    .filter((slot) => !template.capabilities.includes(capabilityOf(slot)))
    .map((slot) => {
      const words = `${template.template} does not declare ${capabilityOf(slot)}`;
      return { code: 'not_declared', words, slot: slot.id };
    });
}

function capabilityOf(slot: Slot): string {
  return CAPABILITY_OF[wantsImage(slot) ? 'image' : wantsMusic(slot) ? 'music' : 'sticker'];
}
