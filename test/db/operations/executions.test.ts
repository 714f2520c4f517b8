import { beforeAll, describe, expect, it } from '@jest/globals';
import { sql } from 'kysely';
import { ensureConversation } from '../../../db/conversations/conversation.ts';
import { newId } from '../../../db/engine/new-id.ts';
import { listEngineExecutions } from '../../../db/operations/executions.ts';
import type { EngineExecutionFilter } from '../../../db/operations/executions.ts';
import type { Scope } from '../../../domain/scope.ts';
import { addRow, booksWritten, databaseNow, ensureAutomation, json, rowsOf } from '../../support/rows.ts';
import { SCOPE } from '../a-database.ts';
import { databaseOfThisFile } from '../database-of-this-file.ts';

const { database, sessionId } = await databaseOfThisFile({ poolSize: 1 });
const scope: Scope = { ...SCOPE, sessionId: null };
const change = (statement: ReturnType<typeof sql<object>>) => rowsOf(database, statement);
/** Turns of the agent: far more than of anything else, and one of them runs. */
const TURNS = 3_000;

const list = (filter: EngineExecutionFilter = {}, after: string | null = null, limit = 20, of = scope) =>
  database.read((queries) => listEngineExecutions(queries, of, filter, { after, limit }));

async function rowsRead(): Promise<number> {
  const [row] = await rowsOf(
    database,
    sql<{ count: string }>`select sum(coalesce(idx_tup_fetch, 0) + seq_tup_read)::text as count from pg_stat_user_tables
      where relname in ('ai_turn', 'automation_execution', 'message_action', 'rehearsal', 'erasure', 'tenant_export')`,
  );
  return Number(row?.count ?? 0);
}

/** Counts the rows of all kinds that one list reads. */
async function readBy(filter: EngineExecutionFilter): Promise<number> {
  const flush = () => booksWritten(database);
  await flush();
  const before = await rowsRead();
  await list(filter);
  await flush();
  return (await rowsRead()) - before;
}

describe('what the engine does for a tenant', () => {
  let conversationId: string;
  const { agencyId, tenantId } = SCOPE;
  const ids = { reh: newId('reh'), era: newId('era'), exp: newId('exp'), gone: newId('exp'), exe: newId('exe') };

  beforeAll(async () => {
    const of = { ...SCOPE, sessionId };
    ({ id: conversationId } = await database.transaction((tx) =>
      ensureConversation(tx, of, { chatId: '15550100111@c.us' }),
    ));
    const turn = (tenant: string) => sql<object>`
      insert into ai_turn (id, agency_id, tenant_id, session_id, conversation_id, up_to_message_id, up_to_at,
        conversation_epoch, tenant_epoch, outcome, silence_code, started_at, ended_at)
      select ${tenant === tenantId ? 'trn_00000000-0000-7000-8000-' : 'trn_00000000-0000-7000-9000-'} || lpad(n::text, 12, '0'), ${agencyId},
        ${tenant}, ${sessionId}, ${conversationId}, 'msg', now(), 1, 1,
        case when n = 7 then 'running' when n % 2 = 0 then 'reply' else 'silence' end,
        case when n = 9 then 'model_failed' when n <> 7 and n % 2 = 1 then 'paused' end, now(),
        case when n <> 7 then now() end from generate_series(1, ${TURNS}::int) n`;
    for (const tenant of [tenantId, 't2']) await change(turn(tenant));
    await addRow(database, 'rehearsal', {
      id: ids.reh,
      agencyId,
      tenantId,
      request: json({}),
      status: 'failed',
      errorCode: 'internal',
      createdAt: databaseNow,
    });
    await addRow(database, 'erasure', {
      id: ids.era,
      agencyId,
      tenantId,
      contactId: 'con_gone',
      keyId: 'key',
      createdAt: databaseNow,
      waitsFor: 'sends',
    });
    await addRow(
      database,
      'tenantExport',
      { id: ids.exp, agencyId, tenantId, keyId: 'key', createdAt: databaseNow, endedAt: databaseNow, goneReason: null },
      { id: ids.gone, agencyId, tenantId, keyId: 'key', createdAt: databaseNow, endedAt: null, goneReason: 'deleted' },
    );
    await ensureAutomation(database, { agencyId, tenantId }, { id: 'aut', definition: 'welcome' });
    await addRow(database, 'automationExecution', {
      id: ids.exe,
      automationId: 'aut',
      agencyId,
      tenantId,
      sessionId,
      conversationId,
      definition: 'welcome',
      params: json({}),
      trigger: json({}),
      triggerKey: 'k',
      status: 'running',
      waitsFor: 'reply',
      createdAt: databaseNow,
      promisedAt: databaseNow,
    });
    await change(sql`analyze`);
  });

  it('is one list, the newest first, whatever its kind, with how each ended', async () => {
    const shown = (await list({}, null, 8)).map(({ id, kind, status, reason }) => [id, kind, status, reason]);
    const turn = (n: number) => `trn_00000000-0000-7000-8000-${String(n).padStart(12, '0')}`;
    expect(shown).toEqual([
      [ids.exe, 'automation', 'running', 'reply'],
      [ids.gone, 'export', 'cancelled', 'deleted'],
      [ids.exp, 'export', 'completed', null],
      [ids.era, 'erasure', 'running', 'sends'],
      [ids.reh, 'rehearsal', 'failed', 'internal'],
      [turn(TURNS), 'ai', 'completed', null],
      [turn(TURNS - 1), 'ai', 'completed', 'paused'],
      [turn(TURNS - 2), 'ai', 'completed', null],
    ]);
  });

  it('is read to its end, page by page, each once', async () => {
    const seen: string[] = [];
    for (let page = await list({}, null, 900); page.length > 0;) {
      seen.push(...page.map(({ id }) => id));
      page = await list({}, seen.at(-1)?.slice(4) ?? '', 900);
    }
    expect(seen).toHaveLength(TURNS + 5);
    expect(new Set(seen).size).toBe(TURNS + 5);
  });

  it('is found by its kind, its state, its conversation and its time', async () => {
    const found = async (filter: EngineExecutionFilter) =>
      (await list(filter)).map(({ kind, status }) => [kind, status]);
    expect(await found({ status: 'running' })).toEqual([
      ['automation', 'running'],
      ['erasure', 'running'],
      ['ai', 'running'],
    ]);
    expect(await found({ status: 'failed' })).toEqual([
      ['rehearsal', 'failed'],
      ['ai', 'failed'],
    ]);
    expect(await found({ kind: 'erasure', status: 'failed' })).toEqual([]);
    expect(await found({ kind: 'automation', conversationId })).toEqual([['automation', 'running']]);
    expect(await found({ conversationId: 'cnv_other' })).toEqual([]);
    // The ids of the turns say that they are older.
    expect(await found({ since: new Date(Date.now() - 3_600_000) })).toHaveLength(5);
  });

  it('is of its session for a key of one session', async () => {
    const kinds = async (own: string) =>
      new Set((await list({}, null, 50, { ...SCOPE, sessionId: own })).map(({ kind }) => kind));
    expect(await kinds(sessionId)).toEqual(new Set(['automation', 'ai']));
    expect(await kinds('ses_other')).toEqual(new Set());
  });

  it('costs the rows of its page, however many there are', async () => {
    expect(await readBy({})).toBeLessThanOrEqual(20 + 6);
    expect(await readBy({ status: 'running' })).toBeLessThanOrEqual(10);
    expect(await readBy({ since: new Date(Date.now() - 3_600_000) })).toBeLessThanOrEqual(20);
  });
});
