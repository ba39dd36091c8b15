// Renders the template of a folder: frames as PNG, and what Remotion was told to hear. Asked in JSON, answers in JSON.

import { createRequire } from 'node:module';
import { join } from 'node:path';

const require = createRequire(import.meta.url);
const { bundle } = require('@remotion/bundler');
const { renderFrames, selectComposition } = require('@remotion/renderer');

const { folder, jobs, browser } = JSON.parse(process.argv[2]);
const browserOptions = { browserExecutable: browser, chromeMode: 'chrome-for-testing', logLevel: 'error' };

const serveUrl = await bundle({
  entryPoint: join(folder, 'video.jsx'),
  publicDir: join(folder, 'public'),
  enableCaching: false,
  // The template lies elsewhere; its packages are installed here.
  webpackOverride: (config) => ({
    ...config,
    resolve: { ...config.resolve, modules: [join(folder, 'node_modules'), join(import.meta.dirname, 'node_modules')] },
  }),
});
const told = [];
for (const { id, out, props: inputProps = {}, tabs = 1 } of jobs) {
  try {
    const composition = await selectComposition({ serveUrl, id, inputProps, ...browserOptions });
    const { assetsInfo, frameCount } = await renderFrames({
      serveUrl,
      composition,
      inputProps,
      imageFormat: 'png',
      outputDir: out,
      concurrency: tabs,
      onStart: () => undefined,
      onFrameUpdate: () => undefined,
      ...browserOptions,
    });
    const heard = assetsInfo.assets.flatMap(({ audioAndVideoAssets }) => audioAndVideoAssets);
    told.push({ frames: frameCount, heard: [...new Set(heard.map(({ src }) => src.split('/').at(-1)))] });
  } catch (error) {
    told.push({ error: String(error.message) });
  }
}
process.stdout.write(`${JSON.stringify(told)}\n`, () => process.exit(0));
