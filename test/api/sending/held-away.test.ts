import { expect, it } from '@jest/globals';
import { z } from 'zod';
import { apiOfThisFile } from '../../support/api-of-this-file.ts';
import { addRow, changeRows, databaseNow, ensureRow, findRow, fromNow } from '../../support/rows.ts';
import { aSender, connect, somebody } from './a-sender.ts';

const Held = z.object({ heldBy: z.string().nullable() });

const api = await apiOfThisFile('held-away');
const { database } = api;
const sender = await aSender(api, 'held-away');
await connect(api, sender, 'NOWEB');

it('lists and the status alike say whether the backend holds a message', async () => {
  const to = somebody();
  await sender.send({ to, text: 'One' });
  const { messageId } = await sender.send({ to, text: 'Two' });
  const blamesBackend = async () => {
    const list = await sender.get('/api/v1/messages?status=queued&limit=1');
    const status = await sender.get(`/api/v1/inbox/messages/${messageId}/status`);
    const { messages } = z.object({ messages: z.array(Held) }).parse(list.body);
    return [messages[0], Held.parse(status.body)].map((held) => held?.heldBy === 'backend_unavailable');
  };
  const { id } = sender.session;
  const { backend } = await findRow(database, 'session', { id }, ['backend']);
  await ensureRow(database, 'backend', { id: backend, configuredAt: databaseNow });
  await changeRows(database, 'backend', { trouble: 'backend_error', downSince: databaseNow });
  expect(await blamesBackend()).toEqual([false, false]);
  await changeRows(database, 'backend', { trouble: null, downSince: null });
  await addRow(database, 'messageHistory', {
    messageId,
    status: 'queued',
    reason: 'backend_unavailable',
    at: fromNow({ hours: 1 }),
  });
  expect(await blamesBackend()).toEqual([true, true]);
});
