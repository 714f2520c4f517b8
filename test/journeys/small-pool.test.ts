import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { anAgencyWithScopedKey, call } from '../support/client.ts';
import type { Agency } from '../support/client.ts';
import { startEngine } from '../support/engine.ts';
import type { TestEngine } from '../support/engine.ts';
import { eventually } from '../support/eventually.ts';
import { countRows, not } from '../support/rows.ts';
import { personWrites, textsSeenBy } from '../support/sandbox-record.ts';
import { send, untilStatus } from '../support/sends.ts';
import { aWebhookReceiver } from '../support/webhook-receiver.ts';
import type { WebhookReceiver } from '../support/webhook-receiver.ts';

const SECRET = 'a raw secret of more than thirty-two characters';
const SENDS = 8;

/** A path that waits for a second connection while it holds one stops for ever with a pool of one. */
describe.each([1, 5])('an engine whose API, worker and loops share %d connection(s)', (databasePoolSize) => {
  let engine: TestEngine;
  let receiver: WebhookReceiver;
  let agency: Agency;

  beforeAll(async () => {
    receiver = await aWebhookReceiver(SECRET);
    engine = await startEngine({ databasePoolSize });
    agency = await anAgencyWithScopedKey(engine, {
      agencyId: 'small',
      dashboardUrl: receiver.url,
      webhookSecret: SECRET,
    });
    await agent('persona', { extractMemories: false });
    await agent('state', { enabled: true });
  });
  afterAll(async () => {
    await engine.close();
    receiver.close();
  });

  const agent = (what: 'state' | 'persona', body: object) =>
    call(engine, 'PUT', `/api/v1/ai-sales-agent/${what}`, { key: agency.scopedKey, body });

  it('sends all, hears all, lets the agent answer and a person take over, and delivers every event', async () => {
    await engine.control('POST', '/llm/script', {
      replies: Array.from({ length: SENDS }, () => ({ text: 'An answer.' })),
    });
    const people = Array.from({ length: SENDS }, (_, n) => `155501399${String(n).padStart(2, '0')}`);
    const [sent] = await Promise.all([
      Promise.all(people.map((phone) => send(engine, agency, phone, `Hello ${phone}`))),
      ...people.slice(0, 5).map((from) => personWrites(engine, agency.session.name, { from: `9${from}`, text: 'Hi' })),
    ]);
    await Promise.all(sent.map(({ messageId }) => untilStatus(engine, agency, messageId, 'read')));
    for (const phone of people) expect(await textsSeenBy(engine, agency.session.name, `${phone}@c.us`)).toHaveLength(1);
    await eventually(async () => (await countRows(engine.database, 'aiTurn', { outcome: 'reply' })) >= 5, {
      withinMs: 60_000,
      what: 'the agent to answer five people',
    });
    const takeover = await call(engine, 'PUT', '/api/v1/ai-sales-agent/state', {
      key: agency.scopedKey,
      body: { mode: 'human_takeover' },
    });
    expect(takeover.status).toBe(200);
    // Acks are told after the turns, so there is a moment before in which nothing waits.
    // The takeover cancels answers that wait.
    const unread = { direction: 'out', status: not(['read', 'cancelled']) };
    await eventually(async () => (await countRows(engine.database, 'message', unread)) === 0, {
      what: 'the last acks',
    });
    expect(await countRows(engine.database, 'delivery')).toBeGreaterThan(2 * SENDS);
    const undelivered = () => countRows(engine.database, 'delivery', { status: not('delivered') });
    await eventually(async () => (await undelivered()) === 0, { what: 'every event to be delivered' });
  });
});
