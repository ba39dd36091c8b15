// What the forms say that the host of an assistant shows a person, English and Chinese beside each other.

/** Things of a purchase that a form names. */
const NAMED_MAX = 8;

const credits = (count: number) => count.toLocaleString('en');

export const CONSENT_WORDS = {
  buy: (cost: number, things: readonly string[], [account, budget]: readonly (readonly [number, number] | null)[]) => {
    const rest = things.length - NAMED_MAX;
    const named = things.slice(0, NAMED_MAX);
    const after = ([before, now]: readonly [number, number]) => `${credits(before)} → ${credits(now)}`;
    return [
      `svcd: buy for ${credits(cost)} ${cost === 1 ? 'credit' : 'credits'}? ${named.join(', ')}${rest > 0 ? `, and ${rest} more` : ''}.` +
        `${account ? ` Balance ${after(account)}.` : ''}${budget ? ` Budget of this assistant ${after(budget)}.` : ''}`,
      `svcd：花费 ${credits(cost)} 积分购买？${named.join('、')}${rest > 0 ? `，另有 ${rest} 个` : ''}。` +
        `${account ? `余额 ${after(account)}。` : ''}${budget ? `此助手的预算 ${after(budget)}。` : ''}`,
    ] as const;
  },
  tell: (template: string, host: string, digest: string | undefined) =>
    [
      `svcd: tell the service that ${template} is produced? It learns template${digest ? ` (package ${digest.slice(0, 12)}…)` : ''}, host ("${host}"), layout, duration and which kinds of assets; no copy, no names.`,
      `svcd：告诉服务正在制作 ${template}？服务会得知模板${digest ? `（包 ${digest.slice(0, 12)}…）` : ''}、主机程序（"${host}"）、版式、时长和素材种类；不含文案和姓名。`,
    ] as const,
  yes: ['Yes', '同意'] as const,
};
