import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { sql } from 'kysely';
import { CLEAN_UP_KINDS, createCleanUp } from '../../db/maintenance.ts';
import type { Database } from '../../db/engine/database.ts';
import {
  addRow,
  addRows,
  ago,
  countRows,
  databaseNow,
  deleteRows,
  findRow,
  like,
  maintainPartitionsAt,
  not,
  rowsOf,
} from '../support/rows.ts';
import { aConversationWithAiMessages, aDatabase, aWorkingSession, SCOPE } from './a-database.ts';

describe('the clean-up of a backlog', () => {
  let database: Database;
  let sessionId: string;

  beforeEach(async () => {
    database = await aDatabase();
    sessionId = await aWorkingSession(database);
    await rowsOf(database, sql`create table forgotten (n bigserial, kind text, rows int, txid xid8)`);
    await rowsOf(
      database,
      sql`create function note() returns trigger language plpgsql as $$ begin
        insert into forgotten (kind, rows, txid) select tg_table_name, count(*), pg_current_xact_id() from gone having count(*) > 0;
        return null; end $$`,
    );
    for (const table of ['delivery', 'dispatch', 'handover', 'ai_turn'])
      await rowsOf(
        database,
        sql`create trigger note after delete on ${sql.table(table)} referencing old table as gone
          for each statement execute function note()`,
      );
  });
  afterEach(() => database.close());

  const forgotten = () =>
    rowsOf(
      database,
      sql<{ kind: string; rows: number; txid: string }>`select kind, rows, txid from forgotten order by n`,
    );

  const parked = (count: number) =>
    addRows(database, 'dispatch', count, (n) => ({
      workflowType: 'x',
      workflowId: `x/${n}`,
      action: 'start',
      agencyId: SCOPE.agencyId,
      parkedAt: ago({ days: 91 }),
    }));

  it('takes all of it in one run, no more than a thousand rows in a transaction, and keeps no other kind waiting', async () => {
    const endpoint = await findRow(database, 'endpoint', {}, { endpointId: 'id', agencyId: 'agencyId' });
    await addRows(database, 'delivery', 3_500, (n) => ({
      ...endpoint,
      tenantId: SCOPE.tenantId,
      eventId: `e${n}`,
      eventCreatedAt: databaseNow,
      lane: 'l',
      ready: true,
      nextAttemptAt: databaseNow,
      status: 'delivered',
      doneAt: ago({ days: 91 }),
    }));
    await parked(1_200);
    for (const [days, isUntold] of [[91, null] as const, [91, true] as const, [89, null] as const])
      await addRow(database, 'handover', {
        conversationId: 'c',
        at: ago({ days }),
        cause: 'x',
        mode: 'bot_active',
        epoch: 1,
        isUntold,
      });
    await createCleanUp(database)();
    const taken = await forgotten();
    expect(taken.map(({ kind, rows }) => [kind, rows])).toEqual([
      ['delivery', 1_000],
      ['dispatch', 1_000],
      ['handover', 1],
      ['delivery', 1_000],
      ['dispatch', 200],
      ['delivery', 1_000],
      ['delivery', 500],
    ]);
    expect(new Set(taken.map(({ txid }) => txid)).size).toBe(taken.length);
    // One handover is young, and dashboards were not told of the other.
    expect(await countRows(database, 'handover')).toBe(2);
  });

  it('ends when its time is over, and the next one goes on', async () => {
    await parked(2_500);
    const cleanUp = createCleanUp(database);
    let asked = 0;
    // Each kind has had one turn by then.
    const isOver = () => (asked += 1) > CLEAN_UP_KINDS.length;
    await cleanUp({ isOver });
    expect(await countRows(database, 'dispatch', { parkedAt: not(null) })).toBe(1_500);
    await cleanUp();
    expect(await countRows(database, 'dispatch', { parkedAt: not(null) })).toBe(0);
  });

  it('does not look again at the turns that are kept before it has looked at all others', async () => {
    const { conversationId } = await aConversationWithAiMessages(database, sessionId);
    await deleteRows(database, 'aiTurn');
    // The last turn of each of 2,500 quiet conversations, and behind them 300 turns that a newer one follows.
    const of = { ...SCOPE, sessionId };
    await addRows(database, 'conversation', 2_500, (n) => ({ ...of, id: `q${n}`, chatId: `q${n}@c.us` }));
    const turn = { ...of, upToMessageId: 'm', conversationEpoch: 1, tenantEpoch: 1, outcome: 'reply' };
    const then = ago({ days: 120 });
    await addRows(database, 'aiTurn', 2_500, (n) => ({
      ...turn,
      id: `quiet q${n}`,
      conversationId: `q${n}`,
      upToAt: then,
      endedAt: then,
    }));
    await addRows(database, 'aiTurn', 301, (n) => {
      const at = ago({ days: 100, minutes: -n });
      return { ...turn, id: `busy ${n}`, conversationId, upToAt: at, endedAt: at };
    });
    const cleanUp = createCleanUp(database);
    const left = [];
    for (let run = 0; run < 4; run += 1) {
      await cleanUp();
      left.push(await countRows(database, 'aiTurn', { id: like('busy%') }));
    }
    expect(left).toEqual([301, 301, 1, 1]);
    expect(await countRows(database, 'aiTurn', { id: like('quiet%') })).toBe(2_500);
  });

  it('leaves dead rows to a vacuum that comes soon, also in partitions that are made later', async () => {
    await maintainPartitionsAt(database, 20);
    const untuned = await rowsOf(
      database,
      sql`select c.relname from pg_class c left join pg_inherits i on i.inhrelid = c.oid
        where (i.inhparent = 'backend_event'::regclass
            or c.relname in ('dispatch', 'delivery', 'session_sequence', 'session_pace', 'message', 'conversation'))
          and (c.reloptions::text like '%autovacuum_vacuum_scale_factor=0%') is not true`,
    );
    expect(untuned).toEqual([]);
  });
});
