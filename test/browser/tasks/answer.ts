import assert from 'node:assert/strict';
import { until } from '../../../demo/until.ts';
import type { Task } from './task.ts';

const ASKS = { mouse: 'Is the blue bicycle still there?', keyboard: 'Do you have the green one, too?' } as const;
const PHONES = { mouse: '15550100121', keyboard: '15550100122' } as const;

export const answer: Task = {
  title: 'answers a customer after taking over',
  from: '/connect',
  async prepare({ sandbox, engine }, hand) {
    await sandbox.personWrites(await firstAccount(engine), PHONES[hand], ASKS[hand]);
  },
  async act({ name: hand, page, ...does }, { sandbox, engine }) {
    const reply = `Yes, by the ${hand}: come and look!`;
    await does.open('Inbox');
    const { conversationId } = await until('the question', async () => {
      const { chats } = await engine.conversations.list({ search: PHONES[hand] });
      return chats[0];
    });
    await does.press(page.locator(`a.chat[href*="${conversationId}"]`));
    await page.getByRole('log').getByText(ASKS[hand], { exact: true }).waitFor();
    await does.press(page.getByRole('button', { name: 'Take over' }));
    await page.getByRole('button', { name: 'Give back' }).waitFor();
    await does.write(page.getByLabel('Your message'), reply);
    await does.press(page.getByRole('button', { name: 'Send', exact: true }));
    const mine = page.getByRole('article', { name: 'From you' }).filter({ hasText: reply });
    await mine.getByRole('link', { name: /^Read/ }).waitFor();
    const arrived = (await sandbox.sends()).filter(({ body }) => body === reply);
    assert.equal(arrived.length, 1, 'The customer has it once.');
    assert.equal((await engine.conversations.read(conversationId)).mode, 'human_takeover');
  },
};

async function firstAccount(engine: Parameters<Task['act']>[1]['engine']): Promise<string> {
  const { name } = await engine.sessions.readStatus();
  return name;
}
