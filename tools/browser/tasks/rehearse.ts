import assert from 'node:assert/strict';
import type { Task } from './task.ts';

export const rehearse: Task = {
  title: 'rehearses a change of the persona',
  from: '/inbox',
  async act({ name: hand, page, ...does }, { sandbox }) {
    const asked = `Do you sell boats, ${hand}?`;
    await does.open('Agent');
    await does.press(page.getByRole('navigation', { name: 'Views' }).getByRole('link', { name: 'Rehearse' }));
    await does.write(page.getByLabel('Message of a customer'), asked);
    await does.write(page.getByLabel('Instructions'), 'You sell boats.');
    await does.press(page.getByRole('button', { name: 'Rehearse', exact: true }));
    await page.getByText('Done. Nothing was sent.').waitFor();
    for (const side of ['Current persona', 'Changed persona'])
      await page
        .getByRole('region', { name: `${side}: Answers` })
        .getByText(asked)
        .waitFor();
    const sent = (await sandbox.sends()).filter(({ body }) => body?.includes(asked));
    assert.deepEqual(sent, [], 'Nobody was written to.');
  },
};
