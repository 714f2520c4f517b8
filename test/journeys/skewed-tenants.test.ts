import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { sql } from 'kysely';
import { addUpChats } from '../../db/conversations/inbox/chat-count.ts';
import { indexBeforeSearch } from '../../db/conversations/search/due.ts';
import { createStatementBooks } from '../loops/processes.ts';
import { anAgencyWithScopedKey, call } from '../support/client.ts';
import type { Agency } from '../support/client.ts';
import { startEngine } from '../support/engine.ts';
import type { TestEngine } from '../support/engine.ts';
import { eventually } from '../support/eventually.ts';
import { EXPLAINABLE, wideReadsOf } from '../support/plans.ts';
import { countRows, databaseName, rowsOf, untilCount } from '../support/rows.ts';
import { personWrites } from '../support/sandbox-record.ts';
import { send, untilStatus } from '../support/sends.ts';
import { aWebhookReceiver } from '../support/webhook-receiver.ts';
import type { WebhookReceiver } from '../support/webhook-receiver.ts';

/*
 * PostgreSQL keeps the plans of the hottest statements, so a plan may be made for one tenant and serve another. Here
 * one tenant has nearly all messages, and the statements of both may read few pages more than on a small database.
 * `npm run bench -- --only database-cost` has a million messages.
 */

const SECRET = 'a raw secret of more than thirty-two characters';
const STORED = 30_000;
const CHATS = 300;
const PEOPLE = 10;
/** The large tenant's other contacts and erased people. */
const OTHERS = 2_000;
/** Each tenant's former sessions, because a query over one tenant's sessions may read them. */
const FORMER = 900;
const HOTTEST = 20;
/**
 * The indexes of a hundred times as many rows are a level deeper, a message is in 26 of them, and batches differ. All
 * messages are more than a thousand pages.
 */
const DEEPER = 300;
const SHARE = 1.5;

/** More rows than one of its batches has, and fewer than the large tenant has of anything. */
const MANY = 1_000;
/** A statement of each message comes at least this often in two rounds. */
const OF_A_MESSAGE = 5;
/** Looks of each half minute at all sessions, the adding up of counts, and statements of the test itself. */
const PLANTED = 'select count(*)::int as n from';
const LISTS = [
  PLANTED,
  'select distinct c.session_id from chat_count',
  'select id from session where backend <> all',
  'update session set last_error',
  'update session s set look_asked_at',
  'with wanted as ( select w.workflow_type',
];

interface Cost {
  calls: number;
  buffers: number;
}

describe('beside one tenant that has nearly all messages', () => {
  let engine: TestEngine;
  let receiver: WebhookReceiver;
  let large: Agency;
  let small: Agency;

  beforeAll(async () => {
    receiver = await aWebhookReceiver(SECRET);
    engine = await startEngine({ databasePoolSize: 3, databaseSettings: EXPLAINABLE });
    await createStatementBooks(await databaseName(engine.database));
    const of = { dashboardUrl: receiver.url, webhookSecret: SECRET };
    large = await anAgencyWithScopedKey(engine, { agencyId: 'large', ...of });
    small = await anAgencyWithScopedKey(engine, { agencyId: 'small', ...of });
    for (const agency of [large, small]) {
      await agentOf(agency, 'persona', { extractMemories: false, quietPeriodMs: 100 });
      await agentOf(agency, 'state', { enabled: true });
    }
  });
  afterAll(async () => {
    await engine.close();
    receiver.close();
  });

  const agentOf = (agency: Agency, what: string, body: object) =>
    call(engine, 'PUT', `/api/v1/ai-sales-agent/${what}`, { key: agency.scopedKey, body });

  let round = 0;
  /** People are written to, answer and get an answer of the agent; the inbox is read. */
  async function work(agency: Agency): Promise<void> {
    round += 1;
    const people = Array.from({ length: PEOPLE }, (_, n) => `1555${round.toString().padStart(3, '0')}${1_000 + n}`);
    const replies = people.map(() => ({ text: 'An answer.' }));
    await engine.control('POST', '/llm/script', { replies });
    for (const text of ['Hello', 'Hello again']) {
      const sent = await Promise.all(people.map((phone) => send(engine, agency, phone, text)));
      await Promise.all(sent.map(({ messageId }) => untilStatus(engine, agency, messageId, 'read')));
    }
    const before = await countRows(engine.database, 'message', {
      origin: 'ai',
      status: 'read',
      agencyId: agency.agencyId,
    });
    await Promise.all(people.map((from) => personWrites(engine, agency.session.name, { from, text: 'Is it there?' })));
    await eventually(
      async () =>
        (await countRows(engine.database, 'message', { origin: 'ai', status: 'read', agencyId: agency.agencyId })) >=
        before + PEOPLE,
      {
        withinMs: 90_000,
        what: 'the answers of the agent',
      },
    );
    for (let n = 0; n < PEOPLE; n += 1) await readInbox(agency);
    await untilCount(engine.database, 'delivery', { status: 'pending' }, 0);
  }

  async function readInbox({ scopedKey: key }: Agency): Promise<void> {
    const read = async (path: string) => {
      const answer = await call(engine, 'GET', `/api/v1/${path}`, { key });
      expect({ path, status: answer.status }).toEqual({ path, status: 200 });
    };
    await read('inbox/chats');
    await read('messages?limit=20');
  }

  async function costs(): Promise<Map<string, Cost>> {
    const found = await rowsOf(
      engine.database,
      sql<{ query: string } & Cost>`
        select query, sum(calls)::int as calls, sum(shared_blks_hit + shared_blks_read)::int as buffers
        from pg_stat_statements where toplevel and query ~* '^(select|with|insert|update|delete)'
          and query !~ 'pg_stat_|pg_notify|count.*as n from'
          and dbid = (select oid from pg_database where datname = current_database()) group by query`,
    );
    return new Map(found.map(({ query, ...cost }) => [query, cost]));
  }

  /** Counts what each statement costs at each call of a round, once the plans are made. */
  async function costsOf(agency: Agency): Promise<Map<string, Cost>> {
    await work(agency);
    const before = await costs();
    await work(agency);
    const spent = [...(await costs())].map(([query, { calls, buffers }]): [string, Cost] => {
      const was = before.get(query) ?? { calls: 0, buffers: 0 };
      return [query, { calls: calls - was.calls, buffers: (buffers - was.buffers) / Math.max(1, calls - was.calls) }];
    });
    return new Map(spent.filter(([, { calls }]) => calls > 0));
  }

  async function store(agency: Agency, messages: number): Promise<void> {
    const chats = Math.max(1, (CHATS * messages) / STORED);
    const id = agency.session.id;
    await rowsOf(
      engine.database,
      sql`with stored as (
          insert into conversation (id, agency_id, tenant_id, session_id, chat_id, last_message_at)
          select 'cnv_' || ${id}::text || n, agency_id, tenant_id, id, 15553000000 + n || '@c.us', now() - interval '30 days'
          from session, generate_series(1, ${chats}::int) n where id = ${id}
        )
        insert into message (id, agency_id, tenant_id, session_id, conversation_id, direction, origin, kind, body,
          network_id, occurred_at, status, ack, sent_at, created_at, updated_at)
        select 'msg_' || ${id}::text || n, agency_id, tenant_id, id, 'cnv_' || ${id}::text || 1 + n % ${chats}::int, 'out',
          'api', 'text', 'old message ' || n, 'FILL' || n, t.at, 'read', 3, t.at, t.at, t.at
        from session, generate_series(1, ${messages}::int) n,
          lateral (select now() - interval '30 days' - n * interval '1 second' as at) t
        where id = ${id}`,
    );
    const others = Math.round((OTHERS * messages) / STORED);
    await rowsOf(
      engine.database,
      sql`with people as (
          insert into contact (id, agency_id, tenant_id, chat_id)
          select 'con_' || ${id}::text || n, agency_id, tenant_id, 15553000000 + n || '@c.us'
          from session, generate_series(1, ${others}::int) n where id = ${id}
          returning agency_id, tenant_id, chat_id, id
        ), erased as (
          insert into erased_address (agency_id, tenant_id, digest, erased_at)
          select agency_id, tenant_id, sha256(id::bytea), now() from people
        )
        insert into contact_alias (agency_id, tenant_id, chat_id, contact_id)
        select agency_id, tenant_id, chat_id, id from people`,
    );
    // Their words are indexed by batches, and the clean-up adds them up: neither is the work that is counted here.
    while (!(await indexBeforeSearch(engine.database)));
    await readInbox(agency);
    await engine.database.transaction((tx) => addUpChats(tx, 10));
  }

  /** Adds sessions that each tenant had: together more than one look may read. */
  const storeFormerSessions = () =>
    rowsOf(
      engine.database,
      sql`insert into session (id, agency_id, tenant_id, name, wish, deleted_at)
        select id || n, agency_id, tenant_id, name || '-former-' || n, 'deleted', now() - interval '1 day'
        from session, generate_series(1, ${FORMER}::int) n`,
    );

  it('the hottest statements read few pages more than on a small database, for it and for the others', async () => {
    const base = await costsOf(small);
    await store(large, STORED);
    await store(small, STORED / 1_000);
    await storeFormerSessions();
    await rowsOf(engine.database, sql`analyze`);
    for (const agency of [small, large]) {
      const now = await costsOf(agency);
      // A loop's statement that comes once in a while has no base to be compared with.
      const hottest = [...now]
        .filter(([query]) => (base.get(query)?.calls ?? 0) > 0)
        .toSorted(([, a], [, b]) => b.calls * b.buffers - a.calls * a.buffers)
        .slice(0, HOTTEST);
      expect(hottest).toHaveLength(HOTTEST);
      // A call may have a larger batch, and a longer round more polls: what a plan makes dearer is dearer both ways.
      const dearer = hottest
        .map(([query, cost]) => ({ query, ...cost, before: base.get(query) ?? { calls: 0, buffers: 0 } }))
        .filter(({ buffers, before }) => buffers > SHARE * before.buffers + DEEPER)
        .filter(
          ({ calls, buffers, before }) => calls * buffers > calls * DEEPER + SHARE * before.calls * before.buffers,
        );
      expect(dearer).toEqual([]);
    }
  });

  it('no statement of a message reads many rows, in a function either', async () => {
    const { plans, wide } = await wideReadsOf(async () => {
      await work(small);
      await work(large);
      await countRows(engine.database, 'message', {});
    }, MANY);
    // The messages were inserted by statements of a function, and the planted one reads them all.
    expect(plans).toBeGreaterThan(1_000);
    expect(wide.some(({ statement }) => statement.startsWith(PLANTED))).toBe(true);
    // A look that comes once in a while reads what it must.
    const often = [...Map.groupBy(wide, ({ statement }) => statement).values()].filter(
      ({ length }) => length >= OF_A_MESSAGE,
    );
    const found = often.flatMap(([first]) => first ?? []);
    expect(found.filter(({ statement }) => !LISTS.some((start) => statement.startsWith(start)))).toEqual([]);
  });
});
