import assert from 'node:assert/strict';
import type { Browser } from 'playwright-core';
import { keyboard } from '../hand/keyboard.ts';
import type { Report } from '../report.ts';
import type { Scene } from '../scene/scene.ts';
import { Tab } from '../stage.ts';
import { CHAT_TASKS } from './chats.ts';
import { DAY_TENANT, focusIsHeld } from './day.ts';
import type { Day } from './day.ts';
import { UPKEEP_TASKS } from './upkeep.ts';

/** One person works a whole day without a mouse, from the login to the logout. The engine is asked what each task did. */
export async function proveDay(browser: Browser, scene: Scene, report: Report): Promise<void> {
  const { name: account } = await scene.connectAccount(undefined, DAY_TENANT);
  const day: Day = { scene, engine: scene.engine.for({ tenantId: DAY_TENANT }), account };
  const tab = await Tab.open(browser, scene);
  const { page } = tab;
  const hand = keyboard(page);
  const isLoggedIn = async (): Promise<boolean> => (await page.request.get(`${scene.url}/console/session`)).ok();

  await report.prove('a person logs in, by keyboard', tab, async () => {
    await tab.go('/inbox', { tenant: DAY_TENANT });
    assert.equal(await isLoggedIn(), false);
    await hand.write(page.getByLabel('Key', { exact: true }), scene.key);
    await page.keyboard.press('Enter');
    await page.getByRole('navigation', { name: 'Pages' }).waitFor();
    assert.equal(await isLoggedIn(), true);
    await focusIsHeld(page);
  });
  for (const task of [...CHAT_TASKS, ...UPKEEP_TASKS])
    await report.prove(`a person ${task.title}, by keyboard`, tab, async () => {
      await task.prepare?.(day);
      await task.act(hand, day);
      await focusIsHeld(page);
    });
  await report.prove('a person logs out, by keyboard', tab, async () => {
    await hand.press(page.getByRole('button', { name: 'Log out' }));
    await page.getByLabel('Key', { exact: true }).waitFor();
    assert.equal(await isLoggedIn(), false);
  });
  await tab.close();
}
