// The tables of a hub: its machines, what they may spend, what was bought.

import type { Audit, HubBudgets, HubPurchaseView, MachineView } from '../../api/hub.js';
import { systemClock } from '../../platform/clock.js';
import type { Saving } from '../terminal/fit-table.js';
import { formatMinute, formatNumber, formatTableWithHead, sanitize } from '../terminal/format.js';
import { hubWords } from './words.js';

const words = hubWords();

export function describeMachines({ machines }: { machines: readonly MachineView[] }): string | string[] {
  if (machines.length === 0) return words.noMachines;
  const { projects, seen, state, name, user } = words.machinesHead;
  const savings: Saving[] = [[seen, 'word'], [state, 'below'], projects, [name, 20], user, name];
  return formatTableWithHead(Object.values(words.machinesHead), machines.map(machineRow), savings);
}

function machineRow(machine: MachineView): string[] {
  const { id, name, projects, user, only, spent, last_seen_at: seen, revoked_at: revoked, expires_at: ends } = machine;
  const state =
    revoked !== null
      ? words.revokedAt(formatMinute(revoked))
      : ends === null
        ? ''
        : Date.parse(ends) <= systemClock.now()
          ? words.endedAt(formatMinute(ends))
          : words.endsAt(formatMinute(ends));
  const { cloned_at: cloned, replaced_at: replaced } = machine;
  const twice = cloned === null ? '' : words.clonedAt(formatMinute(cloned));
  const other = replaced === null ? '' : words.replacedAt(formatMinute(replaced));
  return [
    String(id),
    sanitize(name),
    sanitize(projects.join(', ')),
    sanitize(user ?? ''),
    formatNumber(spent),
    seen === null ? words.never : formatMinute(seen),
    [only === 'owned' ? words.ownedOnly : '', state, twice, other].filter((part) => part !== '').join(', '),
  ];
}

export function describePurchases({ purchases }: { purchases: readonly HubPurchaseView[] }): string | string[] {
  if (purchases.length === 0) return words.noPurchases;
  const { time, by, of } = words.purchasesHead;
  return formatTableWithHead(
    Object.values(words.purchasesHead),
    purchases.map(({ id, created_at: at, item, state, price, cost, machine, payers }) => [
      String(id),
      formatMinute(at),
      nameOf(item),
      words.states[state],
      cost === null ? `${price}?` : String(cost),
      machine === null ? '' : sanitize(`${machine.id} ${machine.name}`),
      sanitize(payers.filter((payer) => payer !== 'all' && !payer.startsWith('machine:')).join(', ')),
    ]),
    [
      [time, 'word'],
      [by, 16],
      [by, 'below'],
      [of, 'below'],
    ],
  );
}

/** A preset, or an image by the beginning of its digest, as in "svcd purchases". */
function nameOf(item: string): string {
  const [, kind, name = ''] = /^(\w+):(.*)$/s.exec(item) ?? [];
  return sanitize(kind === 'image' ? words.image(name.slice(0, 8)) : kind === 'sticker' ? name : item);
}

/** A line for each limit, and what of it is used; then projects without one. */
export function describeBudgets({
  budgets,
  unlimited = [],
}: Pick<HubBudgets, 'budgets'> & Partial<HubBudgets>): string[] {
  const row = (payer: string, limit: string, spent: number | null, reserved: number | null) => [
    sanitize(payer),
    limit,
    spent === null ? '' : formatNumber(spent),
    reserved === null ? '' : formatNumber(reserved),
  ];
  const rows = [
    ...budgets.map((one) =>
      row(one.payer, `${formatNumber(one.credits)} ${words.per[one.period]}`, one.spent, one.reserved),
    ),
    ...unlimited.map(({ payer, spent, reserved }) => row(payer, words.noLimit, spent, reserved)),
  ];
  const table = rows.length === 0 ? [] : formatTableWithHead(words.budgetHead, rows);
  return budgets.length === 0 ? [...table, words.noBudgets] : table;
}

export function describeAudit({ right, lines, charged, unknown, purchases, unknown_of: of }: Audit): string[] {
  const wrong = lines.filter((line) => !line.right);
  const figures = ({ spent, reserved }: { spent: number; reserved: number }) => words.figures(spent, reserved);
  return [
    ...(right ? [words.auditRight(lines.length)] : []),
    ...wrong.map((line) => sanitize(words.auditWrong(line.payer, line.day, figures(line), figures(line.journal)))),
    words.auditCharged(charged, purchases.paid),
    words.auditUnknown(unknown, purchases.unknown),
    ...of.map((one) => sanitize(words.unknownOf(one.payer, one.purchases, one.credits))),
    ...(purchases.unknown === 0 ? [] : [words.seeUnknown]),
  ];
}
