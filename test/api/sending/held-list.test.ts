import { describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { apiOfThisFile } from '../../support/api-of-this-file.ts';
import { ago, changeRows, databaseNow } from '../../support/rows.ts';
import { aSender, connect, somebody } from './a-sender.ts';

const Held = z.object({ messageId: z.string(), heldBy: z.string().nullable(), heldUntil: z.string().nullable() });

const api = await apiOfThisFile('held-list');
const { database } = api;

async function listed(sender: Awaited<ReturnType<typeof aSender>>, status = 'queued') {
  const answer = await sender.get(`/api/v1/messages?status=${status}`);
  expect(answer.status).toBe(200);
  return z.object({ messages: z.array(Held) }).parse(answer.body).messages;
}

const statusOf = async (sender: Awaited<ReturnType<typeof aSender>>, id: string) =>
  (await sender.get(`/api/v1/inbox/messages/${id}/status`)).body;

describe('a message that waits', () => {
  it('names in lists and alone the session that is not connected, and no execution where none exists', async () => {
    const sender = await aSender(api, 'held');
    const first = await sender.send({ to: somebody(), text: 'One' });
    const second = await sender.send({ to: somebody(), text: 'Two' });
    const messages = await listed(sender);
    expect(messages.map(({ messageId }) => messageId).toSorted()).toEqual(
      [first.messageId, second.messageId].toSorted(),
    );
    for (const message of messages) expect(message).toMatchObject({ heldBy: 'session_not_working', heldUntil: null });
    for (const { messageId } of [first, second]) {
      expect(await statusOf(sender, messageId)).toMatchObject({ heldBy: 'session_not_working', workflowId: null });
    }
    // A pace that held it before the session stopped, or until a moment ago, is no time that is still to come.
    await changeRows(database, 'message', { heldBy: 'pace', heldUntil: ago({ seconds: 1 }) }, { id: first.messageId });
    await changeRows(database, 'message', { releasedAt: databaseNow }, { id: first.messageId });
    expect(await statusOf(sender, first.messageId)).toMatchObject({ heldUntil: null });
    expect(await statusOf(sender, first.messageId)).toMatchObject({ workflowId: `message/${first.messageId}` });
  });

  it('names its time, or the message before it, and nothing once it is over', async () => {
    const sender = await aSender(api, 'held-later');
    await connect(api, sender, 'NOWEB');
    const sendAt = new Date(Date.now() + 3_600_000).toISOString();
    await sender.send({ to: somebody(), text: 'Later', sendAt });
    expect(await listed(sender, 'scheduled')).toMatchObject([{ heldBy: 'scheduled', heldUntil: sendAt }]);
    const to = somebody();
    await sender.send({ to, text: 'One' });
    const { messageId } = await sender.send({ to, text: 'Two' });
    const [newest] = await listed(sender);
    expect(newest).toMatchObject({ messageId, heldBy: 'queue' });
    await changeRows(database, 'message', { status: 'failed' }, { id: messageId });
    expect(await listed(sender, 'failed')).toMatchObject([{ messageId, heldBy: null, heldUntil: null }]);
  });
});
