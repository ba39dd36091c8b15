// Everything of one sticker; what shows it is loaded when one is first opened.

import { view } from '../store.js';
import { late } from './late.js';

const DetailsBody = late(async () => (await import('./details-body.js')).DetailsBody);

export function Details() {
  return view.value.preset === '' ? null : <DetailsBody />;
}
