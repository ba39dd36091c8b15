// svcd sandbox download

import { HOME_OPTION, type Command } from '../command.js';
import { writeDownload, type Download } from '../write-download.js';
import { plain, printJson, printLines } from '../output.js';
import { askSandbox } from '../sandbox-client.js';
import type { KeyView } from '../sandbox-view.js';

export const sandboxDownloadCommand: Command = {
  options: {
    ...HOME_OPTION,
    account: { type: 'string', requiresArg: true, describe: 'Whose; main when not given.' },
  },
  examples: [
    ['svcd sandbox download birthday-card', 'its newest version, as a folder birthday-card@1.1.0.motion'],
    ['svcd sandbox download birthday-card@1.0.0 card.zip', 'one version, in one file'],
  ],
  run: async (input) => {
    const [account, where = '.'] = [input.text('account'), input.findWord('where')];
    const form = where.endsWith('.zip') ? 'zip' : 'files';
    const body = {
      template: input.word('template'),
      form,
      ...(account === undefined ? {} : { account }),
    };
    const { key, ...got } = (await askSandbox(input, 'POST', '/sandbox/downloads', body)) as Download & {
      key: KeyView;
    };
    const path = await writeDownload(got, where);
    // The Key itself is in the package, and on no terminal.
    const { key: _, ...shown } = key;
    const { template, package_sha256: sha256 } = got;
    if (input.json) return printJson({ template, path, package_sha256: sha256, key: shown });
    return printLines(
      plain(path),
      plain(`The package of ${template}, with Key ${key.id} of ${key.account} in its service.key.json.`),
      `"svcd sandbox keys set ${key.id} --state disabled" disables that Key alone; downloading again makes a new one.`,
    );
  },
};
