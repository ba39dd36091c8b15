// A process of its own that asks the OS keychain one question and ends: a keyring that hangs holds a thread that
// nothing can free, and with it the end of the process. This one can be killed. The only importer of keytar. The
// question comes on stdin and the reply leaves on stdout, where no other user can look.

import { text } from 'node:stream/consumers';
import { answerQuestion, type KeychainModule, type KeychainQuestion } from './answer-question.js';

async function loadModule(): Promise<KeychainModule> {
  const { default: keytar } = await import('keytar');
  return keytar;
}

const question = JSON.parse(await text(process.stdin)) as KeychainQuestion;
const reply = await answerQuestion(question, loadModule);
process.stdout.write(JSON.stringify(reply));
