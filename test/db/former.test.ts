import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import type { Database } from '../../db/engine/database.ts';
import { addRow, changeRows, deleteRows, findRows, merged, rowsOf } from '../support/rows.ts';
import { aDatabase, aWorkingSession, SCOPE } from './a-database.ts';

/** The arguments of 0.1.0 for the functions that it calls. */
const NAMES = JSON.stringify({
  type: 'deliverMessage',
  prefix: 'message/',
  released: 'released',
  outcome: 'open',
  priorities: { person: 1, api: 2, ai: 3, bulk: 4 },
});
const AGENT = JSON.stringify({
  type: 'aiConversation',
  prefix: 'ai/',
  signal: 'messageReceived',
  priority: 3,
  staleAfterMs: 600_000,
});

describe('a process of 0.1.0 on the functions of this release', () => {
  let database: Database;
  let sessionId: string;
  const now = new Date();

  beforeAll(async () => {
    database = await aDatabase();
    sessionId = await aWorkingSession(database);
    await deleteRows(database, 'dispatch');
  });
  afterAll(() => database.close());

  const answer = async (call: RawBuilder<unknown>): Promise<unknown> => {
    const [row] = await rowsOf(database, sql<{ answer: unknown }>`select ${call} as answer`);
    return row?.answer;
  };
  const accept = (n: number) =>
    answer(
      sql`accept_send(${JSON.stringify({
        ...SCOPE,
        boundSession: null,
        session: sessionId,
        chatId: '31600000001@c.us',
        newConversationId: `cnv_${n}`,
        newContactId: `con_${n}`,
        parts: [{ messageId: `msg_${n}`, kind: 'text', body: 'hello' }],
        origin: 'api',
        lane: 1,
        bulk: false,
        now,
        expiresAt: new Date(now.getTime() + 3_600_000),
      })}::jsonb, ${NAMES}::jsonb)`,
    );
  const promised = () =>
    findRows(
      database,
      'dispatch',
      {},
      { id: 'workflowId', action: 'action', signal: 'signal', priority: 'priority' },
      'id',
    );

  it('accepts, promotes and releases, and reads the numbers that it knows', async () => {
    expect(await accept(1)).toMatchObject({ outcome: 'accepted', released: 1 });
    expect(await accept(2)).toMatchObject({ outcome: 'accepted', released: 0 });
    const promote = () => answer(sql`promote('cnv_1', ${now}, ${NAMES}::jsonb)`);
    expect(await promote()).toBe(0);
    await changeRows(database, 'message', { status: 'sent' }, { id: 'msg_1' });
    expect(await promote()).toBe(1);
    await changeRows(database, 'tenant', { settings: merged({ pace: { perMinute: 600, burst: 10 } }) });
    await changeRows(database, 'message', { releasedAt: null, promisedAt: now }, { id: 'msg_2' });
    expect(await promote()).toBe(-1);
    expect(await answer(sql`release_session(${sessionId}, ${now}, ${NAMES}::jsonb)`)).toMatchObject({ released: 1 });
    expect(await answer(sql`dispatch_messages(array['msg_2'], 'signal_with_start', 'released', ${NAMES}::jsonb)`)).toBe(
      1,
    );
    const waits = { id: 'message/msg_2', action: 'signal_with_start', signal: 'released', priority: 2 };
    expect(await promised()).toEqual([
      { id: 'message/msg_1', action: 'start', signal: null, priority: 2 },
      { id: 'message/msg_2', action: 'start', signal: null, priority: 2 },
      waits,
      waits,
    ]);
    expect(await answer(sql`queue_scheduled(${now}, 100, ${NAMES}::jsonb)`)).toMatchObject({ moved: [], released: 0 });
  });

  it('tells the agent', async () => {
    await addRow(database, 'message', {
      id: 'msg_in',
      agencyId: SCOPE.agencyId,
      tenantId: SCOPE.tenantId,
      sessionId,
      conversationId: 'cnv_1',
      direction: 'in',
      origin: 'network',
      kind: 'text',
      body: 'Hello?',
      occurredAt: now,
      status: 'received',
    });
    expect(await answer(sql`tell_agent('cnv_1', 'msg_in', 'trn_1', ${now}, ${AGENT}::jsonb)`)).toBe('wake');
    expect(await answer(sql`phone_wait_ms(${sessionId}, 'cnv_1', 5000)`)).toBeNull();
  });
});
