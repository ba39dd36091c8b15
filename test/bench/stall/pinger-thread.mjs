// A client in a thread of its own that asks for little, again and again, over one connection: what holds the loop of svcd holds
// its answer. Noted is the longest wait, and what svcd's own thread computed meanwhile, which a busy machine does not lengthen.

import { readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { parentPort, workerData } from 'node:worker_threads';

const { host, port, pid } = workerData;
const HEAD = `HEAD /svcd/defaults/images/none.png HTTP/1.1\r\nHost: ${host}:${port}\r\n\r\n`;
const socket = connect(port, host);
socket.setNoDelay(true);

let longest = { waited: 0, computed: 0 };
let asked;
const ask = () => {
  asked = { at: performance.now(), computed: computedMs() };
  socket.write(HEAD);
};
const note = () => {
  if (asked === undefined) return;
  longest.waited = Math.max(longest.waited, performance.now() - asked.at);
  longest.computed = Math.max(longest.computed, computedMs() - asked.computed);
};
socket.on('connect', ask);
socket.on('data', () => {
  note();
  asked = undefined;
  setTimeout(ask, 1);
});
socket.on('error', () => undefined);
// Told is the longest since it was told last, with the one that goes on.
parentPort.on('message', () => {
  note();
  parentPort.postMessage(longest, []);
  longest = { waited: 0, computed: 0 };
});

function computedMs() {
  try {
    return Number(readFileSync(`/proc/${pid}/task/${pid}/schedstat`, 'utf8').split(' ', 1)[0]) / 1e6;
  } catch {
    return 0;
  }
}
