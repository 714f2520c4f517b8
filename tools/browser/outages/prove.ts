import assert from 'node:assert/strict';
import type { Browser } from 'playwright-core';
import { until } from '../../demo/until.ts';
import type { Report } from '../report.ts';
import type { Scene } from '../scene/scene.ts';
import { Tab } from '../stage.ts';
import { Line } from './line.ts';
import { isLive, PLACE, Quiet } from './quiet.ts';
import { expectSame } from './same.ts';

const NIGHT_MS = 8 * 3_600_000;

/** After whatever befell the line or the engine, what is on the screen is what a fresh load shows. */
export async function proveOutages(browser: Browser, scene: Scene, report: Report): Promise<void> {
  const quiet = await Quiet.make(scene);
  const fresh = await Tab.open(browser, scene, { key: scene.key });
  await proveSleep(browser, scene, report, quiet, fresh);
  await proveKill(browser, scene, report, quiet, fresh);
  await fresh.close();
}

async function proveSleep(browser: Browser, scene: Scene, report: Report, quiet: Quiet, fresh: Tab): Promise<void> {
  const line = new Line(scene.url);
  const tab = await Tab.open(browser, scene, { key: scene.key, url: await line.listen() });
  await report.prove('a laptop that slept through the night shows what a fresh load shows', tab, async () => {
    await tab.page.clock.install();
    await quiet.open(tab);
    line.die();
    await quiet.write('I write while you sleep');
    await quiet.write('And once more');
    await tab.page.clock.fastForward(NIGHT_MS);
    await expectSame(tab, fresh, { path: quiet.path, place: PLACE }, ['I write while you sleep', 'And once more']);
    await isLive(tab);
    await quiet.write('Good morning');
    await tab.page.getByRole('log').getByText('Good morning').waitFor();
  });
  await tab.close();
  line.close();
}

async function proveKill(browser: Browser, scene: Scene, report: Report, quiet: Quiet, fresh: Tab): Promise<void> {
  const tab = await Tab.open(browser, scene, { key: scene.key });
  await report.prove('a tab goes on after the engine was killed, and nothing that was typed is lost', tab, async () => {
    await quiet.open(tab);
    const field = tab.page.getByLabel('Your message');
    await field.fill('Typed before the engine died');
    await scene.killEngine();
    await tab.page.getByText(/^Offline since/).waitFor();
    await quiet.write('I write while the engine is dead');
    await scene.startEngine();
    await isLive(tab);
    assert.equal(await field.inputValue(), 'Typed before the engine died');
    await tab.page.getByRole('button', { name: 'Send', exact: true }).click();
    await until('the reply', async () => (await quiet.sent('Typed before the engine died')) === 1);
    await expectSame(tab, fresh, { path: quiet.path, place: PLACE }, [
      'I write while the engine is dead',
      'Typed before the engine died',
    ]);
  });
  await tab.close();
}
