import { describe, expect, it } from '@jest/globals';
import { secondsPreferred } from '../../../api/sending/prefer-wait.ts';
import { apiOfThisFile } from '../../support/api-of-this-file.ts';
import { startApiOn } from '../../support/api.ts';
import { call } from '../../support/client.ts';
import { eventually } from '../../support/eventually.ts';
import { changeRows, findRows } from '../../support/rows.ts';
import { takeDatabase } from '../../support/servers.ts';
import { aSender, Sent } from './a-sender.ts';

const api = await apiOfThisFile('sending-api');
const sender = await aSender(api, 'patient');

describe('Prefer: wait', () => {
  const post = (body: object, headers: Record<string, string>, path = '/api/v1/messages/send') =>
    call(api, 'POST', path, { key: sender.scopedKey, body, headers });
  const messageIdOf = (text: string) =>
    eventually(async () => {
      const rows = await findRows(api.database, 'message', { body: text }, ['id']);
      return rows[0]?.id;
    });
  /** Ends a message as its delivery would. */
  const end = async (id: string, status: string, code: string | null = null) => {
    await api.database.transaction(async (tx) => {
      await changeRows(tx, 'message', { status, errorCode: code }, { id });
      tx.wake('message', id);
    });
  };

  it('reads the header as RFC 7240 has it, and waits thirty seconds at most', () => {
    const read = [undefined, 'wait=5', 'respond-async, wait=10', 'wait = "3"; x=1', 'wait=99', 'await=4', 'wait=-1'];
    expect(read.map(secondsPreferred)).toEqual([0, 5, 10, 3, 30, 0, 0]);
  });

  it('answers 200 with what became of the messages, once all have ended', async () => {
    const attachments = [{ url: 'https://files.example/a.ogg', kind: 'audio' }];
    const asked = post({ to: '+15552000001', text: 'tell me', attachments }, { prefer: 'wait=30' });
    const messageId = await messageIdOf('tell me');
    await end(messageId, 'sent');
    const [file] = await findRows(api.database, 'message', { kind: 'audio' }, ['id']);
    await end(file?.id ?? '', 'failed', 'media_unavailable');
    const answer = await asked;
    expect(answer).toMatchObject({
      status: 200,
      body: {
        messageId,
        status: 'sent',
        messages: [{ status: 'sent' }, { status: 'failed', error: { code: 'media_unavailable' } }],
      },
    });
    expect(answer.headers.get('preference-applied')).toBe('wait=30');
    expect(answer.headers.get('location')).toContain(messageId);
    expect(answer.body['plan']).toBeUndefined();
  });

  it('answers 202 as before when the time is over, and at once for what is scheduled', async () => {
    const late = await post({ to: '+15552000002', text: 'late' }, { prefer: 'wait=1' });
    expect(late).toMatchObject({ status: 202, body: { status: 'queued', plan: { rule: 'session_not_working' } } });
    expect(late.headers.get('preference-applied')).toBeNull();
    const sendAt = new Date(Date.now() + 3_600_000).toISOString();
    const scheduled = await post({ to: '+15552000002', text: 'later', sendAt }, { prefer: 'wait=30' });
    expect(scheduled).toMatchObject({ status: 202, body: { status: 'scheduled' } });
  });

  it('stores the 202 under an Idempotency-Key, which a repeated request gets', async () => {
    const headers = { prefer: 'wait=30', 'idempotency-key': 'waits-once' };
    const asked = post({ to: '+15552000003', text: 'once' }, headers);
    await end(await messageIdOf('once'), 'delivered');
    const first = await asked;
    const again = await post({ to: '+15552000003', text: 'once' }, headers);
    expect([first.status, again.status]).toEqual([200, 202]);
    expect(Sent.parse(again.body).messageId).toBe(Sent.parse(first.body).messageId);
  });

  it('holds a reply in the inbox and buttons too, and lets them go when the process stops', async () => {
    const { conversationId } = await sender.send({ to: '+15552000004', text: 'hello' });
    const reply = post(
      { content: 'a reply' },
      { prefer: 'wait=30' },
      `/api/v1/inbox/conversations/${conversationId}/messages`,
    );
    await end(await messageIdOf('a reply'), 'sent');
    expect(await reply).toMatchObject({ status: 200, body: { status: 'sent', inFlight: [] } });
    const databaseUrl = await takeDatabase();
    const other = await startApiOn(databaseUrl, 'stopped-api');
    const by = await aSender(other, 'stopped');
    const buttons = call(other, 'POST', '/api/v1/sendButtons', {
      key: by.scopedKey,
      headers: { prefer: 'wait=30' },
      body: { to: '+15552000005', body: 'Yes?', buttons: [{ type: 'reply', id: '1', text: 'Yes' }] },
    });
    await eventually(async () => {
      const rows = await findRows(other.database, 'message', { body: 'Yes?' });
      return rows.length > 0;
    });
    const [answer] = await Promise.all([buttons, other.close()]);
    expect(answer.status).toBe(202);
  });
});
