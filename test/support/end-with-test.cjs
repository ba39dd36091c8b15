// Loaded into the processes that run the tests (vitest.config.ts) and into every svcd that those start (run-svcd.ts), daemons
// in the background included: each ends when the process that it works for is gone, however that ended. A run that was
// killed leaves no daemon, port or home in use.

const { isMainThread } = require('node:worker_threads');

const test = Number(process.env.TEST_PROCESS);
if (isMainThread && test > 0) setInterval(endIfAlone, 1000).unref();

function endIfAlone() {
  try {
    process.kill(test, 0);
  } catch (error) {
    // One of another user is there too.
    if (error.code === 'ESRCH') process.kill(process.pid, 'SIGKILL');
  }
}
