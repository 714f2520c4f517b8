import { describe, expect, it } from '@jest/globals';
import { sql } from 'kysely';
import { z } from 'zod';
import { ensureConversation } from '../../../db/conversations/conversation.ts';
import { PAGE_ROWS, readExportPage } from '../../../db/personal-data/export/read-page.ts';
import { EXPORT_STEPS, PEOPLE_PLACE, ROWS_OF } from '../../../db/personal-data/export/walk.ts';
import type { ExportPlace, ExportStep } from '../../../db/personal-data/export/walk.ts';
import { checkRows, writeRows } from '../../../db/personal-data/import/write-rows.ts';
import { one } from '../../../db/engine/rows.ts';
import type { Queries } from '../../../db/engine/tx.ts';
import { ensureTenant } from '../../../db/tenants/tenant.ts';
import type { TenantScope } from '../../../domain/scope.ts';
import { addMessages, addRow, addRows, ago, countRows, findRows, rowsOf } from '../../support/rows.ts';
import { SCOPE } from '../a-database.ts';
import { databaseOfThisFile } from '../database-of-this-file.ts';

const { database, sessionId } = await databaseOfThisFile();
const CONVERSATIONS = 60;
const EACH = 400;
/** One conversation has many pages alone. */
const LONG = 3_000;

async function fill(): Promise<void> {
  await addRows(database, 'conversation', CONVERSATIONS, (n) => ({
    ...SCOPE,
    id: `cnv_${n}`,
    sessionId,
    chatId: `${n}@c.us`,
  }));
  for (let c = 1; c <= CONVERSATIONS; c += 1)
    await addMessages(database, `cnv_${c}`, c === 7 ? LONG : EACH, (n) => ({
      id: `msg_${c}_${n}`,
      occurredAt: ago({ minutes: n }),
    }));
  await rowsOf(database, sql<object>`analyze message, conversation`);
}

const TEXT = {
  direction: 'in',
  origin: 'network',
  kind: 'text',
  body: 'x',
  status: 'received',
  attempts: 0,
  lane: 1,
  conversation_id: 'cnv_1',
  occurred_at: '2026-01-01T00:00:00Z',
};

const stepOf = (what: string): ExportStep => {
  const step = ROWS_OF.get(what);
  if (!step) throw new Error(`Nothing writes ${what}.`);
  return step;
};
const linesOf = (what: string, at: ExportPlace, createdAt: Date) =>
  database.transaction(async (tx) => {
    const { parts, next } = await readExportPage(tx, { ...SCOPE, createdAt }, at);
    return { lines: parts.find((part) => part.what === what)?.lines ?? [], next };
  });

describe('a page of an export', () => {
  it('reads about as many messages as it has, wherever it stands', async () => {
    await fill();
    const Fetched = z.object({ fetched: z.coerce.number() });
    /** The messages that this connection has read so far. */
    const fetched = async (queries: Queries): Promise<number> => {
      const read = await one(queries, Fetched)`
        select idx_tup_fetch + seq_tup_read as fetched from pg_stat_xact_user_tables where relname = 'message'`;
      return read.fetched;
    };
    const createdAt = new Date(Date.now() + 60_000);
    let at: ExportPlace | null = { what: 'message', parent: null, after: null };
    const read: number[] = [];
    let rows = 0;
    while (at?.what === 'message') {
      const place: ExportPlace = at;
      const page = await database.transaction(async (tx) => {
        const before = await fetched(tx);
        const found = await readExportPage(tx, { ...SCOPE, createdAt }, place);
        return { found, fetched: (await fetched(tx)) - before };
      });
      rows += page.found.parts[0]?.lines.length ?? 0;
      read.push(page.fetched);
      at = page.found.next;
    }
    expect(rows).toBe((CONVERSATIONS - 1) * EACH + LONG);
    // A page that goes on in a conversation may end with it.
    expect(read.length).toBeLessThan((2 * rows) / PAGE_ROWS + 2);
    // The file names of a page are asked for by its ids; the rest is the begin of the next conversation.
    expect(Math.max(...read)).toBeLessThan(4 * PAGE_ROWS);
  });

  it('has nothing that was made after the export was asked for, nor what belongs to that', async () => {
    const [now] = await rowsOf(database, sql<{ at: string }>`select clock_timestamp()::text as at`);
    const createdAt = new Date(now?.at ?? '');
    await rowsOf(database, sql<object>`select pg_sleep(0.01)`);
    await addRow(database, 'contact', {
      id: 'con_late',
      agencyId: SCOPE.agencyId,
      tenantId: SCOPE.tenantId,
      chatId: 'late@c.us',
    });
    await addRow(database, 'contactAlias', {
      agencyId: SCOPE.agencyId,
      tenantId: SCOPE.tenantId,
      chatId: 'late@c.us',
      contactId: 'con_late',
    });
    for (const what of ['contact', 'contact_alias']) {
      const begin = { what, parent: null, after: null };
      expect((await linesOf(what, begin, createdAt)).lines).toEqual([]);
      expect((await linesOf(what, begin, new Date(createdAt.getTime() + 60_000))).lines).toHaveLength(1);
    }
  });

  it('is followed by the next walk, and the last by the people who were moved', async () => {
    const last = EXPORT_STEPS.at(-1)?.what ?? '';
    expect((await linesOf(last, { what: last, parent: null, after: null }, new Date())).next).toEqual(PEOPLE_PLACE);
    expect((await linesOf('tenant', { what: 'tenant', parent: null, after: null }, new Date())).next).toEqual({
      what: EXPORT_STEPS[1]?.what,
      parent: null,
      after: null,
    });
  });
});

describe('columns of a file', () => {
  const check = (step: ExportStep, row: object) =>
    database.read((queries) => checkRows(queries, step, [JSON.stringify(row)]));

  it.each(
    EXPORT_STEPS.filter(({ table }) => (table.without ?? []).length > 0).map((step) => [step.what, step] as const),
  )('that this release leaves out are known where another release has written them: %s', async (_what, step) => {
    const leftOut = Object.fromEntries((step.table.without ?? []).map((name) => [name, null]));
    expect(await check(step, leftOut)).toEqual([]);
    expect(await check(step, { ...leftOut, colourful: 1 })).toEqual(['colourful']);
  });

  it('that this release leaves out are not written', async () => {
    const { id } = await database.transaction((tx) =>
      ensureConversation(tx, { ...SCOPE, sessionId }, { chatId: '15550100333@c.us' }),
    );
    const row = { ...TEXT, id: 'msg_old', session_id: sessionId, conversation_id: id, matching_network_id: 'SHOWN' };
    const lines = [JSON.stringify(row)];
    expect(await database.transaction((tx) => writeRows(tx, SCOPE, { step: stepOf('message'), lines }))).toBe(1);
    expect(await countRows(database, 'message', { id: 'msg_old', matchingNetworkId: null })).toBe(1);
  });
});

describe('rows of a file that somebody has made', () => {
  const STRANGER: TenantScope = { ...SCOPE, tenantId: 'stranger' };
  const write = (what: string, row: object) =>
    database.transaction((tx) => writeRows(tx, STRANGER, { step: stepOf(what), lines: [JSON.stringify(row)] }));
  const message = (id: string, more: object) => ({
    ...TEXT,
    id,
    session_id: sessionId,
    ...more,
  });

  it('are not taken into conversations and sessions of another tenant', async () => {
    await database.transaction((tx) => ensureTenant(tx, STRANGER));
    expect(await write('message', message('msg_evil', {}))).toBe(0);
    expect(
      await write('label', { session_id: sessionId, id: '1', name: 'x', changed_at: '2026-01-01T00:00:00Z' }),
    ).toBe(0);
    expect(await write('contact_alias', { chat_id: 'x@c.us', contact_id: 'con_late' })).toBe(0);
    expect(await countRows(database, 'message', { tenantId: 'stranger' })).toBe(0);
  });

  it('are of the tenant into which they are read, and name files of its agency alone', async () => {
    const media = { url: 'http://backend/x', stored: { key: 'other/../x', sha256: 'a'.repeat(64), sizeBytes: 1 } };
    const bad = { url: null, stored: { key: 'x', sha256: '../../x', sizeBytes: 1 } };
    expect(await write('session', { id: 'ses_s', name: 's', is_default: true, agency_id: 'a9', tenant_id: 't9' })).toBe(
      1,
    );
    expect(
      await write('conversation', {
        id: 'cnv_s',
        session_id: 'ses_s',
        chat_id: 's@c.us',
        contact_id: 'con_late',
        mode: 'bot_active',
        epoch: 0,
        last_seq: 0,
        unread_count: 0,
        history_synced: 0,
        history_complete: true,
        contacted: false,
        created_at: '2026-01-01T00:00:00Z',
        updated_at: '2026-01-01T00:00:00Z',
      }),
    ).toBe(1);
    const own = { session_id: 'ses_s', conversation_id: 'cnv_s' };
    expect(await write('message', message('msg_s1', { ...own, media, contact_id: 'con_late' }))).toBe(1);
    expect(await write('message', message('msg_s2', { ...own, media: bad }))).toBe(1);
    const columns = ['agencyId', 'tenantId', 'media', 'contactId'] as const;
    const rows = await findRows(database, 'message', { conversationId: 'cnv_s' }, columns, 'id');
    const stored = { ...media.stored, key: `${SCOPE.agencyId}/${'a'.repeat(64)}` };
    expect(rows).toEqual([
      { agencyId: 'a1', tenantId: 'stranger', media: { url: null, stored }, contactId: null },
      { agencyId: 'a1', tenantId: 'stranger', media: { url: null }, contactId: null },
    ]);
    const [session] = await findRows(database, 'session', { id: 'ses_s' }, ['agencyId', 'tenantId', 'status', 'wish']);
    expect(session).toEqual({ agencyId: 'a1', tenantId: 'stranger', status: 'STOPPED', wish: 'stopped' });
    expect(await countRows(database, 'conversation', { id: 'cnv_s', contactId: null })).toBe(1);
  });
});
