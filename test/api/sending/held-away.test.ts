import { expect, it } from '@jest/globals';
import { sql } from 'kysely';
import { z } from 'zod';
import { apiOfThisFile } from '../../support/api-of-this-file.ts';
import { rowsOf } from '../../support/rows.ts';
import { aSender, connect, somebody } from './a-sender.ts';

const Held = z.object({ heldBy: z.string().nullable() });

const api = await apiOfThisFile('held-away');
const sender = await aSender(api, 'held-away');
await connect(api, sender, 'NOWEB');
const change = (statement: ReturnType<typeof sql<object>>) => rowsOf(api.database, statement);

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
  await change(
    sql`insert into backend (id, configured_at) select s.backend, now() from session s where s.id = ${id} on conflict do nothing`,
  );
  await change(sql`update backend set trouble = 'backend_error', down_since = now()`);
  expect(await blamesBackend()).toEqual([false, false]);
  await change(sql`update backend set trouble = null, down_since = null`);
  await change(sql`insert into message_history (message_id, status, reason, at)
    select id, 'queued', 'backend_unavailable', now() + interval '1 hour' from message
    where id = ${messageId}`);
  expect(await blamesBackend()).toEqual([true, true]);
});
