import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { sql } from 'kysely';
import { CLEAN_UP_KINDS, createCleanUp } from '../../db/maintenance.ts';
import type { Database } from '../../db/database.ts';
import { countRows, deleteRows, like, not, rowsOf } from '../support/rows.ts';
import { aConversationWithAiMessages, aDatabase, aWorkingSession } from './a-database.ts';

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

  it('takes all of it in one run, no more than a thousand rows in a transaction, and keeps no other kind waiting', async () => {
    await rowsOf(
      database,
      sql`insert into delivery (endpoint_id, agency_id, tenant_id, event_id, event_created_at, lane, ready, next_attempt_at, status, done_at)
        select id, agency_id, 't1', 'e' || n, now(), 'l', true, now(), 'delivered', now() - interval '91 days'
        from endpoint, generate_series(1, 3500) n`,
    );
    await rowsOf(
      database,
      sql`insert into dispatch (workflow_type, workflow_id, action, agency_id, parked_at)
        select 'x', 'x/' || n, 'start', 'a1', now() - interval '91 days' from generate_series(1, 1200) n`,
    );
    await rowsOf(
      database,
      sql`insert into handover (conversation_id, at, cause, mode, epoch, is_untold)
        select 'c', now() - days * interval '1 day', 'x', 'bot_active', 1, is_untold
        from (values (91, null), (91, true), (89, null)) v (days, is_untold)`,
    );
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
    await rowsOf(
      database,
      sql`insert into dispatch (workflow_type, workflow_id, action, agency_id, parked_at)
        select 'x', 'x/' || n, 'start', 'a1', now() - interval '91 days' from generate_series(1, 2500) n`,
    );
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
    await rowsOf(
      database,
      sql`with quiet as (
          insert into conversation (id, agency_id, tenant_id, session_id, chat_id)
          select 'q' || n, agency_id, tenant_id, id, 'q' || n || '@c.us' from session, generate_series(1, 2500) n returning id
        )
        insert into ai_turn (id, agency_id, tenant_id, session_id, conversation_id, up_to_message_id, up_to_at,
          conversation_epoch, tenant_epoch, outcome, ended_at)
        select 'quiet ' || id, 'a1', 't1', ${sessionId}, id, 'm', now() - interval '120 days', 1, 1, 'reply', now() - interval '120 days'
        from quiet
        union all
        select 'busy ' || n, 'a1', 't1', ${sessionId}, ${conversationId}, 'm', now() - interval '100 days' + n * interval '1 minute', 1, 1,
          'reply', now() - interval '100 days' + n * interval '1 minute' from generate_series(1, 301) n`,
    );
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
    await rowsOf(database, sql`select maintain_partitions((current_date + interval '20 days')::date)`);
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
