import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { sql } from 'kysely';
import { z } from 'zod';
import { anAgencyWithScopedKey, call } from '../../support/client.ts';
import type { Agency } from '../../support/client.ts';
import { startEngine } from '../../support/engine.ts';
import type { TestEngine } from '../../support/engine.ts';
import { eventually } from '../../support/eventually.ts';
import { countRows, findRow, findRows, has, like, not, rowsOf, toldPayloads, untilCount } from '../../support/rows.ts';
import { ownerWrites, personWrites } from '../../support/sandbox-record.ts';
import { historiesOf } from '../../support/temporal-histories.ts';
import { untilStatus } from '../../support/sends.ts';
import { tracesOf } from './traces.ts';

const PERSON = '15550177001';
const HIDDEN = '888177001000111@lid';
const OTHER = '15550177002';
const GROUP = '120363017700000001@g.us';
/** Unique words, each put in by another door. */
const WORDS = {
  inbound: 'quetzalword',
  name: 'Zephyrine',
  file: 'obsidianfile',
  caption: 'caldera-caption',
  api: 'marzipansend',
  reply: 'gossamerreply',
  phone: 'phonewordlark',
  scheduled: 'latersendyew',
  agent: 'agentwordfern',
  memory: 'memorywordash',
  note: 'notewordhazel',
  group: 'groupwordmoss',
  rehearsal: 'rehearsewordoak',
  assign: 'assignwordelm',
  late: 'latewordbirch',
};
const { inbound, caption, api, reply, agent, group, name } = WORDS;
/** The texts that a search finds: messages, and the name and the number of the chat. */
const SAID = [inbound, caption, api, reply, agent, group, name, PERSON];
const ALL = [...Object.values(WORDS), PERSON, '888177001000111'];
const Found = z.object({ messages: z.array(z.object({})), chats: z.array(z.object({})) }).partial();

describe('a person who is erased', () => {
  let engine: TestEngine;
  let agency: Agency;
  let directory: string;
  const logLines: string[] = [];

  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'erase-test-'));
    engine = await startEngine({ environment: { DATA_DIR: directory }, logLines });
    agency = await anAgencyWithScopedKey(engine, { agencyId: 'forgetting' });
    await untilCount(engine.database, 'session', { syncedAt: not(null) });
  });
  afterAll(async () => {
    await engine.close();
    await rm(directory, { recursive: true, force: true });
  });

  const post = (path: string, body: object = {}, headers: Record<string, string> = {}) =>
    call(engine, 'POST', path, { key: agency.scopedKey, body, headers });
  const own = (method: string, path: string, body?: object) =>
    call(engine, method, path, { key: agency.dashboardKey, ...(body ? { body } : {}) });
  const write = (message: { text: string; from?: string; chatId?: string; id?: string; timestamp?: number }) =>
    personWrites(engine, agency.session.name, { from: PERSON, ...message });
  /** Asks the routes that search messages and chats. */
  const foundBySearch = async (q: string): Promise<boolean> => {
    const get = async (path: string, query: Record<string, string>) => {
      const { status, body } = await call(engine, 'GET', `/api/v1${path}?${new URLSearchParams(query).toString()}`, {
        key: agency.scopedKey,
      });
      expect(status).toBe(200);
      return body;
    };
    const { messages = [] } = Found.parse(await get('/messages/search', { q }));
    const { chats = [] } = Found.parse(await get('/inbox/chats', { search: q }));
    return messages.length + chats.length > 0;
  };
  const untilSaid = (word: string) => untilCount(engine.database, 'message', { body: like(`%${word}%`) });
  const contactOf = async (phone: string): Promise<string | undefined> => {
    const rows = await findRows(engine.database, 'contactAlias', { chatId: `${phone}@c.us` }, { id: 'contactId' });
    return rows[0]?.id;
  };
  const erase = async (contactId: string) => {
    const asked = await own('POST', `/api/v1/contacts/${contactId}/erase`, { actor: 'Sam' });
    expect(asked.status).toBe(202);
    const path = String(asked.headers.get('location'));
    return eventually(
      async () => {
        const { body } = await own('GET', path);
        return body['status'] === 'done' && body;
      },
      { what: 'the erasure to end' },
    );
  };

  it('leaves no word of theirs in any table, file, log, history or index, and the others keep theirs', async () => {
    const put = (what: string, body: object) =>
      call(engine, 'PUT', `/api/v1/ai-sales-agent/${what}`, { key: agency.scopedKey, body });
    await put('persona', { quietPeriodMs: 60 });
    await put('state', { enabled: true, mode: 'bot_active' });
    await engine.control('POST', '/llm/script', { replies: [{ text: WORDS.agent }] });
    await personWrites(engine, agency.session.name, {
      from: PERSON,
      lid: HIDDEN,
      text: `Hello ${WORDS.inbound}`,
      pushName: WORDS.name,
    });
    await untilSaid(WORDS.agent);
    await put('state', { enabled: false });
    const contactId = String(await contactOf(PERSON));
    await personWrites(engine, agency.session.name, {
      from: PERSON,
      text: WORDS.caption,
      media: { mimetype: 'text/plain', filename: `${WORDS.file}.txt`, data: btoa(WORDS.file) },
    });
    await untilCount(engine.database, 'message', { media: has('stored') });
    const withFile = await findRow(engine.database, 'message', { media: has('stored') }, ['conversationId']);
    const { conversationId } = withFile;
    const mediaUrl = await eventually(async () => {
      const told = await toldPayloads(engine.database, { type: 'message' });
      const url = told.map((payload) => payload['mediaUrl']).find((each) => typeof each === 'string');
      return url === undefined ? undefined : engine.url + new URL(url).pathname;
    });
    expect((await fetch(mediaUrl)).status).toBe(200);
    const sent = await post('/api/v1/messages/send', { to: PERSON, text: WORDS.api }, { 'idempotency-key': 'one' });
    await untilStatus(engine, agency, String(sent.body['messageId']), 'read');
    await post(`/api/v1/inbox/conversations/${conversationId}/messages`, { content: WORDS.reply });
    await untilCount(engine.database, 'message', { body: WORDS.reply, status: 'read' });
    await post('/api/v1/messages/send', {
      to: PERSON,
      text: WORDS.scheduled,
      sendAt: new Date(Date.now() + 3_600_000).toISOString(),
    });
    await post(
      '/api/v1/memories',
      { contactId, fact: WORDS.memory, category: 'x', source: 'me' },
      { 'idempotency-key': 'm' },
    );
    await post('/api/v1/notes', { contactId, text: WORDS.note }, { 'idempotency-key': 'n' });
    await post('/api/v1/ai/rehearse', { conversationId, messages: [{ role: 'contact', body: WORDS.rehearsal }] });
    await post(`/api/v1/conversations/${conversationId}/assign`, { assignee: 'Kim', reason: WORDS.assign });
    await ownerWrites(engine, agency.session.name, { to: PERSON, text: WORDS.phone });
    await write({ text: WORDS.group, chatId: GROUP });
    await personWrites(engine, agency.session.name, { from: OTHER, chatId: GROUP, text: 'ours in the group' });
    await personWrites(engine, agency.session.name, { from: OTHER, text: 'and alone' });
    for (const word of [WORDS.group, 'ours in the group', 'and alone', WORDS.reply]) await untilSaid(word);
    await eventually(async () => (await countRows(engine.database, 'backendEvent', { appliedAt: null })) === 0);
    expect((await tracesOf(engine, ALL, directory)).length).toBeGreaterThan(5);
    expect((await historiesOf(engine)).length).toBeGreaterThan(5);

    for (const said of SAID) expect({ said, found: await foundBySearch(said) }).toEqual({ said, found: true });

    const report = await erase(contactId);

    for (const word of ALL) expect({ word, found: await foundBySearch(word) }).toEqual({ word, found: false });
    expect(await foundBySearch('ours in the group')).toBe(true);
    expect(await tracesOf(engine, ALL, directory)).toEqual([]);
    expect(logLines.length).toBeGreaterThan(5);
    expect(logLines.filter((line) => ALL.some((word) => line.includes(word)))).toEqual([]);
    expect(report['erased']).toMatchObject({
      contact: 1,
      conversation: expect.any(Number),
      memory: 1,
      note: 1,
      files: 1,
    });
    expect(report['waitsFor']).toBeNull();
    expect(report['kept']).toEqual(expect.arrayContaining([expect.stringMatching(/backup/i)]));
    expect((await fetch(mediaUrl)).status).toBe(410);
    expect((await own('GET', `/api/v1/contacts/${contactId}?tenantId=t1`)).status).toBe(404);
    const replayed = await post('/api/v1/messages/send', { to: PERSON, text: WORDS.api }, { 'idempotency-key': 'one' });
    expect(replayed).toMatchObject({ status: 410, body: { code: 'erased' } });
    expect(await countRows(engine.database, 'message', { body: ['ours in the group', 'and alone'] })).toBe(2);
    const told = await toldPayloads(engine.database, { type: 'contact.erased' });
    expect(told).toEqual([expect.objectContaining({ contactId, conversationIds: [conversationId] })]);
  });

  it('is not brought back by late news and by history, and is a new contact when they write again', async () => {
    const before = Math.floor(Date.now() / 1_000) - 60;
    await write({ text: `${WORDS.late} of before`, timestamp: before });
    await personWrites(engine, agency.session.name, { from: OTHER, text: 'after the late one' });
    await untilSaid('after the late one');
    expect(await contactOf(PERSON)).toBeUndefined();

    await call(engine, 'POST', `/api/v1/${agency.session.name}/syncContacts`, { key: agency.scopedKey });
    await eventually(async () => {
      const [session] = await rowsOf(
        engine.database,
        sql<{
          isRead: boolean;
        }>`select contacts_synced_at > ${new Date(before * 1_000 + 60_000)} as "isRead" from session`,
      );
      return session?.isRead;
    });
    expect(await contactOf(PERSON)).toBeUndefined();

    await write({ text: 'Here again' });
    await untilSaid('Here again');
    const contactId = await contactOf(PERSON);
    expect(contactId).toMatch(/^con_/);
    await post('/api/v1/inbox/chats?limit=20');
    expect(await countRows(engine.database, 'message', { body: like(`%${WORDS.inbound}%`) })).toBe(0);

    const [first] = await findRows(engine.database, 'erasure', {}, ['contactId'], 'id');
    const again = await own('POST', `/api/v1/contacts/${first?.contactId}/erase`, {});
    expect(again).toMatchObject({ status: 202, body: { status: 'done', contactId: first?.contactId } });
    expect(await contactOf(PERSON)).toBe(contactId);
  });
});
