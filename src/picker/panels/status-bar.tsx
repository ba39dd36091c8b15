// Remote, balance, budget, filling: what the daemon says of itself, for those who are signed in.

import { summary } from '../store.js';
import { number, words } from '../words/words.js';

export function StatusBar() {
  const { value } = summary;
  if (value === undefined) return null;
  const { balance } = value;
  return <div class="status">{balance !== null && words.value.credits(balance.credits, number(balance.credits))}</div>;
}
