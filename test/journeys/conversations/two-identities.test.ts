import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { anAgencyWithScopedKey, call } from '../../support/client.ts';
import type { Agency } from '../../support/client.ts';
import { startEngine } from '../../support/engine.ts';
import type { TestEngine } from '../../support/engine.ts';
import { eventually } from '../../support/eventually.ts';
import { filled, untilCount } from '../../support/rows.ts';
import { modelCalls, sendsOf } from '../../support/sandbox-record.ts';
import { send, untilStatus } from '../../support/sends.ts';

const Chats = z.object({
  // A chat of the past has no message before its history is read.
  chats: z.array(z.object({ conversationId: z.string(), lastMessage: z.object({ body: z.string() }).nullable() })),
});
const People = z.object({
  chats: z.array(
    z.object({
      conversationId: z.string(),
      contactId: z.string().nullable(),
      chatId: z.string(),
      mode: z.string(),
      lastMessage: z.object({ body: z.string() }).nullable(),
    }),
  ),
});
const Participants = z.object({
  participants: z.array(z.object({ phone: z.string().nullable(), role: z.string(), isMe: z.boolean() })),
});
const Messages = z.object({ messages: z.array(z.object({ body: z.string(), from: z.string(), to: z.string() })) });

describe('a person with two identities', () => {
  let engine: TestEngine;
  let agency: Agency;

  beforeAll(async () => {
    engine = await startEngine();
    agency = await anAgencyWithScopedKey(engine, { agencyId: 'identities' });
  });
  afterAll(() => engine.close());

  const request = async (method: string, path: string, body?: object) =>
    (await call(engine, method, path, { key: agency.scopedKey, ...(body ? { body } : {}) })).body;
  const messagesOf = async (conversationId: string) =>
    Messages.parse(await request('GET', `/api/v1/inbox/conversations/${conversationId}/messages`)).messages;
  const chats = async () => Chats.parse(await request('GET', '/api/v1/inbox/chats')).chats;
  const people = async () => People.parse(await request('GET', '/api/v1/inbox/chats?limit=100')).chats;
  const untilSaid = (conversationId: string, body: string) =>
    eventually(async () => (await messagesOf(conversationId)).find((message) => message.body === body), {
      what: `"${body}" in the inbox`,
    });

  it('who answers under a hidden id, and later under both, is one conversation, which stays with the person who has it', async () => {
    const offer = await send(engine, agency, '15550100015', 'Our offer');
    const hidden = await eventually(
      async () => (await chats()).find(({ lastMessage }) => lastMessage?.body === 'You said: Our offer'),
      { what: 'a chat under the hidden id' },
    );
    expect(hidden.conversationId).not.toBe(offer.conversationId);
    await untilSaid(hidden.conversationId, 'You said: Our offer');
    await request('POST', `/api/v1/conversations/${hidden.conversationId}/assign`, { assignee: 'ada' });
    await request('PUT', '/api/v1/ai-sales-agent/persona', { quietPeriodMs: 50, extractMemories: false });
    await request('PUT', '/api/v1/ai-sales-agent/state', { enabled: true });

    const again = await send(engine, agency, '15550100015', 'Still interested?');
    await untilStatus(engine, agency, again.messageId, 'read');
    await untilSaid(offer.conversationId, 'You said: Still interested?');
    await untilCount(engine.database, 'aiTurn', {
      conversationId: offer.conversationId,
      silenceCode: 'human',
      outcome: 'silence',
      inboundMessageIds: filled,
    });

    // Either id leads to all that was said, and the chat list has one line.
    const said = ['You said: Still interested?', 'Still interested?', 'You said: Our offer', 'Our offer'];
    for (const id of [offer.conversationId, hidden.conversationId]) {
      expect((await messagesOf(id)).map(({ body }) => body).toSorted()).toEqual(said.toSorted());
    }
    const theirs = (await chats()).filter(({ conversationId }) =>
      [offer.conversationId, hidden.conversationId].includes(conversationId),
    );
    expect(theirs).toMatchObject([
      { conversationId: offer.conversationId, lastMessage: { body: 'You said: Still interested?' } },
    ]);
    // Under the phone, also what came under the hidden id.
    const answer = (await messagesOf(offer.conversationId)).find(({ body }) => body === 'You said: Our offer');
    expect(answer?.from).toBe('15550100015');
    // The agent was asked nothing and sent nothing.
    expect(await modelCalls(engine)).toEqual([]);
    const sends = await sendsOf(engine, agency.session.name);
    expect(sends.map(({ body }) => body)).toEqual(['Our offer', 'Still interested?']);
    await request('PUT', '/api/v1/ai-sales-agent/state', { enabled: false });
  });

  it('who changes number keeps the conversation, and is written to under the new one', async () => {
    const first = await send(engine, agency, '15550100016', 'one');
    await untilSaid(first.conversationId, 'You said: one');
    const second = await send(engine, agency, '15550100016', 'two');
    expect(second.conversationId).toBe(first.conversationId);
    await untilSaid(first.conversationId, 'You said: two');

    const third = await request('POST', `/api/v1/inbox/conversations/${first.conversationId}/messages`, {
      content: 'three',
      attachments: [],
    });
    expect(third).toMatchObject({ conversationId: first.conversationId });
    await untilSaid(first.conversationId, 'You said: three');
    const sends = await sendsOf(engine, agency.session.name);
    expect(sends.find(({ body }) => body === 'three')?.chatId).toBe('15550110016@c.us');
  });

  it('who was taken for somebody else is two contacts again when a dashboard says so, each with what is theirs', async () => {
    const to = '15550110015';
    const offer = await send(engine, agency, to, 'Another offer');
    const hidden = await eventually(
      async () => (await people()).find(({ lastMessage }) => lastMessage?.body === 'You said: Another offer'),
      { what: 'a chat under the hidden id' },
    );
    await request('POST', `/api/v1/conversations/${hidden.conversationId}/assign`, { assignee: 'ada' });
    await send(engine, agency, to, 'Still there?');
    await untilCount(engine.database, 'contactMerge', { fromContactId: hidden.contactId });

    const unmerge = (key: string, body: object = {}) =>
      call(engine, 'POST', `/api/v1/contacts/${hidden.contactId}/unmerge`, { key, body, headers });
    const headers = { 'idempotency-key': 'apart' };
    expect((await unmerge(agency.scopedKey)).status).toBe(403);
    const reason = 'The number has a new owner.';
    expect(await unmerge(agency.dashboardKey, { actor: 'ada', reason })).toMatchObject({
      status: 200,
      body: {
        partedFrom: hidden.contactId,
        conversations: [{ conversationId: offer.conversationId, partedFrom: hidden.conversationId }],
      },
    });
    const repeated = await unmerge(agency.dashboardKey, { actor: 'ada', reason });
    expect([repeated.status, repeated.headers.get('idempotent-replayed')]).toEqual([200, 'true']);
    const there = (await people()).filter(({ conversationId }) =>
      [offer.conversationId, hidden.conversationId].includes(conversationId),
    );
    expect(there).toHaveLength(2);
    expect(there).toContainEqual(
      expect.objectContaining({
        conversationId: hidden.conversationId,
        contactId: hidden.contactId,
        mode: 'human_takeover',
        lastMessage: expect.objectContaining({ body: 'You said: Still there?' }),
      }),
    );
    expect(there).toContainEqual(expect.objectContaining({ conversationId: offer.conversationId, mode: 'bot_active' }));
    headers['idempotency-key'] = 'once more';
    expect(await unmerge(agency.dashboardKey)).toMatchObject({ status: 409, body: { code: 'contact_not_merged' } });
    const audit = await call(engine, 'GET', `/api/v1/audit?object=contact`, { key: agency.dashboardKey });
    expect(audit.body).toMatchObject({
      entries: [{ objectId: hidden.contactId, action: 'unmerged', actor: 'ada', reason }],
    });

    // The next answer names both addresses again, and they stay apart.
    const third = await send(engine, agency, to, 'Sorry!');
    await untilStatus(engine, agency, third.messageId, 'read');
    await eventually(async () =>
      [...(await messagesOf(offer.conversationId)), ...(await messagesOf(hidden.conversationId))].some(
        ({ body }) => body === 'You said: Sorry!',
      ),
    );
    expect((await people()).filter(({ contactId }) => contactId === hidden.contactId)).toHaveLength(1);
  });

  it('who is in a group is listed with roles, and is nobody’s contact by that', async () => {
    const group = await eventually(async () => (await people()).find(({ chatId }) => chatId.endsWith('@g.us')), {
      what: 'a group in the chat list',
    });
    expect(group.contactId).toBeNull();
    const path = `/api/v1/conversations/${group.conversationId}/participants`;
    const listed = await request('GET', path);
    expect(listed).toMatchObject({ isCurrent: true });
    const { participants } = Participants.parse(listed);
    expect(participants.find(({ isMe }) => isMe)).toMatchObject({ role: 'admin' });
    expect(participants.filter(({ isMe }) => !isMe)).not.toEqual([]);
    expect(participants.filter(({ phone }) => phone === null)).toEqual([]);
    expect(await request('GET', path)).toEqual(listed);

    // The backend's reports carry the group's changes, without another read.
    const change = (body: object) =>
      engine.control('POST', `/sessions/${agency.session.name}/group`, { id: group.chatId, ...body });
    await change({ come: ['15552004001'] });
    // The network tells of changes side by side.
    await eventually(async () =>
      Participants.parse(await request('GET', path)).participants.some(({ phone }) => phone === '15552004001'),
    );
    await change({ promote: ['15552004001'], name: 'Sales' });
    const cameIn = await eventually(async () => {
      const { participants: now } = Participants.parse(await request('GET', path));
      return now.find(({ phone, role }) => phone === '15552004001' && role === 'admin');
    });
    expect(cameIn).toMatchObject({ isMe: false });
    await change({ go: ['15552004001'] });
    await eventually(async () => {
      const { participants: now } = Participants.parse(await request('GET', path));
      return now.length === participants.length;
    });
    const events = '/api/v1/webhooks/events?type=group.updated';
    const told = async () =>
      z.array(z.unknown()).parse((await call(engine, 'GET', events, { key: agency.dashboardKey })).body['events']);
    await eventually(async () => (await told()).length >= 4);
    expect(await told()).toHaveLength(4);
  });
});
