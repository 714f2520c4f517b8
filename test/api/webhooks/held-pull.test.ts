import { expect, it } from '@jest/globals';
import { z } from 'zod';
import { apiOfThisFile } from '../../support/api-of-this-file.ts';
import { call } from '../../support/client.ts';
import { eventually } from '../../support/eventually.ts';
import { aScene } from './a-webhook-scene.ts';

const api = await apiOfThisFile('held-pull-api');
const Key = z.object({ id: z.string(), apiKey: z.string() });
const Cursor = z.object({ nextCursor: z.string() });

it('a pull that is held is told nothing once its key was revoked', async () => {
  const scene = await aScene(api, 'revokes');
  const { agencyId, key: dashboardKey } = scene;
  const body = { agencyId, tenantId: 't1', name: 'leaked' };
  const made = await call(api, 'POST', '/api/v1/api-keys', { key: dashboardKey, body });
  const { id, apiKey: key } = Key.parse(made.body);
  const pull = (query: string) => call(api, 'GET', `/api/v1/webhooks/events?${query}`, { key });
  const { nextCursor } = Cursor.parse((await pull('after=start')).body);
  const held = pull(`after=${nextCursor}&wait=25`);

  const query = new URLSearchParams({ agencyId }).toString();
  expect((await call(api, 'DELETE', `/api/v1/api-keys/${id}?${query}`, { key: dashboardKey })).status).toBe(204);
  await eventually(async () => (await pull(`after=${nextCursor}`)).status === 401, { what: 'the key to be refused' });
  await scene.message('after_the_end');
  expect(await held).toMatchObject({ status: 401, body: { code: 'unauthorized' } });
});
