import assert from 'node:assert/strict';
import type { Task } from './task.ts';

const PHONE = '15550100135';
/** Nobody has ever set it, and its description has `code` in it. */
const AUTOMATION = 'assign-unanswered';

export const tryOne: Task = {
  title: 'tries an automation that was never set, in the newest chat',
  from: '/inbox',
  async prepare({ engine, sandbox }) {
    const { name } = await engine.sessions.readStatus();
    await sandbox.personWrites(name, PHONE, 'Does anybody answer?');
  },
  async act({ page, ...does }) {
    const refused: string[] = [];
    page.on('response', (answer) => {
      if (answer.status() >= 400) refused.push(`${answer.status()} ${answer.url()}`);
    });
    await does.open('Automations');
    const list = page.getByRole('list', { name: 'Automations' });
    await list.locator('code', { hasText: 'conversation.assigned' }).waitFor();
    assert.doesNotMatch(await list.innerText(), /`/, 'Nobody reads marks for machines.');
    await does.press(list.locator(`a[href*="${AUTOMATION}"]`));
    const place = page.getByRole('region', { name: 'Try it' });
    await place.getByLabel('Conversation').waitFor();
    await does.press(place.getByRole('button', { name: 'Try', exact: true }));
    await place.getByText(/^(It would have run|None of the \d+ events)/).waitFor();
    assert.deepEqual(refused, []);
  },
};
