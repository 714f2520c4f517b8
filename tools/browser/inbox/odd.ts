import assert from 'node:assert/strict';
import type { Browser } from 'playwright-core';
import { until } from '../../demo/until.ts';
import type { Report } from '../report.ts';
import type { Scene } from '../scene/scene.ts';
import { Tab, WIDE_SCREEN } from '../stage.ts';
import { violations } from '../views/axe.ts';
import { findCut } from '../views/layout.ts';

const PHONE = { width: 390, height: 844 };
const HOUR_MS = 3_600_000;
/** A name of 120 characters without a space, in a language that is read from right to left. */
const LONG = { from: '15550100187', pushName: 'محمد'.repeat(30), text: 'هل الدراجة الزرقاء ما زالت هناك؟' };
const WALL = { from: '15550100188', pushName: 'Wall', text: `${'wall'.repeat(16_383)}end!` };
const LATE = { from: '15550100189', pushName: 'Late', text: 'What time is it?' };

interface Place {
  scene: Scene;
  tenant: string;
  account: string;
}

/** Customers have long names and much to say, and people have wrong clocks and languages of their own. */
export async function proveOdd(browser: Browser, report: Report, { scene, tenant, account }: Place): Promise<void> {
  const engine = scene.engine.for({ tenantId: tenant });
  const chatOf = async (customer: { from: string; pushName: string; text: string }): Promise<string> => {
    await scene.sandbox.account(account, 'inbound', customer);
    const chat = await until('the chat', async () => {
      const { chats } = await engine.conversations.list({ search: customer.from });
      return chats[0];
    });
    return chat.conversationId;
  };
  const tab = await Tab.open(browser, scene, { key: scene.key });
  const fits = async (): Promise<void> => {
    for (const size of [WIDE_SCREEN, PHONE]) {
      await tab.page.setViewportSize(size);
      await tab.settled();
      assert.deepEqual(await tab.page.evaluate(findCut), []);
      assert.deepEqual(await violations(tab.page), []);
    }
    await tab.page.setViewportSize(WIDE_SCREEN);
  };

  await report.prove('a name of 120 letters and words from right to left fit', tab, async () => {
    const chat = await chatOf(LONG);
    await tab.go(`/inbox/${chat}`, { tenant });
    await tab.page.getByRole('log').getByText(LONG.text, { exact: true }).waitFor();
    await fits();
  });

  await report.prove('a message of 65,536 letters without a space fits', tab, async () => {
    const chat = await chatOf(WALL);
    await tab.go(`/inbox/${chat}`, { tenant });
    const article = tab.page.getByRole('article', { name: /^From Wall|^From the customer/ }).first();
    await article.waitFor();
    const { messages } = await engine.conversations.listMessages(chat);
    const said = messages.at(-1)?.body ?? '';
    assert.equal(said.length, WALL.text.length);
    assert.ok((await article.innerText()).includes(said.slice(-8)));
    await fits();
  });
  await tab.close();

  for (const [way, shift] of [
    ['fast', HOUR_MS],
    ['slow', -HOUR_MS],
  ] as const) {
    const wrong = await Tab.open(browser, scene, { key: scene.key });
    await report.prove(`a clock that is an hour ${way} shows no wait from the future, and answers`, wrong, async () => {
      const { page } = wrong;
      await page.clock.setSystemTime(Date.now() + shift);
      const chat = await chatOf({ ...LATE, text: `${LATE.text} ${way}` });
      await wrong.go(`/inbox/${chat}`, { tenant });
      await page.getByRole('log').getByText(`${LATE.text} ${way}`, { exact: true }).waitFor();
      const list = await page.locator('.chats').innerText();
      assert.doesNotMatch(list, /-\d|\bin \d/);
      await page.getByLabel('Your message').fill(`It is late, and ${way}.`);
      await page.getByRole('button', { name: 'Send', exact: true }).click();
      await page
        .getByRole('article', { name: 'From you' })
        .filter({ hasText: `It is late, and ${way}.` })
        .waitFor();
    });
    await wrong.close();
  }

  const reader = await Tab.open(browser, scene, { key: scene.key, locale: 'de-AT' });
  await report.prove('a reader of German has German words, and times of the tenant’s zone', reader, async () => {
    const { page } = reader;
    await engine.tenantSettings.update(tenant, { timeZone: 'Asia/Tokyo' });
    const chat = await chatOf(LATE);
    await reader.go(`/inbox/${chat}`, { tenant });
    await page.getByRole('log', { name: 'Nachrichten' }).getByText(LATE.text, { exact: true }).last().waitFor();
    assert.equal(await page.locator('html').getAttribute('lang'), 'de');
    const at = (await engine.conversations.listMessages(chat)).messages[0]?.timestamp ?? 0;
    const inTokyo = new Date(at * 1_000).toLocaleTimeString('de-AT', {
      hour: '2-digit',
      minute: '2-digit',
      timeZone: 'Asia/Tokyo',
    });
    await page.getByRole('article').last().getByText(inTokyo).waitFor();
    await page.getByRole('button', { name: 'Hilfe' }).click();
    await page.getByLabel('Sprache').selectOption('pt');
    await page.getByRole('log', { name: 'Mensagens' }).waitFor();
    await engine.tenantSettings.update(tenant, { timeZone: null });
  });
  await reader.close();
}
