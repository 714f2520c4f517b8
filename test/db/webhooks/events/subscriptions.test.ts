import { randomUUID } from 'node:crypto';
import { afterAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Client } from 'pg';
import { connectDatabase } from '../../../../db/connect.ts';
import { Subscriptions } from '../../../../db/webhooks/events/subscriptions.ts';
import type { Database } from '../../../../db/engine/database.ts';
import { updateEndpoint } from '../../../../db/webhooks/endpoint-change.ts';
import { findEndpoint } from '../../../../db/webhooks/endpoint-view.ts';
import { aMessageEvent } from '../../../api/webhooks/a-webhook-scene.ts';
import { ENCRYPTION_KEY } from '../../../support/keys.ts';
import { among, changeRows, databaseNow, findRows, urlOf } from '../../../support/rows.ts';
import { SCOPE } from '../../a-database.ts';
import { databaseOfThisFile } from '../../database-of-this-file.ts';
import { anEndpoint, tell } from '../shards/a-shard-scene.ts';

type Watcher = (text: string, client: { pipeline?: boolean }) => () => void;
let seen: Watcher | null = null;
// Before the database is opened, whose connections keep the method that they find.
const original = Reflect.get(Client.prototype, 'query');
Reflect.set(Client.prototype, 'query', function query(this: object, text: unknown, ...rest: unknown[]) {
  // A statement that is used often is given with its name.
  const words: unknown = typeof text === 'object' && text !== null ? Reflect.get(text, 'text') : text;
  const answered = typeof words === 'string' && seen !== null ? seen(words, this) : () => undefined;
  const answer: unknown = Reflect.apply(original, this, [text, ...rest]);
  if (answer instanceof Promise) void answer.finally(answered).catch(() => undefined);
  return answer;
});

const { database, sessionId } = await databaseOfThisFile();
const BY = { actor: 'test', reason: null, keyId: null };

/** Another process on the same database, which knows only what it has read itself. */
const url = await urlOf(database);
const other = await connectDatabase({
  url,
  directUrl: url,
  encryptionKey: ENCRYPTION_KEY,
  webhooks: { publicUrl: 'http://engine.test', timeoutMs: 15_000 },
  poolSize: 4,
  applicationName: 'db-test-other',
  onError: () => undefined,
});
afterAll(() => other.close());

let conversations = 0;
/** Tells one event through that process, and answers the endpoints that get it. */
async function told(by: Database, more: { notTo?: string; trialOf?: string } = {}): Promise<string[]> {
  const conversation = `cnv_${(conversations += 1)}`;
  await by.transaction(async (tx) =>
    tx.emit({ ...aMessageEvent({ ...SCOPE, sessionId }, conversation), ...more, conversationId: conversation }),
  );
  return receivers(conversation);
}

async function receivers(conversation: string): Promise<string[]> {
  const found = await findRows(
    database,
    'delivery',
    { eventId: among('event', { conversationId: conversation }) },
    { id: 'endpointId' },
    'endpointId',
  );
  return found.map(({ id }) => id);
}

beforeEach(async () => {
  await changeRows(database, 'endpoint', { deletedAt: databaseNow }, { deletedAt: null });
});

describe('an event', () => {
  it('goes to an endpoint that another process has just made, and not to one that it has deleted', async () => {
    const first = await anEndpoint(database);
    expect(await told(other)).toEqual([first]);
    const second = await anEndpoint(database);
    expect(await told(other)).toEqual([first, second].toSorted());
    await changeRows(database, 'endpoint', { deletedAt: databaseNow }, { id: first });
    expect(await told(other)).toEqual([second]);
  });

  it.each([
    ['its types', { events: ['message.ack'] }],
    ['its tenants', { tenantIds: ['t2'] }],
  ])('no longer goes to an endpoint when another process has changed %s', async (_, change) => {
    const id = await anEndpoint(database);
    expect(await told(other)).toEqual([id]);
    await changeRows(database, 'endpoint', change, { id });
    expect(await told(other)).toEqual([]);
  });

  it('gets another lane when another process has changed the order of the endpoint', async () => {
    const id = await anEndpoint(database);
    await told(other);
    await changeRows(database, 'endpoint', { ordering: 'fifo' }, { id });
    await told(other);
    const lanes = await findRows(database, 'delivery', { endpointId: id }, ['lane'], 'place');
    expect(lanes.map(({ lane }) => lane)).toEqual([`cnv_${conversations - 1}`, '']);
  });

  it('goes where the transaction that tells it has just sent the endpoint’s events', async () => {
    const id = await anEndpoint(database, { events: ['message.ack'] });
    expect(await told(database)).toEqual([]);
    const tries: number[] = [];
    await database.transaction(async (tx) => {
      tries.push(1);
      const endpoint = await findEndpoint(tx, SCOPE.agencyId, id);
      if (!endpoint) throw new Error('The endpoint is not there.');
      await updateEndpoint(tx, endpoint, { events: ['message'] }, BY);
      tx.emit(aMessageEvent({ ...SCOPE, sessionId }, 'cnv_changed'));
    });
    expect(await receivers('cnv_changed')).toEqual([id]);
    expect(tries.length).toBeLessThanOrEqual(2);
  });

  it('does not go where a transaction that was rolled back wanted it', async () => {
    const id = await anEndpoint(database, { events: ['message.ack'] });
    await told(database);
    const refused = database.transaction(async (tx) => {
      await changeRows(tx, 'endpoint', { events: ['message'] }, { id });
      await tx.kept(Subscriptions).read(tx, SCOPE.agencyId);
      throw new Error('rolled back');
    });
    await expect(refused).rejects.toThrow('rolled back');
    expect(await told(database)).toEqual([]);
  });

  it('leaves out the endpoint that it is about, and goes to the one that it tries alone', async () => {
    const [about, tried] = [await anEndpoint(database), await anEndpoint(database, { events: [] })];
    expect(await told(database, { notTo: about })).toEqual([]);
    expect(await told(database, { trialOf: tried })).toEqual([tried]);
    expect(await told(database)).toEqual([about]);
  });

  it('goes once to endpoints of one URL: to where older ones of its lane wait, else to an active one', async () => {
    const at = `http://receiver-${randomUUID()}.test/hook`;
    const [older, newer] = [await anEndpoint(database, { url: at }), await anEndpoint(database, { url: at })];
    expect(await told(database)).toEqual([older]);
    await changeRows(database, 'endpoint', { status: 'paused' }, { id: older });
    await changeRows(database, 'delivery', { status: 'delivered', doneAt: databaseNow }, { status: 'pending' });
    expect(await told(database)).toEqual([newer]);
    await tell(database, sessionId, 'cnv_waits');
    await changeRows(database, 'delivery', { endpointId: older }, { lane: 'cnv_waits' });
    await tell(database, sessionId, 'cnv_waits');
    expect(await receivers('cnv_waits')).toEqual([older, older]);
    await changeRows(database, 'endpoint', { status: 'disabled' }, { id: older });
    await tell(database, sessionId, 'cnv_waits');
    expect(await receivers('cnv_waits')).toEqual([newer, older, older].toSorted());
  });

  it('is followed by the commit before it is answered', async () => {
    await anEndpoint(database);
    await told(database);
    const order: string[] = [];
    await watched(
      async () => void (await told(database)),
      (text, { pipeline }) => {
        if (/write_events|^commit/.test(text)) order.push(`${/^\w+/.exec(text)?.[0]} sent, pipelined: ${pipeline}`);
        return () => void (text.includes('write_events') && order.push('answered'));
      },
    );
    expect(order).toEqual(['select sent, pipelined: true', 'commit sent, pipelined: true', 'answered']);
  });

  it('costs one statement with its deliveries, and nothing for endpoints of other tenants', async () => {
    const mine = await anEndpoint(database);
    for (let n = 0; n < 20; n += 1) await anEndpoint(database, { tenantIds: ['t2'] });
    await told(database);
    const statements = await statementsOf(async () => {
      expect(await told(database)).toEqual([mine]);
    });
    expect(statements.filter((each) => !each.startsWith('select "endpoint_id"'))).toEqual([
      'begin',
      expect.stringContaining('write_events'),
      'commit',
    ]);
  });
});

/** The statements that this process sends meanwhile. */
async function statementsOf(work: () => Promise<void>): Promise<string[]> {
  const sent: string[] = [];
  await watched(work, (text) => {
    if (!text.includes('pg_notify')) sent.push(text);
    return () => undefined;
  });
  return sent;
}

/** Calls back at each statement that this process sends meanwhile, and again when it is answered. */
async function watched(work: () => Promise<void>, watcher: Watcher): Promise<void> {
  seen = watcher;
  try {
    await work();
  } finally {
    seen = null;
  }
}
