// Files dropped onto the page, as a browser tells of them.

import type { Page } from 'playwright-core';

/** Of the page, in which the functions given to `evaluate` run. */
declare const DataTransfer: new () => { readonly items: { add(file: File): void } };
declare const DragEvent: new (type: string, init: object) => unknown;
declare const document: { readonly body: { dispatchEvent(event: unknown): void } };

/** Drops files; `FIFTY` in their text stands for 50 MB. */
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
