import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { until } from '../../demo/until.ts';
import type { Report } from '../report.ts';
import type { Scene } from '../scene/scene.ts';
import type { Tab } from '../stage.ts';

const ASKS = { from: '15550100161', text: 'Does anybody wait with me?' };
/** The sandbox's network does not know numbers that end like this. */
const NOWHERE = '15550100010';
export const NAME = 'Maria';

const HIDDEN_WITHIN_MS = 90_000;

/** The lists of who waits, whose chat is mine and whom the agent has; a tab says how many wait. */
export async function proveLists(
  tab: Tab,
  report: Report,
  { scene, tenant, account }: { scene: Scene; tenant: string; account: string },
): Promise<void> {
  const { page } = tab;
  const engine = scene.engine.for({ tenantId: tenant });
  const views = page.getByRole('navigation', { name: 'Lists' });
  const row = page.locator('a.chat', { hasText: ASKS.text });
  const waitingNow = (): Promise<number> =>
    engine.conversations.list({ waiting: 'true', limit: 1 }).then(({ total }) => total);

  await report.prove('who waits is in a list of their own with an age, and is counted in the tab', tab, async () => {
    await scene.sandbox.personWrites(account, ASKS.from, ASKS.text);
    await tab.go('/inbox', { tenant });
    await views.getByRole('link', { name: /^Waiting for us/ }).click();
    await row.getByText('Waits').waitFor();
    await until('the tab to count whoever waits', async () => {
      const waiting = await waitingNow();
      return waiting > 0 && (await page.title()).startsWith(`(${waiting}) `);
    });
    const icon = await page.locator('link[rel="icon"]').getAttribute('href');
    assert.match(decodeURIComponent(icon ?? ''), /<text[^>]*>\d+<\/text>/, 'The picture of the tab counts them, too.');
  });

  await report.prove('a hidden tab counts who waits, without the stream that a tab in front holds', tab, async () => {
    const ended = page.waitForEvent('requestfailed', {
      predicate: (request) => request.url().includes('/events/stream'),
      timeout: HIDDEN_WITHIN_MS,
    });
    await hide(page, true);
    await ended;
    const before = await waitingNow();
    await scene.sandbox.personWrites(account, '15550100162', 'And with me?');
    await until(
      'the hidden tab to count one more',
      async () => (await page.title()).startsWith(`(${before + 1}) `),
      HIDDEN_WITHIN_MS,
    );
    await hide(page, false);
  });

  await report.prove('a chat that a person takes is in their own list, and not in the agent’s', tab, async () => {
    await views.getByRole('button', { name: 'Mine' }).click();
    await page.getByLabel('Your name').fill(NAME);
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText('No conversations match.').waitFor();
    await views.getByRole('link', { name: 'Agent' }).click();
    await row.click();
    await page.getByRole('button', { name: 'Take over' }).click();
    await page.getByText(`${NAME} answers`).waitFor();
    await row.waitFor({ state: 'detached' });
    await views.getByRole('link', { name: 'Mine' }).click();
    await row.getByText(NAME).waitFor();
  });

  await report.prove('a message that was not sent is a badge in the list', tab, async () => {
    await engine.messages.send({ to: NOWHERE, text: 'Your bicycle is ready.' });
    await views.getByRole('link', { name: 'All' }).click();
    await page.locator('a.chat', { hasText: 'Program: Your bicycle is ready.' }).getByText('Not sent').waitFor();
  });
}

/** Chromium without a screen hides no tab. */
const hide = (page: Page, isHidden: boolean): Promise<void> =>
  page.evaluate((hidden) => {
    Object.defineProperty(document, 'hidden', { configurable: true, get: () => hidden });
    document.dispatchEvent(new Event('visibilitychange'));
  }, isHidden);
