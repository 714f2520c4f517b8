import assert from 'node:assert/strict';
import type { Browser, Page } from 'playwright-core';
import { until } from '../../../demo/until.ts';
import type { Report } from '../report.ts';
import { TENANT } from '../scene/scene.ts';
import type { Scene } from '../scene/scene.ts';
import { proveChoice } from './choice.ts';
import { proveLinks } from './links.ts';
import { proveSessionKey } from './session-key.ts';
import { Tab } from '../stage.ts';

const TYPED = 'Half an answer, and then';

/** How somebody comes in, and what happens when they may not stay. */
export async function proveDoor(browser: Browser, scene: Scene, report: Report): Promise<void> {
  const link = scene.firstLink;
  const first = await Tab.open(browser, scene);
  await report.prove('the address that the start prints opens the console', first, async () => {
    await first.page.goto(link);
    await first.page.getByRole('heading', { level: 1, name: 'Inbox' }).waitFor();
    assert.doesNotMatch(first.page.url(), /ticket/, 'Nobody who looks over a shoulder sees the ticket.');
  });
  await first.close();
  const second = await Tab.open(browser, scene);
  await report.prove('that address opens it once', second, async () => {
    await second.page.goto(link);
    await second.page.getByLabel('Key').waitFor();
    await second.page.getByRole('alert').or(second.page.locator('.problem')).waitFor();
  });
  await second.close();
  await proveRevoked(browser, scene, report);
  await proveLinks(browser, scene, report);
  await proveSessionKey(browser, scene, report);
  await proveChoice(browser, scene, report);
}

async function proveRevoked(browser: Browser, scene: Scene, report: Report): Promise<void> {
  const { apiKeys, sessions } = scene.engine;
  const made = await apiKeys.createForDashboard({ name: 'to be revoked' });
  await scene.sandbox.personWrites((await sessions.readStatus()).name, '15550100141', 'May I ask something?');
  const tab = await Tab.open(browser, scene);
  await report.prove(
    'whose key is revoked while they write logs in again, and their words are still there',
    tab,
    async () => {
      const { page } = tab;
      await tab.go('/inbox', { tenant: TENANT });
      await page.getByLabel('Key').fill(made.apiKey);
      await page.getByRole('button', { name: 'Log in' }).click();
      await page.locator('a.chat', { hasText: 'May I ask something?' }).click();
      await page.getByLabel('Your message').fill(TYPED);
      const late = await holdRefusal(page);
      await apiKeys.revoke(made.id);
      const door = page.getByRole('dialog', { name: 'Log in again' });
      await door.getByLabel('Key').fill(scene.key);
      await late.isHeld;
      await door.getByRole('button', { name: 'Log in' }).click();
      await door.waitFor({ state: 'hidden' });
      await late.letGo();
      await tab.settled();
      assert.equal(await door.isVisible(), false, 'A late answer to the login before asks nobody for a key.');
      assert.equal(await page.getByLabel('Your message').inputValue(), TYPED);
      await page.getByRole('button', { name: 'Send', exact: true }).click();
      await page.getByRole('article', { name: 'From you' }).filter({ hasText: TYPED }).waitFor();
      await until('the reply', async () => (await scene.sandbox.sends()).some(({ body }) => body === TYPED));
    },
  );
  await tab.close();
}

/** Holds back a refusal, as a slow line brings one when somebody has logged in again; others open the door. */
async function holdRefusal(page: Page): Promise<{ isHeld: Promise<void>; letGo(): Promise<void> }> {
  const held = Promise.withResolvers<void>();
  const free = Promise.withResolvers<void>();
  const told = Promise.withResolvers<void>();
  let refusals = 0;
  await page.route('**/api/v1/conversations/*?*', async (route) => {
    const response = await route.fetch();
    if (response.status() === 401) refusals += 1;
    const isLate = response.status() === 401 && refusals === 1;
    if (isLate) {
      held.resolve();
      await free.promise;
    }
    await route.fulfill({ response });
    if (isLate) told.resolve();
  });
  return {
    isHeld: held.promise,
    async letGo() {
      free.resolve();
      await told.promise;
      await page.unrouteAll({ behavior: 'wait' });
    },
  };
}
