import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { workflowId } from '../../../domain/names.ts';
import { anAgencyWithScopedKey, call } from '../../support/client.ts';
import type { Agency } from '../../support/client.ts';
import { startEngine } from '../../support/engine.ts';
import type { TestEngine } from '../../support/engine.ts';
import { eventually } from '../../support/eventually.ts';
import { findRow } from '../../support/rows.ts';
import { personWrites } from '../../support/sandbox-record.ts';
import { aWebhookReceiver } from '../../support/webhook-receiver.ts';
import type { WebhookReceiver } from '../../support/webhook-receiver.ts';

const PERSON = '15550177101';
const WORDS = 'quartzword that nobody else says';
const SECRET = 'a raw secret of more than thirty-two characters';

describe('a person whose message a receiver has refused so far', () => {
  let engine: TestEngine;
  let receiver: WebhookReceiver;
  let agency: Agency;

  beforeAll(async () => {
    engine = await startEngine();
    receiver = await aWebhookReceiver(SECRET, () => 500);
    agency = await anAgencyWithScopedKey(engine, {
      agencyId: 'refusing',
      dashboardUrl: receiver.url,
      webhookSecret: SECRET,
    });
  });
  afterAll(async () => {
    await engine.close();
    receiver.close();
  });

  const own = (method: string, path: string, body?: object) =>
    call(engine, method, path, { key: agency.dashboardKey, ...(body ? { body } : {}) });
  const ofMessage = () => receiver.received.filter(({ envelope }) => envelope.event === 'message');

  it('is posted without a word once they are erased, though their event still waits to be taken', async () => {
    await personWrites(engine, agency.session.name, { from: PERSON, text: WORDS, pushName: 'Zephyrine' });
    const [refused] = await eventually(() => ofMessage().length > 0 && ofMessage(), { what: 'the first attempt' });
    expect(refused?.raw).toContain(WORDS);
    const asked = await own('POST', `/api/v1/contacts/${String(refused?.envelope.payload['contactId'])}/erase`, {});
    expect(asked.status).toBe(202);
    const erasure = String(asked.headers.get('location'));
    await eventually(async () => (await own('GET', erasure)).body['status'] === 'done', { what: 'the erasure to end' });
    const before = receiver.received.length;

    receiver.answerWith(() => 204);
    const endpoint = await findRow(engine.database, 'endpoint', { agencyId: agency.agencyId }, ['id']);
    const handle = engine.temporal.workflow.getHandle(workflowId('deliverWebhooks', endpoint.id));
    await handle.executeUpdate('retryNow', { args: [{ actor: 'operator', reason: 'it answers again' }] });
    const [taken] = await eventually(() => receiver.taken('message').length > 0 && receiver.taken('message'), {
      what: 'the event to be taken',
    });
    expect(taken).toMatchObject({
      payload: { erased: true },
      metadata: { eventId: refused?.envelope.metadata.eventId },
    });
    const posted = receiver.received.slice(before).map(({ raw }) => raw);
    expect(posted.filter((raw) => ['quartzword', 'Zephyrine', PERSON].some((word) => raw.includes(word)))).toEqual([]);
  });
});
