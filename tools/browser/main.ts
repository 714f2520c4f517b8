import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import type { Browser } from 'playwright-core';
import { findChromium } from './chromium.ts';
import { proveDay } from './day/prove.ts';
import { proveDoor } from './door/prove.ts';
import { proveInbox } from './inbox/prove.ts';
import { proveLong } from './long/prove.ts';
import { proveOutages } from './outages/prove.ts';
import { takePictures } from './pictures/take.ts';
import { Report } from './report.ts';
import { Scene } from './scene/scene.ts';
import { launch } from './stage.ts';
import { proveTasks } from './tasks/tasks.ts';
import { proveViews } from './views/prove.ts';

/*
 * Proves in a real browser that people can use the console: `npm run browser`. It is no part of `npm test`, because not
 * every machine has a browser.
 */

const { values } = parseArgs({
  options: {
    install: { type: 'boolean', default: false },
    pictures: { type: 'boolean', default: false },
    /** One lane alone, such as `inbox`. */
    only: { type: 'string' },
  },
});

const startedAt = performance.now();
const found = await findChromium(process.env, values);
if ('why' in found) process.stdout.write(`The console was skipped: ${found.why}.\n`);
else process.exitCode = await prove(found.path);

async function prove(path: string): Promise<number> {
  const report = new Report(join(tmpdir(), `engine-browser-${process.pid}`));
  report.say(`Tries the console with ${path} on an engine of its own …`);
  const scene = await Scene.open(process.env);
  try {
    const browser = await launch(path);
    try {
      await scene.connectAccount();
      if (values.pictures) await takePictures(browser, scene, report);
      else await proveAll(browser, scene, report);
    } finally {
      await browser.close();
    }
  } finally {
    await scene.close();
  }
  const seconds = ((performance.now() - startedAt) / 1_000).toFixed(0);
  report.say(`${report.passed} proven, ${report.failed.length} failed, in ${seconds} s`);
  return report.failed.length === 0 ? 0 : 1;
}

async function proveAll(browser: Browser, scene: Scene, report: Report): Promise<void> {
  const lane = async (name: string, prove: typeof proveTasks): Promise<void> => {
    if (values.only === undefined || values.only === name)
      await report.lane(`the ${name}`, () => prove(browser, scene, report));
  };
  await Promise.all([
    lane('tasks', proveTasks),
    lane('day', proveDay),
    lane('inbox', proveInbox),
    lane('views', proveViews),
    lane('doors', proveDoor),
  ]);
  // Its rows would slow the others down.
  await lane('long lists', proveLong);
  // It ends the engine, which the others need.
  await lane('outages', proveOutages);
}
