import assert from 'node:assert/strict';
import { until } from '../../demo/until.ts';
import type { Report } from '../report.ts';
import type { Scene } from '../scene/scene.ts';
import type { Tab } from '../stage.ts';

const BERTA = { from: '15550100191', pushName: 'Berta Roth', text: 'Is the tandem sold?' };
const SOON = { timeout: 10_000 };

interface Place {
  scene: Scene;
  tenant: string;
}

/** Proves that the finder leads to people and messages of any account, and to none of the words before. */
export async function proveFinding(tab: Tab, report: Report, { scene, tenant }: Place): Promise<void> {
  const { page } = tab;
  const engine = scene.engine.for({ tenantId: tenant });
  const second = await scene.connectAccount('desk-2', tenant);
  await scene.sandbox.account(second.name, 'inbound', BERTA);
  const { conversationId } = await until('the chat of the second account', async () => {
    const { chats } = await engine.conversations.list({ search: BERTA.from, session: second.id });
    return chats[0];
  });
  const arrives = (): Promise<void> =>
    page.waitForURL(
      (url) => url.pathname.endsWith(conversationId) && url.searchParams.get('session') === second.id,
      SOON,
    );

  await report.prove('a hit of another account opens beside the list of that account', tab, async () => {
    await tab.go('/inbox', { tenant });
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox', { name: /^Find people/ }).waitFor();
    await page.keyboard.type('tandem');
    await page.getByRole('option').filter({ hasText: 'tandem' }).waitFor(SOON);
    await page.keyboard.press('Enter');
    await arrives();
    await page.locator(`a.chat[href*="${conversationId}"]`).waitFor(SOON);
  });

  await report.prove('Enter waits for the hits of the words that were typed last', tab, async () => {
    await tab.go(`/inbox?session=${second.id}`, { tenant });
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox', { name: /^Find people/ }).waitFor();
    await page.keyboard.type('zanzib');
    await page.getByRole('option').filter({ hasText: 'zanzibar' }).waitFor(SOON);
    await page.keyboard.press('Control+a');
    await page.keyboard.type('Berta');
    await page.keyboard.press('Enter');
    await arrives();
    assert.equal(await page.getByRole('dialog', { name: 'Find' }).count(), 0);
  });
}
