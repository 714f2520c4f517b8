import { beforeAll, describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { apiOfThisFile } from '../../support/api-of-this-file.ts';
import { addRows, changeRows, databaseNow, deleteRows, json } from '../../support/rows.ts';
import { anInbox, SINCE } from './an-inbox.ts';
import type { Inbox } from './an-inbox.ts';
import { Chats, Messages, good, problem } from './inbox-answers.ts';

const api = await apiOfThisFile('message-pages');

describe('the messages of a conversation', () => {
  let inbox: Inbox;
  const path = '/api/v1/inbox/conversations/talk1/messages';
  beforeAll(async () => {
    inbox = await anInbox(api, 'messages');
    await inbox.converse('talk', 2);
    await inbox.say('talk1', 30);
    await inbox.say('talk2', 3);
  });

  const list = async (query: Record<string, string> = {}) => {
    const page = Messages.parse(good(await inbox.get(path, query)));
    return { ...page, said: page.messages.map(({ messageId }) => Number(messageId.split('-')[1])) };
  };
  const said = (from: number, to: number) => Array.from({ length: from - to + 1 }, (_, n) => from - n);
  const at = (n: number) => new Date(SINCE + n * 60_000).toISOString();
  const id = (n: number) => `msg_talk1-${n}`;

  it('a dashboard reads them by cursors to their beginning, and then what is newer, each once', async () => {
    const seen: number[] = [];
    let page = await list({ limit: '8' });
    const { newerCursor } = page;
    expect(page).toMatchObject({ said: said(30, 23), hasMore: true, hasNewer: false });
    seen.push(...page.said);
    while (page.nextCursor !== null) {
      page = await list({ limit: '8', cursor: page.nextCursor });
      expect(page.hasNewer).toBe(true);
      seen.push(...page.said);
    }
    expect(seen).toEqual(said(30, 1));
    expect(page).toMatchObject({ hasMore: false, nextCursor: null });
    const nothing = await list({ cursor: newerCursor ?? '' });
    expect(nothing).toMatchObject({ said: [], hasMore: false, newerCursor });
    await inbox.hear('talk1', new Date(SINCE + 31 * 60_000));
    expect((await list({ cursor: newerCursor ?? '' })).messages).toHaveLength(1);
    await deleteRows(api.database, 'message', { conversationId: 'talk1', body: 'news' });
  });

  it.each([
    ['a message', id(20), said(19, 15), said(25, 21), said(22, 18)],
    ['a moment', at(20), said(19, 15), said(25, 21), said(22, 18)],
    ['a moment between two', at(20.5), said(20, 16), said(25, 21), said(22, 18)],
  ])('a dashboard jumps before, after and around %s', async (_, mark, before, after, around) => {
    expect(await list({ before: mark, limit: '5' })).toMatchObject({ said: before, hasMore: true, hasNewer: true });
    expect(await list({ after: mark, limit: '5' })).toMatchObject({ said: after, hasMore: true, hasNewer: true });
    expect(await list({ around: mark, limit: '5' })).toMatchObject({ said: around, hasMore: true, hasNewer: true });
  });

  it('a dashboard reads on from the page around a message in both directions', async () => {
    const middle = await list({ around: id(15), limit: '6' });
    expect(middle.said).toEqual(said(18, 13));
    expect((await list({ cursor: middle.nextCursor ?? '', limit: '3' })).said).toEqual(said(12, 10));
    const newer = await list({ cursor: middle.newerCursor ?? '', limit: '10' });
    expect(newer.said).toEqual(said(28, 19));
    expect(await list({ cursor: newer.nextCursor ?? '', limit: '10' })).toMatchObject({
      said: said(30, 29),
      hasMore: false,
      hasNewer: false,
    });
    expect(await list({ around: id(1), limit: '4' })).toMatchObject({ said: said(3, 1), hasMore: false });
    expect(await list({ around: id(30), limit: '1' })).toMatchObject({ said: [30], hasMore: true, hasNewer: false });
  });

  it('a page says that there are newer ones where there are some, and only there', async () => {
    const soon = new Date(SINCE + 400 * 86_400_000).toISOString();
    expect(await list({ before: soon, limit: '4' })).toMatchObject({ said: said(30, 27), hasNewer: false });
    expect(await list({ before: at(1), limit: '4' })).toMatchObject({ said: [], hasMore: false, hasNewer: true });
    expect(await list({ before: id(1), limit: '4' })).toMatchObject({ said: [], hasMore: false, hasNewer: true });
    expect(await list({ offset: '29', limit: '4' })).toMatchObject({ said: [1], hasNewer: true });
    expect(await list({ offset: '99', limit: '4' })).toMatchObject({ said: [], hasNewer: true });
    const cursor = (await list({ limit: '1' })).nextCursor ?? '';
    await changeRows(api.database, 'message', { status: 'scheduled' }, { id: 'msg_talk1-30' });
    expect(await list({ cursor, limit: '2' })).toMatchObject({ said: said(29, 28), hasNewer: false });
    await changeRows(api.database, 'message', { status: 'read' }, { id: 'msg_talk1-30' });
  });

  it('a message with more reactions or votes than an answer holds shows the newest, and counts all', async () => {
    const people = 250;
    const respond = (kind: string, value: string) =>
      addRows(api.database, 'messageResponse', people, (n) => ({
        messageId: 'msg_talk1-7',
        kind,
        responder: `1555${n}@c.us`,
        value: n % 50 === 0 ? [] : [value],
        at: new Date(new Date(SINCE).getTime() + n * 1_000),
        toldAt: databaseNow,
      }));
    await respond('reaction', '👍');
    await respond('vote', 'At nine');
    const poll = { name: 'When?', options: ['At nine', 'At ten'], multipleAnswers: false };
    await changeRows(
      api.database,
      'message',
      { respondedAt: databaseNow, content: json({ poll }) },
      { id: 'msg_talk1-7' },
    );
    const Crowd = z.object({
      reactions: z.array(z.object({ emoji: z.string(), from: z.string() })),
      moreReactions: z.int(),
      poll: z.object({
        options: z.array(z.object({ text: z.string(), votes: z.int() })),
        votes: z.array(z.object({ from: z.string() })),
        moreVotes: z.int(),
      }),
    });
    const { messages } = z
      .object({ messages: z.array(Crowd) })
      .parse(good(await inbox.get(path, { around: id(7), limit: '1' })));
    const [crowd] = messages;
    // Five of them have taken theirs away.
    expect(crowd).toMatchObject({ moreReactions: 145, poll: { moreVotes: 145 } });
    expect(crowd?.reactions).toHaveLength(100);
    expect(crowd?.reactions.at(-1)).toEqual(expect.objectContaining({ emoji: '👍', from: '1555249' }));
    expect(crowd?.poll.votes).toHaveLength(100);
    expect(crowd?.poll.options).toEqual([
      { text: 'At nine', votes: 245 },
      { text: 'At ten', votes: 0 },
    ]);
  });

  it('refuses what is out of range, what is not its own, and two places at once', async () => {
    const ask = async (query: Record<string, string>, of = path) => problem(await inbox.get(of, query));
    const refused = (pointer: string) => ({ status: 422, code: 'invalid_request', pointers: [pointer] });
    expect(await ask({ before: 'last week' })).toEqual(refused('query/before'));
    expect(await ask({ before: id(3), after: id(1) })).toEqual(refused('query/after'));
    expect(await ask({ around: id(3), offset: '5' })).toEqual(refused('query/offset'));
    expect(await ask({ limit: '1001' })).toEqual(refused('query/limit'));
    const missing = { status: 404, code: 'not_found', pointers: ['query/around'] };
    expect(await ask({ around: 'msg_talk2-1' })).toEqual(missing);
    expect(await ask({ around: 'msg_nobodys' })).toEqual(missing);
    const cursor = (await list({ limit: '2' })).nextCursor ?? '';
    expect(await ask({ cursor }, '/api/v1/inbox/conversations/talk2/messages')).toEqual(refused('query/cursor'));
    const chats = Chats.parse(good(await inbox.get('/api/v1/inbox/chats', { limit: '1' })));
    expect(await ask({ cursor: chats.nextCursor ?? '' })).toEqual(refused('query/cursor'));
    expect(problem(await inbox.get('/api/v1/inbox/conversations/cnv_nobodys/messages')).status).toBe(404);
  });

  it('a cursor goes on in the conversation that its own was merged into', async () => {
    const cursor = (await list({ limit: '10' })).nextCursor ?? '';
    await changeRows(api.database, 'message', { conversationId: 'talk2' }, { conversationId: 'talk1' });
    await changeRows(api.database, 'conversation', { mergedInto: 'talk2', lastMessageAt: null }, { id: 'talk1' });
    expect((await list({ cursor, limit: '2' })).said).toEqual([20, 19]);
  });
});

describe('a conversation', () => {
  it.each([
    { origin: 'ai', via: null, shown: 'ai' },
    { origin: 'person', via: null, shown: 'person' },
    { origin: 'api', via: 'automation', shown: 'automation' },
    { origin: 'person', via: 'passthrough', shown: 'passthrough' },
  ])('says that its last message is by $shown, in the list too', async ({ origin, via, shown }) => {
    const inbox = await anInbox(api, `by-${shown}`);
    await inbox.converse(shown, 1);
    await inbox.say(`${shown}1`, 2);
    const id = `msg_${shown}1-2`;
    await changeRows(api.database, 'message', { origin, via }, { id });
    await changeRows(api.database, 'conversation', { lastMessageId: id }, { id: `${shown}1` });
    const lastMessage = { origin: shown };
    expect(good(await inbox.get(`/api/v1/conversations/${shown}1`))).toMatchObject({ lastMessage });
    expect(good(await inbox.get('/api/v1/inbox/chats'))).toMatchObject({ chats: [{ lastMessage }] });
  });

  it('shows who has it, who had it, when it returns to the agent, and how it stands', async () => {
    const inbox = await anInbox(api, 'hands');
    await inbox.converse('hand', 1);
    const path = '/api/v1/conversations/hand1';
    expect(good(await inbox.get(path))).toMatchObject({
      conversationId: 'hand1',
      name: 'hand1',
      sessionId: inbox.sessionId,
      mode: 'bot_active',
      assignedTo: null,
      reason: null,
      takenOverBy: null,
      returnsAt: null,
      handovers: [],
      lastTurn: null,
      contact: null,
      labels: [],
      lastMessage: { body: 'hello', messageId: 'msg_hand1', origin: null },
    });
    await changeRows(api.database, 'tenant', { persona: json({ autoReturnHours: 2 }) }, { agencyId: 'hands' });
    await inbox.post(`${path}/assign`, { assignee: 'Maria', reason: 'she knows them' });
    const taken = good(await inbox.get(path));
    expect(taken).toMatchObject({
      mode: 'human_takeover',
      assignedTo: 'Maria',
      reason: 'she knows them',
      takenOverBy: 'assign',
      epoch: 1,
      handovers: [{ mode: 'human_takeover', cause: 'assign', assignedTo: 'Maria', reason: 'she knows them', epoch: 1 }],
    });
    const { humanActiveAt, returnsAt } = z.object({ humanActiveAt: z.string(), returnsAt: z.string() }).parse(taken);
    expect(Date.parse(returnsAt) - Date.parse(humanActiveAt)).toBe(2 * 3_600_000);
    await inbox.post(`${path}/release`);
    expect(good(await inbox.get(path))).toMatchObject({
      mode: 'bot_active',
      assignedTo: null,
      reason: null,
      returnsAt: null,
      epoch: 2,
      handovers: [{ cause: 'release' }, { cause: 'assign' }],
    });
    expect((await inbox.get('/api/v1/conversations/cnv_nobodys')).status).toBe(404);
    const stranger = await anInbox(api, 'other-hands');
    expect((await stranger.get(path)).status).toBe(404);
  });
});
