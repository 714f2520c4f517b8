import { randomBytes } from 'node:crypto';
import { DEFAULT_EVENTS } from '../../../domain/webhooks/event.ts';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { sql } from 'kysely';
import type { WorkflowHandle } from '@temporalio/client';
import { workflowId } from '../../../domain/names.ts';
import { anAgencyWithScopedKey } from '../../support/client.ts';
import type { Agency } from '../../support/client.ts';
import { startEngine } from '../../support/engine.ts';
import type { TestEngine } from '../../support/engine.ts';
import { eventually } from '../../support/eventually.ts';
import { among, changeRows, countRows, databaseNow, findRows, not, rowsOf, untilCount } from '../../support/rows.ts';
import { networkAcks, personWrites } from '../../support/sandbox-record.ts';
import { send, untilStatus } from '../../support/sends.ts';
import { aWebhookReceiver } from '../../support/webhook-receiver.ts';
import type { WebhookReceiver } from '../../support/webhook-receiver.ts';

const BRANDED = `whsec_${randomBytes(32).toString('base64')}`;
const RAW = 'a raw secret of more than thirty-two characters';

describe('events to the dashboard', () => {
  let engine: TestEngine;
  const receivers: WebhookReceiver[] = [];
  let agencies = 0;

  beforeAll(async () => {
    engine = await startEngine();
  });
  afterAll(async () => {
    await engine.close();
    for (const receiver of receivers) receiver.close();
  });

  async function aDashboard(secret = RAW): Promise<{ agency: Agency; receiver: WebhookReceiver }> {
    const receiver = await aWebhookReceiver(secret);
    receivers.push(receiver);
    agencies += 1;
    const agency = await anAgencyWithScopedKey(engine, {
      agencyId: `events${agencies}`,
      dashboardUrl: receiver.url,
      webhookSecret: secret,
    });
    return { agency, receiver };
  }

  const say = (agency: Agency, from: string, text: string) => personWrites(engine, agency.session.name, { from, text });
  /** Recorded, that is: the clock may be moved on to the next. */
  const untilAttempts = (agency: Agency, number: number) =>
    untilCount(engine.database, 'deliveryAttempt', {
      endpointId: among('endpoint', { agencyId: agency.agencyId }),
      number,
    });
  const untilNobodyDrains = (agency: Agency) =>
    untilCount(engine.database, 'endpointDrain', {
      endpointId: among('endpoint', { agencyId: agency.agencyId }),
      drainedUntil: null,
    });
  async function executionOf(agency: Agency): Promise<{ endpointId: string; handle: WorkflowHandle }> {
    const [row] = await findRows(engine.database, 'endpoint', { agencyId: agency.agencyId }, ['id']);
    const handle = engine.temporal.workflow.getHandle(workflowId('deliverWebhooks', row?.id ?? ''));
    await eventually(() => handle.describe().catch(() => undefined), { what: 'the execution of the endpoint' });
    return { endpointId: row?.id ?? '', handle };
  }
  const stateOf = async (handle: WorkflowHandle) => (await handle.query<Record<string, unknown> | null>('state')) ?? {};

  it('a dashboard verifies an inbound message and every ack in the envelope', async () => {
    const { agency, receiver } = await aDashboard(BRANDED);
    const networkId = await say(agency, '15550100301', 'Hello, are you open?');
    await eventually(() => receiver.taken('message').length === 1);
    const sent = await send(engine, agency, '15550100002', 'We are!');
    await eventually(() => receiver.taken('message.ack').length === 1);
    for (const [level, status] of [
      [1, 'sent'],
      [2, 'delivered'],
      [3, 'read'],
      [4, 'played'],
    ] as const) {
      await networkAcks(engine, agency.session.name, 'We are!', level);
      await untilStatus(engine, agency, sent.messageId, status);
    }
    await eventually(() => receiver.taken('message.ack').length === 4);
    expect(receiver.refused).toEqual([]);

    const [message] = receiver.taken('message');
    const session = agency.session.id;
    const metadata = { agencyId: agency.agencyId, tenantId: agency.tenantId, sessionId: session };
    expect(message).toMatchObject({
      event: 'message',
      payload: {
        body: 'Hello, are you open?',
        from: '15550100301',
        fromKind: 'phone',
        timestamp: expect.any(Number),
        chatId: '15550100301@c.us',
        messageId: expect.stringMatching(/^msg_/),
        conversationId: expect.stringMatching(/^cnv_/),
        contactId: expect.stringMatching(/^con_/),
        pushName: 'Person 0301',
        kind: 'text',
        hasMedia: false,
        media: null,
        mediaUrl: null,
        replyTo: null,
      },
      metadata: {
        ...metadata,
        eventId: expect.stringMatching(/^evt_/),
        conversationId: message?.payload['conversationId'],
      },
    });
    expect(await countRows(engine.database, 'message', { networkId })).toBe(1);
    expect(
      receiver.taken('message.ack').map(({ payload }) => [payload['status'], payload['ack'], payload['ackName']]),
    ).toEqual([
      ['sent', 1, 'SERVER'],
      ['delivered', 2, 'DEVICE'],
      ['read', 3, 'READ'],
      ['played', 4, 'PLAYED'],
    ]);
    for (const { payload } of receiver.taken('message.ack')) {
      expect(payload).toMatchObject({
        messageId: sent.messageId,
        conversationId: sent.conversationId,
        to: '15550100002',
      });
    }
    const [first] = receiver.received;
    expect(first?.headers).toMatchObject({ 'content-type': 'application/json', 'webhook-attempt': '1' });
    expect(first?.headers['webhook-id']).toBe(first?.envelope.metadata.eventId);
  });

  it('a dashboard sees the sequence of a session without a hole and a conversation in its order', async () => {
    const { agency, receiver } = await aDashboard();
    const people = ['15550100311', '15550100312'];
    const texts = Array.from({ length: 5 }, (_, index) => `line ${index}`);
    // One after the other: the network promises no more order than that.
    await Promise.all(
      people.map(async (from) => {
        for (const text of texts) {
          await say(agency, from, text);
          await untilCount(engine.database, 'message', {
            conversationId: among('conversation', { sessionId: agency.session.id, chatId: `${from}@c.us` }),
            body: text,
          });
        }
      }),
    );
    await eventually(() => receiver.taken('message').length >= 10);
    for (const from of people) {
      const heard = receiver.taken('message').filter(({ payload }) => payload['from'] === from);
      expect(heard.map(({ payload }) => payload['body'])).toEqual(texts);
    }
    const all = await rowsOf(
      engine.database,
      sql<{
        n: number;
      }>`select sequence::int as n from event where session_id = ${agency.session.id} and type = any(${[...DEFAULT_EVENTS]}) order by sequence`,
    );
    expect(all.map(({ n }) => n)).toEqual(all.map((_, index) => index + 1));
  });

  it('an endpoint that does well costs its execution nothing, and one that fails is drained by it and shows how it does', async () => {
    const well = await aDashboard();
    const ill = await aDashboard();
    ill.receiver.answerWith(() => 500);
    await say(well.agency, '15550100315', 'to somebody who listens');
    await say(ill.agency, '15550100316', 'to somebody who does not');
    await eventually(() => well.receiver.taken('message').length === 1);
    await untilAttempts(ill.agency, 1);
    const { handle } = await executionOf(ill.agency);
    // A busy worker may not answer in time.
    await eventually(async () => (await stateOf(handle).catch(() => undefined))?.['lastError'] === 'server_error');
    expect(await stateOf(handle)).toMatchObject({ status: 'active', breaker: 'closed', pending: 1, lanes: 1 });
    await untilNobodyDrains(ill.agency);
    engine.database.clock.advance(7_000);
    // Drained by the execution, which knows when, or by the poll's word to it.
    await untilAttempts(ill.agency, 2);
    const healthy = await executionOf(well.agency);
    const events = (await healthy.handle.fetchHistory()).events ?? [];
    expect(events.filter(({ timerStartedEventAttributes }) => timerStartedEventAttributes)).toEqual([]);
    // Its start, and one look.
    expect(events.length).toBeLessThanOrEqual(11);
  });

  it('an operator pauses an endpoint, resumes it, retries now and replays in its execution, with a name and a reason', async () => {
    const { agency, receiver } = await aDashboard();
    const { handle, endpointId } = await executionOf(agency);
    const by = { actor: 'operator', reason: 'tried out' };
    await expect(handle.executeUpdate('pause', { args: [{ actor: 'operator' }] })).rejects.toThrow();
    await expect(handle.executeUpdate('replaySince', { args: [{ ...by, since: 'yesterday' }] })).rejects.toThrow();
    expect(await handle.executeUpdate('pause', { args: [by] })).toMatchObject({ status: 'paused' });
    await say(agency, '15550100321', 'while paused');
    await untilCount(engine.database, 'delivery', { endpointId, status: 'pending' });
    expect(receiver.received).toEqual([]);
    receiver.answerWith(() => 500);
    expect(await handle.executeUpdate('resume', { args: [by] })).toMatchObject({ status: 'active', pending: 1 });
    await untilAttempts(agency, 1);
    receiver.answerWith(() => 204);
    await handle.executeUpdate('retryNow', { args: [by] });
    await eventually(() => receiver.taken('message').length === 1);
    await untilCount(engine.database, 'delivery', { endpointId, status: 'delivered' });
    const since = new Date(engine.database.clock.now().getTime() - 3_600_000).toISOString();
    const replayed = await handle.executeUpdate<{ count: number }, [object]>('replaySince', {
      args: [{ ...by, since }],
    });
    expect(replayed.count).toBe(1);
    await eventually(() => receiver.taken('message').length === 2);
    const [first, second] = receiver.taken('message');
    expect(second?.metadata.eventId).toBe(first?.metadata.eventId);
    const history = await findRows(
      engine.database,
      'endpointHistory',
      { endpointId, actor: not(null) },
      ['actor', 'reason'],
      'id',
    );
    expect(history).toHaveLength(4);
    for (const entry of history) expect(entry).toEqual(by);
    await changeRows(engine.database, 'endpoint', { deletedAt: databaseNow }, { id: endpointId });
    await handle.signal('changed');
    await handle.result();
  });

  it('a dashboard is told of a failed message by its ack event', async () => {
    const { agency, receiver } = await aDashboard();
    const { messageId } = await send(engine, agency, '15550100007', 'refused by the network');
    await untilStatus(engine, agency, messageId, 'failed');
    const told = await eventually(() =>
      receiver.taken('message.ack').find(({ payload }) => payload['status'] === 'failed'),
    );
    expect(told.payload).toMatchObject({ messageId, ack: -1, ackName: 'ERROR' });
  });
});
