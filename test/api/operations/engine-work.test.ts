import { describe, expect, it } from '@jest/globals';
import { apiOfThisFile } from '../../support/api-of-this-file.ts';
import { call } from '../../support/client.ts';
import { eventually } from '../../support/eventually.ts';
import { MASTER_KEY } from '../../support/keys.ts';
import { addMessage, changeRows, databaseNow } from '../../support/rows.ts';
import { aSender, somebody } from '../sending/a-sender.ts';

const api = await apiOfThisFile('engine-work');
const sender = await aSender(api, 'works');
const read = (key: string) => call(api, 'GET', '/api/v1/admin/engine-work', { key });

describe('the work of all tenants', () => {
  it('names the rule that holds a message, and the session to start', async () => {
    const empty = await read(MASTER_KEY);
    expect(empty).toMatchObject({ status: 200, body: { queued: { count: 0, oldestSeconds: null }, holds: {} } });
    await sender.send({ to: somebody(), text: 'Hello' });
    const { id } = sender.session;
    // An answer is kept for a moment.
    await eventually(async () => JSON.stringify((await read(MASTER_KEY)).body['queued']).includes('"count":1'));
    expect((await read(MASTER_KEY)).body).toMatchObject({
      queued: { count: 1, oldestSeconds: expect.any(Number) },
      holds: { session: 1 },
      stoppedSessions: [{ id, queued: 1 }],
    });
  });

  it('counts the conversations that the agent owes to a person, until somebody has answered', async () => {
    const { conversationId } = await sender.send({ to: somebody(), text: 'Hello' });
    await addMessage(api.database, conversationId, { id: 'msg_owed', body: 'Hello?' });
    await changeRows(
      api.database,
      'conversation',
      {
        mode: 'human_takeover',
        takenOverBy: 'agent',
        lastInboundAt: databaseNow,
        assignedReason: 'reply_expired',
      },
      { id: conversationId },
    );
    const owed = async () => JSON.stringify((await read(MASTER_KEY)).body['owedToPeople']);
    await eventually(async () => (await owed()).includes('"count":1'));
    await sender.post(`/api/v1/inbox/conversations/${conversationId}/messages`, { text: 'Yes.', actor: 'person' });
    await eventually(async () => (await owed()).includes('"count":0'));
  });

  it('is nothing that a dashboard or a session may read', async () => {
    for (const key of [sender.dashboardKey, sender.scopedKey]) expect((await read(key)).status).toBe(403);
  });
});
