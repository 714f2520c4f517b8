import assert from 'node:assert/strict';
import { until } from '../../demo/until.ts';
import type { Report } from '../report.ts';
import type { Scene } from '../scene/scene.ts';
import type { Tab } from '../stage.ts';
import { violations } from '../views/axe.ts';

const ADA = { from: '15550100171', pushName: 'Ada Okafor' };
const BEN = { from: '15550100172', pushName: 'Ben Vos' };
const GROUP = '120363000000000171@g.us';
const QUESTION = 'This one, or the other?';
const CARD = [
  'BEGIN:VCARD',
  'VERSION:3.0',
  'FN:Jan de Boer',
  'ORG:Utrecht Bikes',
  'TEL;type=CELL;waid=15550100999:+1 555 010 0999',
  'END:VCARD',
].join('\n');

/** Proves that contents other than words are on the screen, with their authors. */
export async function proveContent(
  tab: Tab,
  report: Report,
  { scene, tenant, account }: { scene: Scene; tenant: string; account: string },
): Promise<void> {
  const { page } = tab;
  const engine = scene.engine.for({ tenantId: tenant });
  const write = (from: typeof ADA, what: object): Promise<void> =>
    scene.sandbox.account(account, 'inbound', { ...from, ...what });
  const log = page.getByRole('log');

  await report.prove(
    'a card, a place, a poll, a link, marks and view-once are shown as what they are',
    tab,
    async () => {
      await write(ADA, { text: 'I want *this* one: https://shop.example/blue.' });
      const chat = await until(
        'the chat',
        async () => (await engine.conversations.list({ search: ADA.from })).chats[0],
      );
      await engine.conversations.assign(chat.conversationId);
      await write(ADA, { location: { latitude: 52.0907, longitude: 5.1214, title: 'Dom Tower' } });
      await write(ADA, { poll: { name: 'Which colour?', options: ['Blue', 'Green'] } });
      await write(ADA, { vcards: [CARD] });
      await write(ADA, { viewOnce: true, media: { mimetype: 'image/jpeg' } });
      await write(ADA, { text: QUESTION });
      await tab.go(`/inbox/${chat.conversationId}`, { tenant });
      await log.getByText(QUESTION, { exact: true }).waitFor();
      const link = log.getByRole('link', { name: 'https://shop.example/blue', exact: true });
      assert.equal(await link.getAttribute('href'), 'https://shop.example/blue');
      await log.locator('strong', { hasText: 'this' }).first().waitFor();
      const map = await log.getByRole('link', { name: 'Show on a map' }).getAttribute('href');
      assert.match(map ?? '', /^https:\/\/www\.openstreetmap\.org\/\?mlat=52\.0907&mlon=5\.1214/);
      for (const words of ['Dom Tower', 'Jan de Boer', 'Utrecht Bikes', '+1 555 010 0999', 'Green'])
        await log.getByText(words, { exact: true }).first().waitFor();
      await log.getByText('View once: open it on the phone.').waitFor();
      await page.getByRole('region', { name: 'Person' }).getByText(`+${ADA.from}`).waitFor();
      assert.deepEqual(await violations(page), []);
    },
  );

  await report.prove('an answer quotes the message that it is about, and the quote leads there', tab, async () => {
    const asked = page.getByRole('article', { name: 'From the customer' }).filter({ hasText: QUESTION });
    await asked.hover();
    await asked.getByRole('button', { name: 'Reply' }).click();
    await page.getByRole('form', { name: 'Answer' }).getByText(QUESTION).waitFor();
    await page.keyboard.type('The other.');
    await page.getByRole('button', { name: 'Send', exact: true }).click();
    const mine = page.getByRole('article', { name: 'From you' }).filter({ hasText: 'The other.' });
    await mine.getByRole('link', { name: /^Read/ }).waitFor();
    const quote = mine.getByRole('link', { name: QUESTION });
    await quote.click();
    assert.equal(await page.locator('article.found:focus').getByText(QUESTION, { exact: true }).count(), 1);
  });

  await report.prove('a group names whoever writes, once until another does', tab, async () => {
    await scene.sandbox.account(account, 'group', { id: GROUP, name: 'Bike club', come: [ADA.from, BEN.from] });
    await write(ADA, { chatId: GROUP, text: 'Who rides on Sunday?' });
    await write(BEN, { chatId: GROUP, text: 'Me!' });
    await write(BEN, { chatId: GROUP, text: 'At ten.' });
    const group = await until('the group', async () => {
      const { chats } = await engine.conversations.list({ limit: 100 });
      return chats.find(({ chatId, lastMessage }) => chatId === GROUP && lastMessage?.body === 'At ten.');
    });
    await tab.go(`/inbox/${group.conversationId}`, { tenant });
    await log.getByText('At ten.').waitFor();
    await log.getByText('The group is called “Bike club”', { exact: false }).waitFor();
    await tab.settled();
    assert.equal(await log.locator('.author').count(), 2);
    assert.match(await log.locator('.author').first().innerText(), /Ada Okafor|\+15550100171/);
  });
}
