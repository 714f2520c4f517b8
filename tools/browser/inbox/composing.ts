import assert from 'node:assert/strict';
import { until } from '../../demo/until.ts';
import type { Report } from '../report.ts';
import type { Scene } from '../scene/scene.ts';
import type { Tab } from '../stage.ts';
import { violations } from '../views/axe.ts';

const GUS = { from: '15550100181', pushName: 'Gus Lang' };
const OTHER = '15550100182';
/** More than the page reads at once, so that the first is not among them. */
const MESSAGES = 60;
const RARE = 'Does the zanzibar saddle fit?';
const SOON = { timeout: 10_000 };

interface Place {
  scene: Scene;
  tenant: string;
  account: string;
}

/** Proves how an answer is written: drafts, canned answers, emoji and files. */
export async function proveComposing(tab: Tab, report: Report, { scene, tenant, account }: Place): Promise<void> {
  const { page } = tab;
  const engine = scene.engine.for({ tenantId: tenant });
  const field = page.getByLabel('Your message');
  await engine.cannedAnswers.set('hours', { text: 'Hello {first_name}, we open at nine. {me}' });
  await scene.sandbox.account(account, 'inbound', { ...GUS, text: RARE });
  const { conversationId } = await until('the chat', async () => {
    const { chats } = await engine.conversations.list({ search: GUS.from });
    return chats[0];
  });

  await report.prove(
    'a draft is there after a reload, with a canned answer, an emoji and a dropped file',
    tab,
    async () => {
      await tab.go(`/inbox/${conversationId}`, { tenant });
      await page.getByRole('region', { name: 'Person' }).getByRole('heading', { name: GUS.pushName }).waitFor();
      await field.fill('');
      await field.pressSequentially('/hou');
      const option = page.getByRole('option', { name: '/hours' });
      await option.getByText('Gus', { exact: true }).waitFor();
      assert.deepEqual(await violations(page), []);
      await page.keyboard.press('Enter');
      assert.match(await field.inputValue(), /^Hello Gus, we open at nine\. /);
      await page.getByRole('button', { name: 'Emoji' }).click();
      await page.getByLabel('Find an emoji').fill('thank');
      await page.keyboard.press('Enter');
      assert.match(await field.inputValue(), /🙏$/u);
      const written = await field.inputValue();
      await page.reload();
      await page.getByRole('log').getByText(RARE, { exact: true }).waitFor();
      assert.equal(await field.inputValue(), written);
      const dropped = await page.evaluateHandle(
        (bytes) => {
          const given = new DataTransfer();
          given.items.add(new File([new Uint8Array(bytes)], 'bike.png', { type: 'image/png' }));
          return given;
        },
        [...Buffer.from(PIXEL, 'base64')],
      );
      await page.dispatchEvent('.thread', 'dragover', { dataTransfer: dropped });
      await page.getByText('Drop the files to add them').waitFor();
      await page.dispatchEvent('.thread', 'drop', { dataTransfer: dropped });
      await page.getByRole('img', { name: 'bike.png' }).waitFor();
      await page.getByRole('button', { name: 'Remove file 1 from the message' }).click();
      await field.focus();
      await page.keyboard.press('Control+Enter');
      await page.getByRole('article', { name: 'From you' }).filter({ hasText: 'we open at nine' }).waitFor();
      await until('the field to be empty', async () => (await field.inputValue()) === '');
      const kept = await page.evaluate(() => Object.keys(localStorage).filter((name) => name.includes('draft')));
      assert.deepEqual(kept, []);
    },
  );

  await report.prove('an answer that is saved while a message is written sends nothing', tab, async () => {
    const before = (await engine.conversations.listMessages(conversationId)).messages.length;
    await field.fill('');
    await field.pressSequentially('We close at six. /');
    await page.getByRole('option', { name: 'Manage canned answers' }).click();
    const dialog = page.getByRole('dialog', { name: 'Canned answers' });
    await dialog.waitFor();
    assert.match(await dialog.getByLabel('Text').inputValue(), /^We close at six\./);
    await page.keyboard.type('closing');
    await page.keyboard.press('Enter');
    await dialog.getByRole('button', { name: 'Edit /closing' }).waitFor(SOON);
    await dialog.getByRole('button', { name: 'Close', exact: true }).click();
    await tab.settled();
    assert.match(await field.inputValue(), /^We close at six\./);
    assert.equal((await engine.conversations.listMessages(conversationId)).messages.length, before);
    await field.fill('');
  });

  await scene.sandbox.personWrites(account, OTHER, 'Another person');
  for (let n = 1; n <= MESSAGES; n += 1) await scene.sandbox.personWrites(account, GUS.from, `Message ${n}`);
  await until('all messages', async () => {
    const { chats } = await engine.conversations.list({ search: GUS.from });
    return chats[0]?.lastMessage?.body === `Message ${MESSAGES}`;
  });

  await report.prove('a word that somebody wrote opens the chat at its message', tab, async () => {
    await page.keyboard.press('Escape');
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox', { name: /^Find people/ }).waitFor();
    // The focus is there, so that whoever types at once is heard.
    await page.keyboard.type('zanzib');
    await page.getByRole('option').filter({ hasText: 'zanzibar' }).waitFor(SOON);
    assert.deepEqual(await violations(page), []);
    await page.keyboard.press('Enter');
    const found = page.locator('article.found').filter({ hasText: RARE });
    await found.waitFor();
    assert.equal(await found.evaluate((one) => document.activeElement === one), true, 'It has the focus.');
    await page.getByRole('button', { name: 'Newest messages' }).click();
    await page.getByRole('log').getByText(`Message ${MESSAGES}`, { exact: true }).waitFor();
  });

  await report.prove('whoever reads earlier messages stays there, and sees how many are new', tab, async () => {
    await tab.settled();
    await page.locator('.thread').evaluate((thread) => (thread.scrollTop = 0));
    await scene.sandbox.personWrites(account, GUS.from, 'One more');
    const pill = page.getByRole('button', { name: '1 new' });
    await pill.waitFor(SOON);
    await pill.click();
    await pill.waitFor({ state: 'detached' });
    await page.getByRole('log').getByText('One more', { exact: true }).waitFor();
  });

  await report.prove('a thread is one stop of the Tab key, and keys lead through the inbox', tab, async () => {
    await page.getByRole('log').focus();
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('ArrowUp');
    assert.equal(await page.evaluate(() => document.activeElement?.tagName), 'ARTICLE');
    await page.keyboard.press('Tab');
    assert.equal(await page.evaluate(() => document.activeElement?.closest('[role=log]') ?? null), null);
    await page.getByRole('log').focus();
    await page.keyboard.press('r');
    assert.equal(await field.evaluate((one) => document.activeElement === one), true);
    await page.getByRole('log').focus();
    await page.keyboard.press('/');
    assert.equal(
      await page.getByLabel('Search', { exact: true }).evaluate((one) => document.activeElement === one),
      true,
    );
    await page.getByRole('log').focus();
    await page.keyboard.press('j');
    await page.waitForURL((url) => !url.pathname.includes(conversationId));
    await page.keyboard.press('k');
    await page.waitForURL((url) => url.pathname.includes(conversationId));
  });
}

const PIXEL = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==';
