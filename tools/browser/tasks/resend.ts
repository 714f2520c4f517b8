import { until } from '../../demo/until.ts';
import { freePort } from '../../../local/embedded/port.ts';
import { TENANT } from '../scene/scene.ts';
import type { Task } from './task.ts';

const PHONES = { mouse: '15550100143', keyboard: '15550100144' } as const;

export const resend: Task = {
  title: 'resends the deliveries that they have selected in the table',
  from: '/inbox',
  async prepare({ engine, sandbox }, hand) {
    const { id: endpointId } = await engine.webhookEndpoints.create({
      url: `http://127.0.0.1:${await freePort()}/${hand}`,
      description: `The printer, ${hand}`,
      events: ['message'],
      tenantIds: [TENANT],
      retryLadderMs: [50],
    });
    const { name } = await engine.sessions.readStatus();
    await sandbox.personWrites(name, PHONES[hand], 'Print this, please.');
    await until('a delivery that has used up its attempts', async () => {
      const { deliveries } = await engine.webhookDeliveries.list({ endpointId, status: 'failed' });
      return deliveries.length > 0;
    });
  },
  async act({ name: hand, page, ...does }, { engine }) {
    const attempts = async (): Promise<number> => {
      const { endpoints } = await engine.webhookEndpoints.list();
      const endpointId = endpoints.find(({ description }) => description === `The printer, ${hand}`)?.id;
      const { deliveries } = await engine.webhookDeliveries.list({ endpointId });
      return deliveries[0]?.attempts ?? 0;
    };
    const before = await attempts();
    await does.open('Events');
    await does.press(page.getByRole('navigation', { name: 'Views' }).getByRole('link', { name: 'Deliveries' }));
    await does.choose(page.getByLabel('Endpoint', { exact: true }), `The printer, ${hand}`);
    const row = page
      .getByRole('row')
      .filter({ hasText: `The printer, ${hand}` })
      .first();
    await row.getByText('Nothing listens at this address').waitFor();
    await does.press(row.getByRole('checkbox'));
    await page.getByText('1 selected').waitFor();
    await does.press(page.getByRole('button', { name: 'Resend selected' }));
    await page.getByText('1 delivery is being resent').waitFor();
    await page.getByText('0 selected').waitFor();
    await until('the receiver to be asked again', async () => (await attempts()) > before);
  },
};
