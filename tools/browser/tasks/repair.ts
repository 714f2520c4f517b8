import assert from 'node:assert/strict';
import { until } from '../../demo/until.ts';
import { freePort } from '../../../local/embedded/port.ts';
import { TENANT } from '../scene/scene.ts';
import type { Task } from './task.ts';

const PHONES = { mouse: '15550100131', keyboard: '15550100132' } as const;

export const repair: Task = {
  title: 'repairs an endpoint that fails, and sends what it missed',
  from: '/inbox',
  async prepare({ engine, sandbox, secret }, hand) {
    const endpoint = await engine.webhookEndpoints.create({
      url: `http://127.0.0.1:${await freePort()}/${hand}`,
      description: `The till, ${hand}`,
      events: ['message'],
      tenantIds: [TENANT],
      retryLadderMs: [50],
      secret,
    });
    const { name } = await engine.sessions.readStatus();
    await sandbox.personWrites(name, PHONES[hand], wordsOf(hand));
    await until('the endpoint to have given up', async () => {
      const { deliveries } = await engine.webhookDeliveries.list({ endpointId: endpoint.id, status: 'failed' });
      return deliveries.length > 0;
    });
  },
  async act({ name: hand, page, ...does }, { receiver, receiverUrl }) {
    await does.open('Events');
    await does.press(
      page
        .getByRole('row')
        .filter({ hasText: `The till, ${hand}` })
        .getByRole('link'),
    );
    await page.getByRole('region', { name: 'Overview' }).getByText('Nothing listens at this address').waitFor();
    await does.press(page.getByRole('button', { name: 'Edit …' }));
    const form = page.getByRole('dialog', { name: 'Edit endpoint' });
    await does.write(form.getByLabel('URL'), `${receiverUrl}/till`);
    await does.press(form.getByRole('button', { name: 'Save' }));
    await form.waitFor({ state: 'hidden' });
    await does.press(page.getByRole('button', { name: 'Count events' }));
    await page.getByText(/^\d+ events? would be sent/).waitFor();
    await does.press(page.getByRole('button', { name: 'Resend them' }));
    await until('what was missed', () => receiver.heard.some((raw) => raw.includes(wordsOf(hand))));
    await page.getByText(/Healthy/).waitFor();
    assert.deepEqual(receiver.distrusted, [], 'The receiver believes what it gets.');
  },
};

function wordsOf(hand: 'mouse' | 'keyboard'): string {
  return `Nobody heard this, ${hand}`;
}
