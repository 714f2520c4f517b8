import assert from 'node:assert/strict';
import { until } from '../../demo/until.ts';
import type { Task } from './task.ts';

const ASKS = { mouse: 'Is the blue bicycle still there?', keyboard: 'Do you have the green one, too?' } as const;
/** The smallest picture, as large as one of a phone: what stands behind its end is passed over. */
const PIXEL = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==';
const PICTURE = Buffer.concat([Buffer.from(PIXEL, 'base64'), Buffer.alloc(3_000_000)]);
const NAME = 'Maria';
const PHONES = { mouse: '15550100121', keyboard: '15550100122' } as const;

export const answer: Task = {
  title: 'answers a customer after taking over',
  from: '/connect',
  async prepare({ sandbox, engine }, hand) {
    await sandbox.personWrites(await firstAccount(engine), PHONES[hand], ASKS[hand]);
  },
  async act({ name: hand, page, ...does }, { sandbox, engine }) {
    const reply = `Yes, by the ${hand}: come and look!`;
    const [typo, mended] = [`Until Mnday, says the ${hand}`, `Until Monday, says the ${hand}`];
    await does.open('Inbox');
    const { conversationId } = await until('the question', async () => {
      const { chats } = await engine.conversations.list({ search: PHONES[hand] });
      return chats[0];
    });
    await does.press(page.locator(`a.chat[href*="${conversationId}"]`));
    await page.getByRole('log').getByText(ASKS[hand], { exact: true }).waitFor();
    await does.press(page.getByRole('button', { name: 'Take over' }));
    // The takeover is done, and asks once for the name under which the chat is listed.
    await does.write(page.getByLabel('Your name'), NAME);
    await does.press(page.getByRole('button', { name: 'Save', exact: true }));
    await page.getByText(`${NAME} answers`).waitFor();
    await page.getByRole('button', { name: 'Give back' }).waitFor();
    await does.write(page.getByLabel('Your message'), reply);
    await page.getByText('Will be sent now').waitFor();
    await does.press(page.getByText('Files, buttons, send later'));
    const picture = { name: `${hand}.png`, mimeType: 'image/png', buffer: PICTURE };
    await page.getByLabel('Files from this device').setInputFiles(picture);
    await page.getByText(picture.name).waitFor();
    await does.press(page.getByRole('button', { name: 'Send', exact: true }));
    const mine = page.getByRole('article', { name: 'From you' }).filter({ hasText: reply });
    await mine.getByRole('link', { name: /^Read/ }).waitFor();
    await mine.getByRole('img', { name: picture.name }).waitFor();
    // The answer to the send empties the field, and may come after the message is shown.
    await until('the field to be empty', async () => (await page.getByLabel('Your message').inputValue()) === '');
    await does.write(page.getByLabel('Your message'), typo);
    await does.press(page.getByRole('button', { name: 'Send', exact: true }));
    const second = page.getByRole('article', { name: 'From you' }).filter({ hasText: typo });
    await second.getByRole('link', { name: /^Read/ }).waitFor();
    await does.press(second.getByRole('button', { name: 'React or edit' }));
    await does.press(second.getByRole('menuitem', { name: 'Edit …' }));
    await does.write(page.getByLabel('New text'), mended);
    await does.press(page.getByRole('button', { name: 'Save', exact: true }));
    await page.getByRole('article', { name: 'From you' }).filter({ hasText: mended }).getByText('Edited').waitFor();
    const arrived = (await sandbox.sends()).filter(({ body }) => body === reply);
    assert.equal(arrived.length, 1, 'The customer has it once.');
    assert.equal((await engine.conversations.read(conversationId)).mode, 'human_takeover');
  },
};

async function firstAccount(engine: Parameters<Task['act']>[1]['engine']): Promise<string> {
  const { name } = await engine.sessions.readStatus();
  return name;
}
