import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { sql } from 'kysely';
import { insertRehearsal } from '../../db/agent/rehearsal.ts';
import { tellAgent } from '../../db/agent/tell-agent.ts';
import type { Database } from '../../db/engine/database.ts';
import type { Tx } from '../../db/engine/tx.ts';
import { redispatchAgents, redispatchMessages, redispatchSessions } from '../../db/reconcile.ts';
import { promise } from '../../db/promises.ts';
import { resumeQueues } from '../../db/sending/promote.ts';
import { tellWorkflow } from '../../db/sending/tell-workflow.ts';
import { promiseConversationSync, promiseSession, promiseSync } from '../../db/sessions/session-workflow.ts';
import { promiseEndpointWorkflows, tellEndpointWorkflow } from '../../db/webhooks/endpoint-workflow.ts';
import { isPromisedType } from '../../domain/names.ts';
import { WORKFLOWS } from '../../domain/workflows.ts';
import { addRow, ago, changeRows, databaseNow, deleteRows, findRow, findRows, rowsOf } from '../support/rows.ts';
import { aDatabase, aWorkingSession, SCOPE } from './a-database.ts';

/** The promises of every type of workflow, word for word: operators search by these ids, attributes and titles. */
describe('a promise shows Temporal', () => {
  let database: Database;
  let sessionId: string;
  let endpointId: string;

  beforeAll(async () => {
    database = await aDatabase();
    sessionId = await aWorkingSession(database);
    // The user of a URL and its path may be secrets, which a title must not show.
    await changeRows(database, 'endpoint', { url: 'https://user:word@hooks.example.com:8443/secret?x=1' });
    ({ id: endpointId } = await findRow(database, 'endpoint', {}, ['id']));
    await addRow(database, 'conversation', {
      id: 'cnv_1',
      agencyId: SCOPE.agencyId,
      tenantId: SCOPE.tenantId,
      sessionId,
      chatId: '31600000001@c.us',
    });
    await addRow(
      database,
      'message',
      {
        id: 'msg_out',
        agencyId: SCOPE.agencyId,
        tenantId: SCOPE.tenantId,
        sessionId,
        conversationId: 'cnv_1',
        direction: 'out',
        origin: 'person',
        kind: 'image',
        body: '',
        occurredAt: databaseNow,
        status: 'queued',
        chatSeq: 1,
        releasedAt: ago({ hours: 1 }),
        updatedAt: ago({ hours: 1 }),
        createdAt: databaseNow,
        awaitsTurn: false,
      },
      {
        id: 'msg_in',
        agencyId: SCOPE.agencyId,
        tenantId: SCOPE.tenantId,
        sessionId,
        conversationId: 'cnv_1',
        direction: 'in',
        origin: 'network',
        kind: 'text',
        body: 'Hello',
        occurredAt: databaseNow,
        status: 'received',
        chatSeq: null,
        releasedAt: null,
        updatedAt: databaseNow,
        createdAt: ago({ hours: 1 }),
        awaitsTurn: false,
      },
    );
  });
  afterAll(() => database.close());
  beforeEach(() => deleteRows(database, 'dispatch'));

  const promised = async (work: (tx: Tx) => Promise<unknown>): Promise<object> => {
    await database.transaction(async (tx) => void (await work(tx)));
    const rows = await findRows(
      database,
      'dispatch',
      {},
      {
        type: 'workflowType',
        id: 'workflowId',
        action: 'action',
        signal: 'signal',
        signalArgs: 'signalArgs',
        args: 'args',
        attributes: 'attributes',
        summary: 'summary',
        priority: 'priority',
        agencyId: 'agencyId',
      },
      'id',
    );
    expect(rows).toHaveLength(1);
    return rows[0] ?? {};
  };
  const start = { action: 'start', signal: null, signalArgs: [], agencyId: 'a1' };
  const tell = (signal: string) => ({ ...start, action: 'signal_with_start', signal });
  const ofSession = () => ({ AgencyId: 'a1', TenantId: 't1', SessionId: sessionId });

  it('a message with its conversation and kind, more urgently where a person waits for it', async () => {
    const shown = {
      type: 'deliverMessage',
      id: 'message/msg_out',
      args: ['msg_out'],
      attributes: { ...ofSession(), ConversationId: 'cnv_1', MessageId: 'msg_out', Outcome: 'open' },
    };
    const summary = 'image → cnv_1 · agency a1';
    expect(await promised((tx) => resumeQueues(tx, sessionId))).toEqual({
      ...tell('released'),
      ...shown,
      summary,
      priority: 1,
    });
    await deleteRows(database, 'dispatch');
    expect(await promised((tx) => sql`select promise_messages(array['msg_out'], false)`.execute(tx.sql))).toEqual({
      ...start,
      ...shown,
      summary,
      priority: 1,
    });
    await changeRows(database, 'message', { promisedAt: null });
    await deleteRows(database, 'dispatch');
    expect(await promised((tx) => redispatchMessages(tx, 15_000, 10))).toEqual({
      ...start,
      ...shown,
      summary: `${summary} · again`,
      priority: 1,
    });
    await deleteRows(database, 'dispatch');
    expect(await promised((tx) => tellWorkflow(tx, { id: 'msg_out', agencyId: 'a1' }))).toEqual({
      ...start,
      type: 'deliverMessage',
      id: 'message/msg_out',
      args: ['msg_out'],
      action: 'signal',
      signal: 'changed',
      attributes: {},
      summary: null,
      priority: 5,
    });
  });

  it.each([
    ['person', false, 1],
    ['api', false, 2],
    ['ai', false, 3],
    ['api', true, 4],
    ['phone', false, 2],
  ])('a message of origin %s (bulk: %s) with priority %i', async (origin, bulk, priority) => {
    await changeRows(database, 'message', { origin, bulk }, { id: 'msg_out' });
    expect(await promised((tx) => sql`select promise_messages(array['msg_out'], false)`.execute(tx.sql))).toMatchObject(
      { priority },
    );
  });

  it('a session with its agency', async () => {
    const shown = {
      type: 'superviseSession',
      id: `session/${sessionId}`,
      args: [sessionId],
      attributes: ofSession(),
      summary: `session ${sessionId.slice(-6)} of tenant t1 · agency a1`,
    };
    expect(await promised((tx) => promiseSession(tx, sessionId))).toEqual({ ...start, ...shown, priority: 2 });
    await deleteRows(database, 'dispatch');
    expect(await promised((tx) => promiseSession(tx, sessionId, 'statusChanged'))).toEqual({
      ...tell('statusChanged'),
      ...shown,
      priority: 2,
    });
    await deleteRows(database, 'dispatch');
    expect(await promised((tx) => redispatchSessions(tx, true))).toEqual({ ...start, ...shown, priority: 5 });
  });

  it('a reading of history as the session’s or, for a reader who waits, as the conversation’s', async () => {
    const shown = {
      ...start,
      type: 'syncHistory',
      attributes: ofSession(),
      summary: `history of session ${sessionId.slice(-6)} of tenant t1 · agency a1`,
    };
    expect(await promised((tx) => promiseSync(tx, sessionId, { pages: 3, isAsked: false }))).toEqual({
      ...shown,
      id: `sync/${sessionId}`,
      args: [sessionId, 3],
      priority: 5,
    });
    await deleteRows(database, 'dispatch');
    expect(
      await promised((tx) => promiseConversationSync(tx, { sessionId, conversationId: 'cnv_1', depth: 200 })),
    ).toEqual({ ...shown, id: `sync/${sessionId}/cnv_1`, args: [sessionId, 0, 'cnv_1', 200], priority: 2 });
  });

  it('an endpoint with its tenant where it has one alone', async () => {
    const shown = {
      type: 'deliverWebhooks',
      id: `endpoint/${endpointId}`,
      args: [endpointId],
      attributes: { AgencyId: 'a1' },
      summary: `events to hooks.example.com · ${endpointId.slice(-6)} · agency a1`,
    };
    expect(await promised((tx) => promiseEndpointWorkflows(tx))).toEqual({ ...start, ...shown, priority: 5 });
    await deleteRows(database, 'dispatch');
    await changeRows(database, 'endpoint', { tenantIds: ['t1'] });
    const attributes = { AgencyId: 'a1', TenantId: 't1' };
    expect(await promised((tx) => tellEndpointWorkflow(tx, endpointId))).toEqual({
      ...tell('changed'),
      ...shown,
      attributes,
      priority: 5,
    });
  });

  it('a conversation of the agent with its id', async () => {
    const shown = {
      type: 'aiConversation',
      id: 'ai/cnv_1',
      args: ['cnv_1'],
      attributes: { ...ofSession(), ConversationId: 'cnv_1' },
      summary: 'AI agent · cnv_1 · agency a1',
    };
    expect(await promised((tx) => tellAgent(tx, 'cnv_1', 'msg_in'))).toEqual({
      ...start,
      ...shown,
      signal: 'messageReceived',
      priority: 3,
    });
    await deleteRows(database, 'dispatch');
    expect(await promised((tx) => redispatchAgents(tx, 15_000))).toEqual({
      ...tell('messageReceived'),
      ...shown,
      priority: 5,
    });
  });

  it('a rehearsal with its session where it has one', async () => {
    const request = { conversationId: 'cnv_1', repeat: 1, includePrompt: false };
    const insert = (session: string | null) =>
      promised((tx) => insertRehearsal(tx, { ...SCOPE, sessionId: session }, request));
    const shown = { ...start, type: 'rehearse', summary: 'AI rehearsal · agency a1', priority: 5 };
    expect(await insert(sessionId)).toMatchObject({ ...shown, attributes: ofSession() });
    await deleteRows(database, 'dispatch');
    expect(await insert(null)).toMatchObject({ ...shown, attributes: { AgencyId: 'a1', TenantId: 't1' } });
  });

  it('what the row of its table says, as a part of the statement that asks', async () => {
    const plans = await Promise.all(
      Object.keys(WORKFLOWS)
        .filter(isPromisedType)
        .map((type) => WORKFLOWS[type])
        .map(({ kind, row }) =>
          rowsOf(
            database,
            sql<object>`explain select w.* from ${sql.table(row)} r cross join lateral ${sql.ref(`${kind}_workflow`)}(r) w`,
          ),
        ),
    );
    expect(plans.filter((plan) => JSON.stringify(plan).includes('Function Scan'))).toEqual([]);
  });

  it('nothing of a row that is not there', async () => {
    await database.transaction((tx) => promise(tx, 'rehearse', { which: sql`r.id = 'reh_none'` }));
    expect(await findRows(database, 'dispatch')).toEqual([]);
  });
});
