import assert from 'node:assert/strict';
import { until } from '../../demo/until.ts';
import type { Task } from './task.ts';

/** The sandbox's network does not know numbers that end like this. */
const NOWHERE = '+15550100010';

export const missing: Task = {
  title: 'finds out why a message did not arrive',
  from: '/inbox',
  async prepare({ engine }, hand) {
    const sent = await engine.messages.send({ to: NOWHERE, text: textOf(hand) });
    await until('the network to say no', async () => {
      const { status } = await engine.messages.readStatus(sent.messageId);
      return status === 'failed';
    });
  },
  async act({ name: hand, page, ...does }) {
    await does.open('Message');
    await does.press(page.getByRole('table', { name: 'Messages' }).getByRole('link', { name: textOf(hand) }));
    const outcome = page.getByRole('region', { name: 'Status' });
    await outcome.getByText('Not sent', { exact: true }).waitFor();
    const why = await outcome.getByRole('status').innerText();
    assert.match(why, /not on the network|no account/i);
    await page.getByRole('list', { name: 'History' }).getByRole('listitem').first().waitFor();
  },
};

function textOf(hand: 'mouse' | 'keyboard'): string {
  return `Your bicycle is ready, ${hand}`;
}
