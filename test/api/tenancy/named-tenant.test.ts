import { beforeAll, describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { apiOfThisFile } from '../../support/api-of-this-file.ts';
import { anAgency, call } from '../../support/client.ts';
import type { Agency, Answer } from '../../support/client.ts';
import { MASTER_KEY } from '../../support/keys.ts';
import { changeRows, databaseNow, findRows } from '../../support/rows.ts';

const api = await apiOfThisFile('named-tenant-api');

const Made = z.object({ id: z.string(), name: z.string() });
const Sent = z.object({ messageId: z.string(), conversationId: z.string(), contactId: z.string() });

const CHAT = '15550100801@c.us';
const LIST = {
  title: 'Menu',
  description: 'Choose',
  button: 'Open',
  sections: [{ title: 'Food', rows: [{ title: 'Soup', rowId: 's' }] }],
};

interface Named {
  session: { id: string; name: string };
  sent: z.infer<typeof Sent>;
  memoryId: string;
}

describe('the tenant that a request means', () => {
  let agency: Agency;
  let first: Named;
  let second: Named;
  let stranger: Agency;

  async function objectsOf(tenantId: string): Promise<Named> {
    const key = agency.dashboardKey;
    const made = await call(api, 'POST', '/api/v1/sessions', { key, body: { tenantId } });
    const session = Made.parse(made.body);
    const send = await call(api, 'POST', '/api/v1/messages/send', { key, body: { tenantId, to: CHAT, text: 'hi' } });
    const sent = Sent.parse(send.body);
    const fact = {
      tenantId,
      contactId: sent.contactId,
      fact: `Likes ${tenantId}`,
      category: 'context',
      source: 'manual',
    };
    const memory = await call(api, 'POST', '/api/v1/memories', { key, body: fact });
    return { session, sent, memoryId: z.object({ id: z.string() }).parse(memory.body).id };
  }

  beforeAll(async () => {
    agency = await anAgency(api, { agencyId: 'named', tenantId: 'zero' });
    first = await objectsOf('one');
    second = await objectsOf('two');
    stranger = await anAgency(api, { agencyId: 'stranger', tenantId: 'one' });
  });

  const tenantOf = async (messageId: unknown): Promise<unknown> =>
    (await findRows(api.database, 'message', { id: String(messageId) }, ['tenantId']))[0];

  /** Requests of the spec that name something of the second tenant, and not the tenant. */
  const REQUESTS: Record<string, (of: Named) => [method: string, path: string, body?: object]> = {
    'sendButtons, by its session': ({ session }) => [
      'POST',
      '/api/v1/sendButtons',
      { session: session.name, chatId: CHAT, body: 'Yes?', buttons: [{ type: 'reply', id: 'y', text: 'Yes' }] },
    ],
    'sendList, by its session': ({ session }) => [
      'POST',
      '/api/v1/sendList',
      { session: session.id, chatId: CHAT, message: LIST },
    ],
    'media/send, by its id': ({ session }) => [
      'POST',
      '/api/v1/media/send',
      { id: session.name, to: CHAT, url: 'https://files.example/a.png', kind: 'image', caption: 'a' },
    ],
    'messages/send, by a contact in `to`': ({ sent }) => [
      'POST',
      '/api/v1/messages/send',
      { to: sent.contactId, text: 'a' },
    ],
    'messages/send, by a conversation': ({ sent }) => [
      'POST',
      '/api/v1/messages/send',
      { conversationId: sent.conversationId, text: 'a' },
    ],
    'sessions/restart, by its session': ({ session }) => [
      'POST',
      '/api/v1/sessions/restart',
      { session: session.name },
    ],
    'GET sessions/status, by its session': ({ session }) => ['GET', `/api/v1/sessions/status?session=${session.name}`],
    'GET memories, by a contact': ({ sent }) => ['GET', `/api/v1/memories?contactId=${sent.contactId}`],
    'POST memories, by a contact': ({ sent }) => [
      'POST',
      '/api/v1/memories',
      { contactId: sent.contactId, fact: 'Has a boat', category: 'context', source: 'ai_extracted' },
    ],
    'POST memories, by the message that shows it': ({ sent }) => [
      'POST',
      '/api/v1/memories',
      {
        contactId: sent.contactId,
        evidenceMessageId: sent.messageId,
        fact: 'Has two',
        category: 'context',
        source: 'manual',
      },
    ],
    'inbox-context, by a conversation': ({ sent }) => [
      'POST',
      '/api/v1/ai/inbox-context',
      { conversationId: sent.conversationId },
    ],
    'assign, by its path': ({ sent }) => ['POST', `/api/v1/conversations/${sent.conversationId}/assign`],
    'GET inbox/chats, by its session': ({ session }) => ['GET', `/api/v1/inbox/chats?session=${session.id}`],
    'GET messages, by a conversation': ({ sent }) => ['GET', `/api/v1/messages?conversationId=${sent.conversationId}`],
    'GET gaps, by its path': ({ session }) => ['GET', `/api/v1/sessions/${session.name}/gaps`],
    'GET webhooks/events, by its session': ({ session }) => ['GET', `/api/v1/webhooks/events?sessionId=${session.id}`],
  };

  it.each(Object.keys(REQUESTS))('is derived from what %s names', async (name) => {
    const ask = async (key: string, named: Named): Promise<Answer> => {
      const [method, path, body] = REQUESTS[name]?.(named) ?? ['', ''];
      return call(api, method, path, { key, ...(body === undefined ? {} : { body }) });
    };
    for (const key of [agency.dashboardKey, MASTER_KEY]) {
      const answer = await ask(key, second);
      expect({ body: answer.body, isGood: [200, 201, 202].includes(answer.status) }).toMatchObject({ isGood: true });
      const { messageId } = answer.body;
      if (answer.status === 202 && messageId !== undefined)
        expect(await tenantOf(messageId)).toEqual({ tenantId: 'two' });
    }
    const [asStranger, ofNobody] = [
      await ask(stranger.dashboardKey, second),
      await ask(stranger.dashboardKey, nobodys),
    ];
    expect(strip(asStranger)).toEqual(strip(ofNobody));
    const missing = await ask(agency.dashboardKey, nobodys);
    expect(missing.status).toBe(name.startsWith('GET webhooks/events') ? 200 : 404);
  });

  const nobodys: Named = {
    session: { id: 'ses_00000000-0000-7000-8000-000000000000', name: 'ses_00000000-0000-7000-8000-000000000000' },
    sent: {
      messageId: 'msg_00000000-0000-7000-8000-000000000000',
      conversationId: 'cnv_00000000-0000-7000-8000-000000000000',
      contactId: 'con_00000000-0000-7000-8000-000000000000',
    },
    memoryId: 'mem_00000000-0000-7000-8000-000000000000',
  };
  const strip = ({ status, body }: Answer) => ({ status, body: { ...body, requestId: null } });

  it.each(['dashboard', 'master'] as const)('is nobody’s when two names of a %s key contradict', async (kind) => {
    const key = kind === 'master' ? MASTER_KEY : agency.dashboardKey;
    const send = (body: object, query = '') => call(api, 'POST', `/api/v1/messages/send${query}`, { key, body });
    const answers = [
      await send({ session: first.session.id, conversationId: second.sent.conversationId, text: 'a' }),
      await send({ session: first.session.id, to: second.sent.contactId, text: 'a' }),
      await send({ agencyId: 'named', tenantId: 'one', session: second.session.id, to: CHAT, text: 'a' }),
      await send(
        { agencyId: 'named', tenantId: 'one', session: first.session.id, to: CHAT, text: 'a' },
        '?tenantId=two',
      ),
      await send({ agencyId: 'stranger', session: first.session.id, to: CHAT, text: 'a' }),
    ];
    for (const { status, body } of answers)
      expect({ status, body }).toMatchObject({ status: 404, body: { code: 'not_found' } });
  });

  it('is asked for only when nothing names it, and a chat id alone names none', async () => {
    const body = { chatId: CHAT, text: 'a' };
    const answer = await call(api, 'POST', '/api/v1/messages/send', { key: agency.dashboardKey, body });
    expect(answer).toMatchObject({ status: 422, body: { errors: [{ pointer: '/tenantId' }] } });
  });

  it('stays the same for a repeated Idempotency-Key after its session is deleted', async () => {
    const made = await call(api, 'POST', '/api/v1/sessions', {
      key: agency.dashboardKey,
      body: { tenantId: 'two', name: 'brief' },
    });
    const session = Made.parse(made.body);
    const send = () =>
      call(api, 'POST', '/api/v1/messages/send', {
        key: agency.dashboardKey,
        headers: { 'idempotency-key': 'once' },
        body: { session: session.id, to: CHAT, text: 'once' },
      });
    const sent = await send();
    expect(sent.status).toBe(202);
    await changeRows(api.database, 'session', { wish: 'deleted', deletedAt: databaseNow }, { id: session.id });
    const again = await send();
    expect(again).toMatchObject({ status: 202, body: { messageId: sent.body['messageId'] } });
    expect(again.headers.get('idempotent-replayed')).toBe('true');
  });

  it('is that of the session in the body of a request that is passed on', async () => {
    const body = { session: second.session.name, chatId: CHAT, text: 'passed' };
    for (const key of [agency.dashboardKey, MASTER_KEY]) {
      const answer = await call(api, 'POST', '/api/v1/sendText', {
        key,
        body: { ...body, text: `passed ${key.length}` },
      });
      expect(answer.body).toMatchObject({ code: 'session_not_ready' });
    }
    const other = { ...body, session: stranger.session.name };
    const foreign = await call(api, 'POST', '/api/v1/sendText', { key: agency.dashboardKey, body: other });
    expect(foreign.status).toBe(404);
  });
});
