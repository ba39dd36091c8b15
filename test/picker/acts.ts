// What a person does on the page, and what a test counts there, wherever several files need it.

import type { Page } from 'playwright-core';
import type { StartedDaemon } from '../support/start-daemon.js';

/** Of the page, in which the functions given to `evaluate` run. */
declare const DataTransfer: new () => {
  setData(type: string, text: string): void;
  readonly items: { add(file: File): void };
};
declare const ClipboardEvent: new (type: string, init: object) => unknown;
declare const DragEvent: new (type: string, init: object) => unknown;
declare const document: {
  readonly activeElement: { dispatchEvent(event: unknown): void };
  readonly body: { dispatchEvent(event: unknown): void };
};

export const parameter = (page: Page, name: string): string | null => new URL(page.url()).searchParams.get(name);
export const count = (page: Page): Promise<string | null> => page.locator('.count').textContent();

/** Begins a command by its English name. */
export async function command(page: Page, name: string): Promise<void> {
  await page.locator('#search').fill('>');
  await page.getByRole('combobox', { name: 'Name of a command' }).fill(name);
  await page.keyboard.press('Enter');
}

/** Types what `svcd open --code` prints into the dialog that asks for it. */
export async function giveCode(page: Page, svcd: Pick<StartedDaemon, 'send'>): Promise<void> {
  const field = page.getByLabel('The code it prints');
  await field.waitFor();
  const { code } = (await (await svcd.send('POST', '/svcd/page-code')).json()) as { code: string };
  await field.fill(code);
  await page.keyboard.press('Enter');
}

/** Chooses so many beside each other, the first of which has the focus. */
export async function chooseInRow(page: Page, many: number): Promise<void> {
  for (let nth = 0; nth < many; nth += 1) {
    await page.keyboard.press('x');
    await page.keyboard.press('ArrowRight');
  }
}

/** Pastes a text onto the page, or where the focus is. */
export const paste = (page: Page, text: string, into: 'body' | 'activeElement' = 'body'): Promise<void> =>
  page.evaluate(
    ([pasted, place]) => {
      const clipboardData = new DataTransfer();
      clipboardData.setData('text/plain', pasted);
      document[place].dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }));
    },
    [text, into] as const,
  );

/** Drops files, as a browser tells of them; `FIFTY` in their text stands for 50 MB. */
export async function dropFiles(
  page: Page,
  files: readonly { readonly name: string; readonly text: string }[],
): Promise<void> {
  await page.evaluate((given) => {
    const dataTransfer = new DataTransfer();
    for (const { name, text } of given) {
      dataTransfer.items.add(new File([text.replace('FIFTY', 'x'.repeat(50 * 1024 * 1024))], name));
    }
    const options = { dataTransfer, bubbles: true, cancelable: true };
    document.body.dispatchEvent(new DragEvent('dragover', options));
    document.body.dispatchEvent(new DragEvent('drop', options));
  }, files);
}

/** Counts what the worker is told to play, as `window.plays`. */
export const COUNT_PLAYS = `
  window.plays = 0;
  const post = Worker.prototype.postMessage;
  Worker.prototype.postMessage = function count(message, ...rest) {
    if (message.do === 'play') window.plays += 1;
    post.call(this, message, ...rest);
  };`;
export const plays = (page: Page): Promise<number> => page.evaluate<number>('window.plays');

/** Counts what the worker is playing. */
export const COUNT_PLAYING = `
  window.playing = new Set();
  const post = Worker.prototype.postMessage;
  Worker.prototype.postMessage = function count(message, ...rest) {
    window.drawer = this;
    if (message.do === 'play') window.playing.add(message.id);
    if (message.do === 'stop') window.playing.delete(message.id);
    post.call(this, message, ...rest);
  }; 0`;
export const playing = (page: Page): Promise<number> => page.evaluate<number>('window.playing.size');
