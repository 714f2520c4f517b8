import { randomBytes } from 'node:crypto';
import { DEFAULT_EVENTS } from '../../domain/event.ts';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { sql } from 'kysely';
import { anAgencyWithScopedKey, call } from '../support/client.ts';
import type { Agency } from '../support/client.ts';
import { startEngine } from '../support/engine.ts';
import type { TestEngine } from '../support/engine.ts';
import { eventually } from '../support/eventually.ts';
import { countOf, rowsOf, untilRows } from '../support/rows.ts';
import { networkAcks, personWrites } from '../support/sandbox-record.ts';
import { send, untilStatus } from '../support/sends.ts';
import { aWebhookReceiver } from '../support/webhook-receiver.ts';
import type { WebhookReceiver } from '../support/webhook-receiver.ts';

const BRANDED = `whsec_${randomBytes(32).toString('base64')}`;
const RAW = 'a raw secret of more than thirty-two characters';

describe('events to the dashboard', () => {
  let engine: TestEngine;
  const receivers: WebhookReceiver[] = [];
  let agencies = 0;

  beforeAll(async () => {
    engine = await startEngine();
  }, 60_000);
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
    untilRows(
      engine.database,
      sql`delivery_attempt a join endpoint e on e.id = a.endpoint_id
        where e.agency_id = ${agency.agencyId} and a.number = ${number}`,
    );
  const untilNobodyDrains = (agency: Agency) =>
    untilRows(
      engine.database,
      sql`endpoint_drain n join endpoint e on e.id = n.endpoint_id
        where e.agency_id = ${agency.agencyId} and n.drained_until is null`,
    );
  const endpointOf = (agency: Agency) =>
    sql<{ status: string; disabledReason: string | null; lastError: string | null }>`
      select e.status, e.disabled_reason as "disabledReason", h.last_error as "lastError" from endpoint e join endpoint_health h on h.endpoint_id = e.id
      where agency_id = ${agency.agencyId}`;

  it.each([
    ['branded', BRANDED],
    ['raw', RAW],
  ])(
    'a dashboard with a %s secret verifies an inbound message and every ack in the envelope',
    async (_form, secret) => {
      const { agency, receiver } = await aDashboard(secret);
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
          replyTo: null,
        },
        metadata: {
          ...metadata,
          eventId: expect.stringMatching(/^evt_/),
          conversationId: message?.payload['conversationId'],
        },
      });
      expect(await countOf(engine.database, sql`message where network_id = ${networkId}`)).toBe(1);
      expect(
        receiver.taken('message.ack').map(({ payload }) => [payload['status'], payload['ack'], payload['ackName']]),
      ).toEqual([
        ['sent', 0, 'PENDING'],
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
    },
  );

  it('a dashboard sees the sequence of a session without a hole and a conversation in its order', async () => {
    const { agency, receiver } = await aDashboard();
    const people = ['15550100311', '15550100312', '15550100313'];
    const texts = Array.from({ length: 10 }, (_, index) => `line ${index}`);
    // One after the other: the network promises no more order than that.
    await Promise.all(
      people.map(async (from) => {
        for (const text of texts) {
          await say(agency, from, text);
          await untilRows(
            engine.database,
            sql`message m join conversation c on c.id = m.conversation_id
              where c.session_id = ${agency.session.id} and c.chat_id = ${`${from}@c.us`} and m.body = ${text}`,
          );
        }
      }),
    );
    await eventually(() => receiver.taken('message').length >= 30);
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

  it('a dashboard that answers is told by the workers alone, and one that does not gets a workflow that tries again', async () => {
    const well = await aDashboard();
    const ill = await aDashboard();
    ill.receiver.answerWith(() => 500);
    await say(well.agency, '15550100315', 'to somebody who listens');
    await say(ill.agency, '15550100316', 'to somebody who does not');
    await eventually(() => well.receiver.taken('message').length === 1);
    await untilAttempts(ill.agency, 1);
    await untilNobodyDrains(ill.agency);
    engine.database.clock.advance(7_000);
    // The poll promises a drain for whatever is due and drained by nobody; for the other there was nothing to promise.
    await untilAttempts(ill.agency, 2);
    const drains = async (agency: Agency) =>
      (await engine.temporal.workflow.count(`WorkflowType = 'deliverWebhooks' and AgencyId = '${agency.agencyId}'`))
        .count;
    await eventually(async () => (await drains(ill.agency)) === 1);
    expect(await drains(well.agency)).toBe(0);
  });

  it('events that a dead worker had claimed are taken over with its drain', async () => {
    const { agency, receiver } = await aDashboard();
    receiver.answerWith(() => 500);
    await say(agency, '15550100318', 'left behind');
    await untilAttempts(agency, 1);
    await untilNobodyDrains(agency);
    receiver.answerWith(() => 200);
    await rowsOf(
      engine.database,
      sql<object>`update delivery set lease_token = gen_random_uuid(), leased_until = now() + interval '1 hour'
        where agency_id = ${agency.agencyId}`,
    );
    engine.database.clock.advance(7_000);
    await eventually(() => receiver.taken('message').length === 1);
  });

  it('a dashboard that fails gets the same bytes under the same id again until it takes them', async () => {
    const { agency, receiver } = await aDashboard();
    receiver.answerWith((_event, tries) => (tries === 1 ? 500 : tries === 2 ? { status: 503 } : 200));
    await say(agency, '15550100321', 'try hard');
    await untilAttempts(agency, 1);
    engine.database.clock.advance(7_000);
    await untilAttempts(agency, 2);
    engine.database.clock.advance(40_000);
    const [event] = await eventually(() => receiver.taken('message').length === 1 && receiver.taken('message'));
    expect(receiver.received.map(({ status }) => status)).toEqual([500, 503, 200]);
    expect(new Set(receiver.received.map(({ raw }) => raw)).size).toBe(1);
    expect(new Set(receiver.received.map(({ headers }) => headers['webhook-id']))).toEqual(
      new Set([event?.metadata.eventId]),
    );
    expect(receiver.received.map(({ headers }) => headers['webhook-attempt'])).toEqual(['1', '2', '3']);
    await untilRows(
      engine.database,
      sql`delivery where event_id = ${event?.metadata.eventId} and status = 'delivered'`,
    );
    expect(
      await rowsOf(
        engine.database,
        sql<object>`select number, class, status from delivery_attempt where event_id = ${event?.metadata.eventId} order by number`,
      ),
    ).toEqual([
      { number: 1, class: 'server_error', status: 500 },
      { number: 2, class: 'server_error', status: 503 },
      { number: 3, class: 'delivered', status: 200 },
    ]);
  });

  it('a failing event holds back its own conversation and no other', async () => {
    const { agency, receiver } = await aDashboard();
    receiver.answerWith((event) => (event.payload['body'] === 'held one' ? 500 : 200));
    await say(agency, '15550100331', 'held one');
    await untilAttempts(agency, 1);
    await say(agency, '15550100331', 'held two');
    await say(agency, '15550100332', 'free');
    await eventually(() => receiver.taken().some(({ payload }) => payload['body'] === 'free'));
    expect(receiver.taken().map(({ payload }) => payload['body'])).not.toContain('held two');
    receiver.answerWith(() => 200);
    engine.database.clock.advance(7_000);
    await eventually(() => receiver.taken().length === 3);
    const held = receiver.taken().filter(({ payload }) => payload['from'] === '15550100331');
    expect(held.map(({ payload }) => payload['body'])).toEqual(['held one', 'held two']);
  });

  it('a dashboard that answers 410 is disabled and its events are kept', async () => {
    const { agency, receiver } = await aDashboard();
    receiver.answerWith(() => 410);
    await say(agency, '15550100341', 'not wanted');
    await eventually(async () => (await rowsOf(engine.database, endpointOf(agency)))[0]?.status === 'disabled');
    expect(await rowsOf(engine.database, endpointOf(agency))).toMatchObject([{ disabledReason: 'gone' }]);
    await say(agency, '15550100341', 'not asked again');
    await untilRows(engine.database, sql`message where body = 'not asked again'`);
    engine.database.clock.advance(7_000);
    const kept = sql`delivery where agency_id = ${agency.agencyId} and status = 'pending'`;
    await untilRows(engine.database, kept, 2);
    expect(receiver.received).toHaveLength(1);
  });

  it('a redirect is not followed and counts as a failure', async () => {
    const { agency, receiver } = await aDashboard();
    const elsewhere = await aWebhookReceiver(RAW);
    receivers.push(elsewhere);
    receiver.answerWith(() => ({ status: 307, headers: { location: elsewhere.url } }));
    await say(agency, '15550100351', 'over there?');
    await eventually(
      async () => (await rowsOf(engine.database, endpointOf(agency)))[0]?.lastError === 'redirect_not_followed',
    );
    expect(elsewhere.received).toEqual([]);
    expect(elsewhere.refused).toEqual([]);
  });

  it('a dashboard that cannot be reached gets its events when it is back', async () => {
    const { agency, receiver } = await aDashboard();
    await rowsOf(
      engine.database,
      sql<object>`update endpoint set url = 'http://127.0.0.1:9/' where agency_id = ${agency.agencyId}`,
    );
    await say(agency, '15550100361', 'nobody home');
    await eventually(
      async () => (await rowsOf(engine.database, endpointOf(agency)))[0]?.lastError === 'connection_refused',
    );
    const status = await call(engine, 'GET', '/api/v1/sessions/status', { key: agency.scopedKey });
    expect(status.status).toBe(200);
    await rowsOf(
      engine.database,
      sql<object>`update endpoint set url = ${receiver.url} where agency_id = ${agency.agencyId}`,
    );
    engine.database.clock.advance(7_000);
    await eventually(() => receiver.taken('message').length === 1);
    // The receiver hears of it a moment before we have written down that it did.
    await eventually(async () => (await rowsOf(engine.database, endpointOf(agency)))[0]?.lastError === null);
  });

  it('events whose secret does not open wait for the key that opens it', async () => {
    const { agency, receiver } = await aDashboard();
    const flip = sql<object>`update endpoint set secret = set_byte(secret, 20, get_byte(secret, 20) # 255)
      where agency_id = ${agency.agencyId}`;
    await rowsOf(engine.database, flip);
    await say(agency, '15550100371', 'sealed');
    await untilAttempts(agency, 1);
    expect((await rowsOf(engine.database, endpointOf(agency)))[0]?.lastError).toBe('secret_unreadable');
    await rowsOf(engine.database, flip);
    engine.database.clock.advance(7_000);
    await eventually(() => receiver.taken('message').length === 1);
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
