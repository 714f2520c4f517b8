import assert from 'node:assert/strict';
import { until } from '../../demo/until.ts';
import { violations } from '../views/axe.ts';
import { bubble, COLLEAGUE, conversationOf, focusIsHeld, ME, message, openChat, sendByKey, writes } from './day.ts';
import type { Customer, DayTask } from './day.ts';

const ANA: Customer = { from: '15550100201', pushName: 'Ana Silva', text: 'Is the green bicycle in stock?' };
const ASKED = 'And how much is it?';
const ANSWER = 'Yes, two of them.';
const PRICE = 'It costs 400 euros.';
const MISTAKE = 'It costs 4 euros.';
const BEN: Customer = { from: '15550100202', pushName: 'Ben Vos', text: 'My pannier has a torn strap.' };
const CAY: Customer = { from: '15550100203', pushName: 'Cay Lund', text: 'Please do not write to me.' };
const NOTE = 'Pays in cash.';
const FILE = { name: 'offer.pdf', mimeType: 'application/pdf', buffer: Buffer.from('%PDF-1.4\n%%EOF\n') };

/** A day at the inbox, in its order. */
export const CHAT_TASKS: readonly DayTask[] = [
  {
    title: 'gives the name under which colleagues see them',
    async act({ page, press, write }) {
      await press(page.getByRole('button', { name: 'Set your name' }));
      await write(page.getByRole('textbox', { name: 'Your name' }), ME);
      await page.keyboard.press('Enter');
      await page.getByRole('button', { name: ME, exact: true }).waitFor();
    },
  },
  {
    title: 'finds the customer who waits',
    async prepare(day) {
      await writes(day, ANA);
    },
    async act({ page, press, open }, day) {
      await open('Inbox');
      await press(page.getByRole('navigation', { name: 'Lists' }).getByRole('link', { name: /^Waiting for us/ }));
      await page.locator('a.chat', { hasText: ANA.text }).waitFor();
      const { chats } = await day.engine.conversations.list({ waiting: 'true' });
      assert.deepEqual(
        chats.map(({ name }) => name),
        [ANA.pushName],
      );
    },
  },
  {
    title: 'opens a chat and reads it',
    async act({ page, press }, day) {
      const id = await conversationOf(day, ANA);
      await press(page.locator(`a.chat[href*="${id}"]`));
      await page.getByRole('log').getByText(ANA.text, { exact: true }).waitFor();
      await until('the chat to be read', async () => (await day.engine.conversations.read(id)).unreadCount === 0);
    },
  },
  {
    title: 'takes the chat over from the agent',
    async act({ page, press }, day) {
      const id = await conversationOf(day, ANA);
      await press(page.getByRole('button', { name: 'Take over' }));
      await page.getByText(`${ME} answers`).waitFor();
      assert.equal((await day.engine.conversations.read(id)).mode, 'human_takeover');
    },
  },
  {
    title: 'answers',
    async act(hand, day) {
      const id = await conversationOf(day, ANA);
      await hand.write(hand.page.getByLabel('Your message'), ANSWER);
      await sendByKey(hand);
      await message(day, id, 'the answer', ({ body, fromMe }) => fromMe && body === ANSWER);
      await bubble(hand.page, ANSWER).waitFor();
    },
  },
  {
    title: 'quotes a question in the answer',
    async prepare(day) {
      await writes(day, { ...ANA, text: ASKED });
    },
    async act(hand, day) {
      const id = await conversationOf(day, ANA);
      await hand.press(bubble(hand.page, ASKED).getByRole('button', { name: 'Reply' }));
      await hand.page.keyboard.type(PRICE);
      await sendByKey(hand);
      const asked = await message(day, id, 'the question', ({ body }) => body === ASKED);
      const said = await message(day, id, 'the answer', ({ body }) => body === PRICE);
      assert.equal(said.replyTo, asked.messageId);
    },
  },
  {
    title: 'reacts to a message',
    async act({ page, press }, day) {
      const id = await conversationOf(day, ANA);
      await press(bubble(page, ASKED).first().getByRole('button', { name: 'React', exact: true }));
      assert.deepEqual(await violations(page), []);
      await press(page.getByRole('menuitem', { name: 'React with 🙏' }));
      const isMine = (each: { fromMe: boolean; emoji: string }): boolean => each.fromMe && each.emoji === '🙏';
      await message(day, id, 'the reaction', ({ reactions }) => reactions?.some(isMine) === true);
    },
  },
  {
    title: 'inserts a canned answer',
    async prepare({ engine }) {
      await engine.cannedAnswers.set('hours', { text: 'Hello {first_name}, we open at nine.' });
    },
    async act(hand, day) {
      const { page } = hand;
      await hand.write(page.getByLabel('Your message'), '/hou');
      await page.getByRole('option', { name: '/hours' }).waitFor();
      await page.keyboard.press('Enter');
      await sendByKey(hand);
      const id = await conversationOf(day, ANA);
      await message(day, id, 'the canned answer', ({ body }) => body === 'Hello Ana, we open at nine.');
    },
  },
  {
    title: 'attaches a file',
    async act(hand, day) {
      const { page } = hand;
      await until('the field to be empty', async () => (await page.getByLabel('Your message').inputValue()) === '');
      await hand.press(page.getByText('Files, buttons, send later'));
      const [chooser] = await Promise.all([
        page.waitForEvent('filechooser'),
        hand.press(page.getByLabel('Files from this device')),
      ]);
      await chooser.setFiles(FILE);
      await page.getByText(FILE.name).first().waitFor();
      await hand.press(page.getByRole('button', { name: 'Send', exact: true }));
      const id = await conversationOf(day, ANA);
      await message(day, id, 'the file', ({ fromMe, hasMedia }) => fromMe && hasMedia);
    },
  },
  {
    title: 'deletes a message for everyone',
    async act(hand, day) {
      const { page, press } = hand;
      const id = await conversationOf(day, ANA);
      await hand.write(page.getByLabel('Your message'), MISTAKE);
      await sendByKey(hand);
      const wrong = bubble(page, MISTAKE);
      await wrong.getByRole('link', { name: /^Read/ }).waitFor();
      await press(wrong.getByRole('button', { name: 'React or edit' }));
      await press(page.getByRole('menuitem', { name: 'Delete …' }));
      await press(page.getByRole('dialog').getByRole('button', { name: 'Delete', exact: true }));
      await message(day, id, 'the deletion', ({ fromMe, revokedAt }) => fromMe && revokedAt !== undefined);
    },
  },
  {
    title: 'writes a note for the team',
    async act({ page, press, write }, day) {
      await write(page.getByLabel('New note'), NOTE);
      await press(page.getByRole('button', { name: 'Save note' }));
      const { contactId } = await day.engine.conversations.read(await conversationOf(day, ANA));
      await until('the note', async () => {
        const { notes } = await day.engine.notes.list({ contactId: contactId ?? '' });
        return notes.some(({ text, author }) => text === NOTE && author === ME);
      });
    },
  },
  {
    title: 'gives the chat back to the agent',
    async act({ page, press }, day) {
      const id = await conversationOf(day, ANA);
      await press(page.getByRole('button', { name: 'Give back' }));
      await until('the agent', async () => (await day.engine.conversations.read(id)).mode === 'bot_active');
    },
  },
  {
    title: 'assigns a chat to themselves',
    async prepare(day) {
      await writes(day, BEN);
    },
    async act(hand, day) {
      const id = await conversationOf(day, BEN);
      await hand.open('Inbox');
      const lists = hand.page.getByRole('navigation', { name: 'Lists' });
      await hand.press(lists.getByRole('link', { name: 'All', exact: true }));
      await openChat(hand, id);
      await hand.press(hand.page.getByRole('button', { name: 'Assign …' }));
      await hand.press(hand.page.getByRole('button', { name: `Assign to me (${ME})` }));
      await until('the chat to be mine', async () => (await day.engine.conversations.read(id)).assignedTo === ME);
    },
  },
  {
    title: 'assigns a chat to a colleague from the list',
    async prepare(day) {
      // The list has people who had a chat before.
      await day.engine.conversations.assign(await writes(day, CAY), { assignee: COLLEAGUE });
    },
    async act({ page, press, write }, day) {
      const id = await conversationOf(day, BEN);
      await press(page.getByRole('button', { name: 'Assign …' }));
      const field = page.getByRole('dialog').getByLabel('Assign to', { exact: true });
      await write(field, 'b');
      await page.getByRole('option', { name: COLLEAGUE, exact: true }).waitFor();
      await page.keyboard.press('ArrowDown');
      assert.deepEqual(await violations(page), []);
      await page.keyboard.press('Enter');
      assert.equal(await field.inputValue(), COLLEAGUE);
      await page.keyboard.press('Enter');
      await until('the colleague', async () => (await day.engine.conversations.read(id)).assignedTo === COLLEAGUE);
    },
  },
  {
    title: 'searches words and opens the message that has them',
    async act({ page }, day) {
      const id = await conversationOf(day, ANA);
      await focusIsHeld(page);
      await page.keyboard.press('Control+k');
      await page.getByRole('combobox', { name: /^Find people/ }).waitFor();
      await page.keyboard.type('green bicycle');
      await page.getByRole('option').filter({ hasText: 'bicycle' }).first().waitFor();
      await page.keyboard.press('Enter');
      await page.waitForURL((url) => url.pathname.endsWith(id) && url.searchParams.has('at'));
      const { messages } = await day.engine.messages.search({ q: 'green bicycle' });
      assert.ok(messages.some(({ messageId }) => page.url().includes(messageId)));
      await page.locator('article.found').filter({ hasText: ANA.text }).waitFor();
    },
  },
  {
    title: 'opts a customer out',
    async act(hand, day) {
      const { page, press } = hand;
      const id = await conversationOf(day, CAY);
      await openChat(hand, id);
      await press(page.getByText('Stop contact'));
      await press(page.getByRole('button', { name: 'Opt out …' }));
      await press(page.getByRole('dialog').getByRole('button', { name: 'Opt out', exact: true }));
      await until('the opt-out', async () => (await day.engine.conversations.read(id)).contact?.isOptedOut === true);
    },
  },
];
