import { beforeAll, describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { indexOldTexts } from '../../../db/conversations/search/search-messages.ts';
import { run } from '../../../db/engine/rows.ts';
import { apiOfThisFile } from '../../support/api-of-this-file.ts';
import { eventually } from '../../support/eventually.ts';
import { addMessages, addRow, ago, changeRows, countRows, databaseNow, deleteRows } from '../../support/rows.ts';
import { anInbox } from './an-inbox.ts';
import type { Inbox } from './an-inbox.ts';
import { problem } from './inbox-answers.ts';

const api = await apiOfThisFile('search');

const Found = z.object({
  messages: z.array(
    z.object({
      messageId: z.string(),
      conversationId: z.string(),
      body: z.string(),
      highlights: z.array(z.object({ start: z.int(), end: z.int() })),
    }),
  ),
  hasMore: z.boolean(),
  nextCursor: z.string().nullable(),
  isComplete: z.boolean(),
});

let inbox: Inbox;
let written = 0;

beforeAll(async () => {
  inbox = await anInbox(api, 'searched');
  await inbox.converse('talk', 3);
});

/** More than the index can hold of one text: words of which no two are equal, and letters that fold into many. */
const HUGE = [Array.from({ length: 300_000 }, (_, n) => `w${n.toString(36)}`).join(' '), '\uFDFA '.repeat(100_000)];

/** Writes messages in a conversation, each a day after the one before; the times begin two years ago. */
async function wrote(conversationId: string, texts: readonly string[]): Promise<string[]> {
  const ids = texts.map(() => `msg_w${++written}`);
  const first = written - texts.length;
  await addMessages(api.database, conversationId, texts.length, (n) => {
    const id = ids[n - 1] ?? '';
    return { id, networkId: id, contactId: null, body: texts[n - 1] ?? '', occurredAt: ago({ days: 730 - first - n }) };
  });
  return ids;
}

async function search(q: string, more: Record<string, string> = {}) {
  const answer = await inbox.get('/api/v1/messages/search', { q, ...more });
  if (answer.status !== 200) throw new Error(`It was answered ${answer.status}: ${JSON.stringify(answer.body)}`);
  const page = Found.parse(answer.body);
  return {
    ...page,
    bodies: page.messages.map(({ body }) => body),
    ids: page.messages.map(({ messageId }) => messageId),
  };
}
const found = async (q: string, more: Record<string, string> = {}) => (await search(q, more)).bodies;
const marked = async (q: string) => {
  const [message] = (await search(q)).messages;
  return message?.highlights.map(({ start, end }) => message.body.slice(start, end));
};

describe('a search', () => {
  it.each([
    [
      'by a word, whatever its letters are',
      'Die Rechnung von CAFÉ Müller',
      ['rechnung', 'cafe', 'MULLER', 'müller'],
      ['muell', 'rech'],
    ],
    ['by the beginning of a word', 'Please send the invoices', ['invo*', 'INV* send'], ['invo', 'oices*']],
    [
      'by words in a row',
      'Thank you so much, Ann',
      ['"thank you"', '"so much ann"', 'much thank'],
      ['"thank so"', '"you thank"'],
    ],
    [
      'by a number with signs in it',
      'Order #AB-4711 of 12.5.2026',
      ['ab-4711', '4711', '"12 5"', '12.5.2026'],
      ['711', '"5 12"'],
    ],
    ['by a part of a sentence without spaces', '今日は会議があります', ['会議', '"会議があ"'], ['議会']],
    ['in other alphabets', 'Привет, ΚΑΛΗΜΕΡΑ and ＡＢＣ', ['привет', 'καλημερα', 'abc'], ['приве']],
    [
      'past quotes, signs and hostile text',
      `<img src=x onerror="alert(1)"> ' \\ & | ! :* (a)`,
      ['alert', 'img', 'onerror alert', `'a'`],
      ['imgx'],
    ],
  ])('finds a message %s', async (_, text, hits, misses) => {
    await wrote('talk1', [text]);
    for (const q of hits) expect([q, await found(q)]).toEqual([q, [text]]);
    for (const q of misses) expect([q, await found(q)]).toEqual([q, []]);
  });

  it('finds the first words of a text that is longer than the index can hold, and what others have said', async () => {
    const huge = await wrote(
      'talk1',
      HUGE.map((text) => `hugeword ${text}`),
    );
    const [after] = await wrote('talk1', ['said behind the hugeword']);
    expect((await search('hugeword')).ids).toEqual([after, ...huge.toReversed()]);
    await deleteRows(api.database, 'message', { id: [...huge, after] });
  });

  it('tells where a text says it, as ranges of the text', async () => {
    await wrote('talk1', ['<b>Käse</b> und käsebrot, KASE 😀 käse!']);
    expect(await marked('kase')).toEqual(['Käse', 'KASE', 'käse']);
    expect(await marked('käse* und')).toEqual(['Käse', 'und', 'käsebrot', 'KASE', 'käse']);
    expect(await marked('"und kasebrot"')).toEqual(['und käsebrot']);
    expect(await marked('会議')).toEqual(['会議']);
  });

  it('finds the newest first, page by page, each message once, across months and while others are written', async () => {
    const texts = Array.from({ length: 90 }, (_, n) => `counted sheep ${n}`);
    const ids = (await wrote('talk2', texts)).toReversed();
    const seen: string[] = [];
    for (let cursor: string | null | undefined; cursor !== null;) {
      const page = await search('sheep', { limit: '20', ...(cursor === undefined ? {} : { cursor }) });
      seen.push(...page.ids);
      cursor = page.nextCursor;
      await wrote('talk2', ['one more sheep']);
    }
    expect(seen).toEqual(ids);
  });

  it('finds what a month of before has, beyond the messages that it looks at one by one', async () => {
    const [old] = await wrote('talk2', ['the needle of long ago']);
    await changeRows(api.database, 'message', { occurredAt: ago({ days: 3285 }) }, { id: old ?? '' });
    await addMessages(api.database, 'talk3', 2_500, (n) => ({
      id: `msg_hay${n}`,
      contactId: null,
      body: 'hay',
      networkId: `hay${n}`,
      occurredAt: ago({ hours: 3 * n }),
    }));
    expect((await search('needle')).ids).toEqual([old]);
    expect(await found('needle', { since: new Date(Date.now() - 365 * 86_400_000).toISOString() })).toEqual([]);
    expect((await search('needle', { until: new Date(Date.now() - 365 * 86_400_000).toISOString() })).ids).toEqual([
      old,
    ]);
    const seen = new Set<string>();
    for (let cursor: string | null | undefined; cursor !== null;) {
      const page = await search('hay', { limit: '100', ...(cursor === undefined ? {} : { cursor }) });
      page.ids.forEach((id) => seen.add(id));
      cursor = page.nextCursor;
    }
    expect(seen.size).toBe(2_500);
    await deleteRows(api.database, 'message', { body: 'hay' });
  });

  it('is narrowed to a conversation, a contact, a side, a kind, a session and a time', async () => {
    const [inOne] = await wrote('talk1', ['zebra one']);
    const [inThree, photo] = await wrote('talk3', ['zebra three', 'zebra photo']);
    await changeRows(api.database, 'message', { kind: 'image', direction: 'out' }, { id: photo ?? '' });
    const of = { agencyId: inbox.agencyId, tenantId: inbox.tenantId, chatId: '15550100900@c.us' };
    await addRow(api.database, 'contact', { ...of, id: 'con_zoo' });
    await changeRows(api.database, 'conversation', { contactId: 'con_zoo' }, { id: 'talk1' });
    await addRow(api.database, 'contactAlias', { ...of, contactId: 'con_zoo' });
    expect((await search('zebra')).ids).toEqual([photo, inThree, inOne]);
    expect((await search('zebra', { conversationId: 'talk3' })).ids).toEqual([photo, inThree]);
    expect((await search('zebra', { contactId: 'con_zoo' })).ids).toEqual([inOne]);
    expect((await search('zebra', { fromMe: 'true' })).ids).toEqual([photo]);
    expect((await search('zebra', { fromMe: 'false', conversationId: 'talk3' })).ids).toEqual([inThree]);
    expect((await search('zebra', { kind: 'image' })).ids).toEqual([photo]);
    expect((await search('zebra', { session: inbox.sessionId })).ids).toEqual([photo, inThree, inOne]);
    expect((await search('zebra', { conversationId: 'talk3', contactId: 'con_zoo' })).ids).toEqual([]);
  });

  it('follows a message that is edited, taken back, moved to another conversation, or erased', async () => {
    const [id = ''] = await wrote('talk1', ['giraffe']);
    await changeRows(api.database, 'message', { body: 'elephant' }, { id });
    expect([await found('giraffe'), (await search('elephant')).ids]).toEqual([[], [id]]);
    await changeRows(api.database, 'message', { conversationId: 'talk3' }, { id });
    expect(await found('elephant', { conversationId: 'talk1' })).toEqual([]);
    expect((await search('elephant', { conversationId: 'talk3' })).ids).toEqual([id]);
    await changeRows(api.database, 'message', { revokedAt: databaseNow }, { id });
    expect(await found('elephant')).toEqual([]);
    await changeRows(api.database, 'message', { revokedAt: null, status: 'scheduled' }, { id });
    expect(await found('elephant')).toEqual([]);
    await changeRows(api.database, 'message', { status: 'received' }, { id });
    expect(await found('elephant')).toEqual(['elephant']);
    await deleteRows(api.database, 'message', { id });
    expect(await countRows(api.database, 'messageText', { messageId: id })).toBe(0);
  });

  it('knows what became of messages that were edited or deleted while their words were being indexed', async () => {
    const [edited, deleted, quiet] = await wrote('talk1', ['gnu one', 'gnu two', 'gnu three']);
    await api.database.transaction(async (tx) => {
      await run(tx)`select index_due(500, true)`;
      await changeRows(api.database, 'message', { body: 'yak one' }, { id: edited });
      await deleteRows(api.database, 'message', { id: deleted });
    });
    expect((await search('gnu')).ids).toEqual([quiet]);
    expect((await search('yak')).ids).toEqual([edited]);
    expect(await countRows(api.database, 'messageText', { messageId: [edited, deleted] })).toBe(1);
  });

  it('has the words of messages that nobody has searched for indexed in passing', async () => {
    const [id] = await wrote('talk1', ['wombat']);
    await eventually(async () => (await countRows(api.database, 'messageText', { messageId: id })) === 1, {
      what: 'the words to be indexed',
    });
    expect(await countRows(api.database, 'searchDue', { messageId: id })).toBe(0);
  });

  it('finds messages of before the index once they are added, and says so until then', async () => {
    const ids = await wrote('talk1', ['antelope one', 'antelope two', 'antelope three']);
    await deleteRows(api.database, 'messageText');
    await deleteRows(api.database, 'searchDue');
    await changeRows(api.database, 'messageTextFill', { afterId: '', isDone: false });
    await changeRows(api.database, 'message', { revokedAt: databaseNow }, { id: ids[1] ?? '' });
    expect(await search('antelope')).toMatchObject({ ids: [], isComplete: false });
    while ((await api.database.transaction((tx) => indexOldTexts(tx, 40))) > 0);
    expect(await search('antelope')).toMatchObject({ ids: [ids[2], ids[0]], isComplete: true });
    expect(await countRows(api.database, 'messageText')).toBe(
      await countRows(api.database, 'message', { revokedAt: null }),
    );
  });

  it("finds nothing of another tenant's, nor of another session's with its key", async () => {
    const other = await anInbox(api, 'other-searched');
    await other.converse('elsewhere', 1);
    await wrote('elsewhere1', ['okapi']);
    expect(await found('okapi')).toEqual([]);
    for (const [name, id] of [
      ['conversationId', 'elsewhere1'],
      ['session', other.sessionId],
      ['contactId', 'con_nobodys'],
    ] as const) {
      expect((await inbox.get('/api/v1/messages/search', { q: 'okapi', [name]: id })).status).toBe(404);
    }
    // The words that say whose a text is are in no search.
    for (const q of ['/s/' + other.sessionId, '/m/*', other.agencyId, 'm*'])
      expect(await found(q)).not.toContain('okapi');
  });

  it.each([
    ['nothing', ''],
    ['only punctuation', '?! -- "..." 😀'],
    ['more words than it may have', Array.from({ length: 17 }, (_, n) => `w${n}`).join(' ')],
    ['a long text', 'x'.repeat(257)],
  ])('for %s is refused, and says why', async (_, q) => {
    expect(problem(await inbox.get('/api/v1/messages/search', { q }))).toEqual({
      status: 422,
      code: 'invalid_request',
      pointers: ['query/q'],
    });
  });

  it.each([
    ['a thousand words', Array.from({ length: 1_000 }, (_, n) => `w${n}`).join(' ')],
    ['ten thousand characters', 'x'.repeat(10_000)],
  ])('for %s is refused before it is read, because no address may be so long', async (_, q) => {
    const { status, body } = await inbox.get('/api/v1/messages/search', { q });
    expect([status, body['code']]).toEqual([400, 'bad_request_target']);
  });

  it('refuses a cursor of another search', async () => {
    await wrote('talk1', ['lion', 'lion']);
    const cursor = (await search('lion', { limit: '1' })).nextCursor ?? '';
    for (const more of [{ q: 'lions' }, { q: 'lion', fromMe: 'false' }, { q: 'lion', since: '2020-01-01T00:00:00Z' }]) {
      const answer = await inbox.get('/api/v1/messages/search', { ...more, cursor });
      expect(problem(answer)).toMatchObject({ status: 422, pointers: ['query/cursor'] });
    }
    expect((await search('"lion"', { limit: '1', cursor })).bodies).toEqual(['lion']);
  });
});
