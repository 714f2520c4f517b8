import assert from 'node:assert/strict';
import type { Browser } from 'playwright-core';
import { until } from '../../demo/until.ts';
import type { Report } from '../report.ts';
import { TENANT } from '../scene/scene.ts';
import type { Scene } from '../scene/scene.ts';
import { proveChoice } from './choice.ts';
import { proveLinks } from './links.ts';
import { proveSessionKey } from './session-key.ts';
import { Tab } from '../stage.ts';

const TYPED = 'Half an answer, and then';

/** Checks the login, and the end of a login. */
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
    const why = second.page.getByRole('alert');
    await why.getByText('This link no longer works').waitFor();
    assert.match(await why.innerText(), /master key/, 'Whoever runs the engine learns how they come in.');
  });
  await report.prove('whose key is wrong reads what they can do, and nothing for programs', second, async () => {
    const why = second.page.getByRole('alert').filter({ hasText: 'is not known' });
    await second.page.getByLabel('Key').fill('no-key-of-this-engine');
    await second.page.getByRole('button', { name: 'Log in' }).click();
    await why.waitFor();
    assert.doesNotMatch(await why.innerText(), /X-API-Key|rotateKey/);
  });
  await second.close();
  await proveRevoked(browser, scene, report);
  await proveTakenBack(browser, scene, report);
  await proveLinks(browser, scene, report);
  await proveReplaced(browser, scene, report);
  await proveSessionKey(browser, scene, report);
  await proveChoice(browser, scene, report);
}

async function proveTakenBack(browser: Browser, scene: Scene, report: Report): Promise<void> {
  const { consoleLinks } = scene.engine.for({ tenantId: TENANT });
  const { id, url } = await consoleLinks.create({ name: 'Ada', pages: ['events'] });
  const tab = await Tab.open(browser, scene);
  await report.prove('whose link is taken back is asked for a login at once, and does not look live', tab, async () => {
    const { page } = tab;
    const state = page.locator('.live-state').getByRole('status');
    await page.goto(url);
    await page.getByRole('link', { name: 'Live', exact: true }).click();
    await state.getByText('Live', { exact: true }).waitFor();
    await tab.settled();
    // Only the stream can tell of it: nothing else is answered from here on.
    const isOther = ({ pathname }: URL): boolean =>
      pathname.startsWith('/api/') && !pathname.endsWith('/events/stream');
    await page.route(isOther, () => undefined);
    await consoleLinks.revoke(id);
    await page.getByRole('dialog', { name: 'Log in again' }).waitFor();
    assert.doesNotMatch(await state.innerText(), /Live/);
  });
  await tab.close();
}

async function proveReplaced(browser: Browser, scene: Scene, report: Report): Promise<void> {
  const { consoleLinks } = scene.engine.for({ tenantId: TENANT });
  const { url } = await consoleLinks.create({ name: 'Ada', pages: ['inbox'] });
  const tab = await Tab.open(browser, scene, { key: scene.key });
  await report.prove('a link replaces the login of a browser only after a question', tab, async () => {
    const { page } = tab;
    const menu = page.getByRole('navigation').first();
    await page.goto(url);
    await page.getByRole('heading', { name: 'Replace your login?' }).waitFor();
    await page.getByRole('button', { name: 'Keep login' }).click();
    await menu.getByRole('link', { name: 'Agent' }).waitFor();
    // The hash alone would load nothing.
    await page.goto('about:blank');
    await page.goto(url);
    await page.getByRole('button', { name: 'Open link' }).click();
    await menu.getByRole('link', { name: 'Inbox' }).waitFor();
    assert.equal(await menu.getByRole('link', { name: 'Agent' }).count(), 0);
  });
  await tab.close();
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
      await apiKeys.revoke(made.id);
      const door = page.getByRole('dialog', { name: 'Log in again' });
      await door.getByLabel('Key').fill(scene.key);
      await door.getByRole('button', { name: 'Log in' }).click();
      await door.waitFor({ state: 'hidden' });
      assert.equal(await page.getByLabel('Your message').inputValue(), TYPED);
      await page.getByRole('button', { name: 'Send', exact: true }).click();
      await page.getByRole('article', { name: 'From you' }).filter({ hasText: TYPED }).waitFor();
      await until('the reply', async () => (await scene.sandbox.sends()).some(({ body }) => body === TYPED));
    },
  );
  await tab.close();
}
