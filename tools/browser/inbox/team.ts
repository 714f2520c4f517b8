import assert from 'node:assert/strict';
import type { Browser, Page } from 'playwright-core';
import { until } from '../../demo/until.ts';
import type { Report } from '../report.ts';
import type { Scene } from '../scene/scene.ts';
import { Tab, WIDE_SCREEN } from '../stage.ts';
import { violations } from '../views/axe.ts';

const ASKS = { from: '15550100186', text: 'Do you deliver before noon?' };
const NOTE = 'Rings twice: the bell is broken.';
/** A hint is on the screen of a colleague within this time. */
const SOON = { timeout: 10_000 };

interface Place {
  scene: Scene;
  tenant: string;
  account: string;
}

/** Two people of a team see each other in a chat, share notes about its person, and give it to each other. */
export async function proveTeam(browser: Browser, tab: Tab, report: Report, place: Place): Promise<void> {
  const { scene, tenant, account } = place;
  const { page } = tab;
  const engine = scene.engine.for({ tenantId: tenant });
  await scene.sandbox.personWrites(account, ASKS.from, ASKS.text);
  const { conversationId, contactId } = await until(
    'the chat',
    async () => (await engine.conversations.list({ search: ASKS.from })).chats[0],
  );
  const other = await Tab.open(browser, scene, { key: scene.key });
  await other.go('/inbox', { tenant });
  await other.page.getByRole('button', { name: 'Set your name' }).click();
  await other.page.getByRole('textbox', { name: 'Your name' }).fill('Bo');
  await other.page.getByRole('button', { name: 'Save', exact: true }).click();
  await tab.go(`/inbox/${conversationId}`, { tenant });
  await other.go(`/inbox/${conversationId}`, { tenant });

  await report.prove('two people in one chat see each other, and who writes', tab, async () => {
    await tab.settled();
    await other.settled();
    await page.getByText('Bo has this chat open').waitFor(SOON);
    await other.page.getByLabel('Your message').fill('We do');
    await page.getByText('Bo is writing …').waitFor(SOON);
    await other.page.getByLabel('Your message').fill('');
    await page.getByText('Bo has this chat open').waitFor(SOON);
  });

  await report.prove(
    'a note reaches the team at once, with its author, and neither customer nor agent',
    tab,
    async () => {
      await other.page.getByLabel('New note').fill(NOTE);
      await other.page.getByRole('button', { name: 'Save note' }).click();
      const note = notesOf(page).getByRole('listitem').filter({ hasText: NOTE });
      await note.getByText('Bo').waitFor(SOON);
      const { systemPrompt } = await engine.agentContext.read({ conversationId });
      assert.ok(!systemPrompt.includes(NOTE));
      const { messages } = await engine.conversations.listMessages(conversationId);
      assert.ok(messages.every(({ body }) => body !== NOTE));
      await note.getByRole('button', { name: 'Edit …' }).click();
      const dialog = page.getByRole('dialog', { name: 'Edit note' });
      await dialog.getByLabel('Note').fill('The bell works again.');
      await dialog.getByRole('button', { name: 'Save note' }).click();
      await notesOf(other.page).getByText('The bell works again.').waitFor(SOON);
      assert.deepEqual(await violations(page), []);
    },
  );

  await report.prove(
    'a chat is given to a colleague by name, and each act has the name of its person',
    tab,
    async () => {
      await page.getByRole('button', { name: 'Assign …' }).click();
      const dialog = page.getByRole('dialog', { name: 'Assign this conversation' });
      assert.equal(await dialog.getByLabel('Assign to', { exact: true }).inputValue(), '');
      await dialog.getByLabel('Assign to', { exact: true }).fill('b');
      await dialog.getByRole('option', { name: 'Bo', exact: true }).click();
      assert.equal(await dialog.getByLabel('Assign to', { exact: true }).inputValue(), 'Bo');
      await dialog.getByRole('button', { name: 'Assign', exact: true }).click();
      await other.page.getByText('Bo answers').waitFor();
      await other.page.getByRole('button', { name: 'Give back' }).click();
      const handovers = await until('the handovers', async () => {
        const chat = await engine.conversations.read(conversationId);
        return chat.handovers.length === 2 && chat.handovers;
      });
      assert.equal(handovers[0]?.actor, 'Bo');
      const { notes } = await engine.notes.list({ contactId: contactId ?? '' });
      assert.equal(notes[0]?.author, 'Bo');
    },
  );

  await report.prove('the person fits beside the chat of a laptop, and a phone shows them alone', tab, async () => {
    await engine.memories.create({ contactId: contactId ?? '', fact: 'Lives in Utrecht', category: 'x', source: 'me' });
    for (const [width, height] of SCREENS) {
      await page.setViewportSize({ width, height });
      await tab.go(`/inbox/${conversationId}?pane=person`, { tenant });
      await page.getByText('Lives in Utrecht').waitFor();
      await tab.settled();
      const person = page.getByRole('region', { name: 'Person', exact: true });
      const { scrollWidth, clientWidth } = await person.evaluate((element) => ({
        scrollWidth: element.scrollWidth,
        clientWidth: element.clientWidth,
      }));
      assert.ok(scrollWidth <= clientWidth, `The person is wider than its pane at ${width}.`);
      assert.deepEqual(await violations(page), []);
    }
    await page.setViewportSize(WIDE_SCREEN);
  });
  await other.close();
}

const SCREENS = [
  [1280, 720],
  [390, 844],
] as const;

const notesOf = (page: Page) => page.getByRole('region', { name: 'Notes' });
