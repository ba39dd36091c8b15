// The page for people: find a sticker, see honestly what can be seen, know the price, take the file.

import { render } from 'preact';
import { App } from './app.js';
import './picker.css'; // oxlint-disable-line no-unassigned-import -- a style is no value
import { beginExtras } from './extras.js';
import { beginLive, followOwned } from './live.js';
import { beginPageKeys } from './page-keys.js';
import { beginView } from './store.js';
import { setLateActs } from './late-acts.js';
import { loadParts } from './load-parts.js';
import { beginLanguage } from './words/words.js';

beginLanguage(new URL(location.href));
beginView();
followOwned();
beginLive();
beginExtras();
beginPageKeys();
setLateActs(async () => (await loadParts()).acts);
const root = document.getElementById('app');
if (root !== null) render(<App />, root);
