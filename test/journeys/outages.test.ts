import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createReconcileActivities } from '../../activities/reconcile.ts';
import { anAgencyWithScopedKey, call } from '../support/client.ts';
import type { Agency } from '../support/client.ts';
import { startEngine } from '../support/engine.ts';
import type { TestEngine } from '../support/engine.ts';
import { eventually } from '../support/eventually.ts';
import { countRows, findRows, like, not, untilCount } from '../support/rows.ts';
import { textsSeenBy } from '../support/sandbox-record.ts';
import { passportOf, send, untilStatus } from '../support/sends.ts';

describe('sending while something is down', () => {
  let engine: TestEngine;
  let agency: Agency;
  let agencies = 0;

  beforeAll(async () => {
    engine = await startEngine();
  });
  afterAll(() => engine.close());

  /** Its first message has been read: a chat read of its session is believed from then on. */
  async function anAgency(): Promise<Agency> {
    agencies += 1;
    const made = await anAgencyWithScopedKey(engine, { agencyId: `outage${agencies}` });
    const { messageId } = await send(engine, made, '15550109999', 'the first of this session');
    await untilStatus(engine, made, messageId, 'read');
    return made;
  }

  const heard = (phone: string) => textsSeenBy(engine, agency.session.name, `${phone}@c.us`);
  const force = (status: string) => engine.control('POST', `/sessions/${agency.session.name}/status`, { status });
  const sessionStatus = async () =>
    (await call(engine, 'GET', '/api/v1/sessions/status', { key: agency.scopedKey })).body['status'];

  async function isOpen(messageId: string): Promise<boolean> {
    try {
      const { status } = await engine.temporal.workflow.getHandle(`message/${messageId}`).describe();
      return status.name === 'RUNNING';
    } catch {
      return false;
    }
  }

  it('sends to a session that is away are held as rows, without workflows, and go out in order when it is back', async () => {
    agency = await anAgency();
    await force('FAILED');
    await eventually(async () => (await sessionStatus()) === 'FAILED');
    const texts = Array.from({ length: 6 }, (_, index) => `held ${index}`);
    const accepted = [];
    for (const text of texts) accepted.push(await send(engine, agency, '15550100801', text));
    await untilCount(engine.database, 'dispatch', { agencyId: agency.agencyId }, 0);
    for (const { messageId } of accepted) {
      expect(await passportOf(engine, agency, messageId)).toMatchObject({ status: 'queued', attempts: 0 });
      expect(await isOpen(messageId)).toBe(false);
    }
    await force('WORKING');
    await eventually(async () => (await heard('15550100801')).length === 6);
    expect(await heard('15550100801')).toEqual(texts);
  });

  it('a message whose session is lost on the way waits for it and goes out once', async () => {
    agency = await anAgency();
    // The number after whose message the session is lost.
    const last = await send(engine, agency, '15550100009', 'the last before it is lost');
    await untilStatus(engine, agency, last.messageId, 'sent');
    await eventually(async () => (await sessionStatus()) === 'FAILED');
    const { messageId } = await send(engine, agency, '15550100802', 'while it is lost');
    await force('WORKING');
    await untilStatus(engine, agency, messageId, 'read');
    expect(await heard('15550100802')).toEqual(['while it is lost']);
  });

  it('a backend that breaks every connection gets each message once when it is back', async () => {
    agency = await anAgency();
    await engine.control('POST', '/faults', { refuse: true });
    const phones = ['15550100811', '15550100812', '15550100813'];
    const sent = await Promise.all(phones.map((phone) => send(engine, agency, phone, `to ${phone}`)));
    await eventually(async () => (await passportOf(engine, agency, sent[0]?.messageId ?? '')).attempts > 0);
    await engine.control('POST', '/faults', { refuse: false });
    for (const { messageId } of sent) await untilStatus(engine, agency, messageId, 'read');
    for (const phone of phones) expect(await heard(phone)).toEqual([`to ${phone}`]);
  });

  it('a backend that cannot be reached gets each message once when it is back', async () => {
    agency = await anAgency();
    await engine.control('POST', '/faults', { downMs: 1_000 });
    const phones = ['15550100821', '15550100822', '15550100823'];
    const sent = await Promise.all(phones.map((phone) => send(engine, agency, phone, `to ${phone}`)));
    for (const { messageId } of sent) await untilStatus(engine, agency, messageId, 'read');
    for (const phone of phones) expect(await heard(phone)).toEqual([`to ${phone}`]);
  });

  it('a message whose workflow somebody has terminated is taken up again from its row', async () => {
    agency = await anAgency();
    await engine.control('POST', '/faults', {
      route: 'sendText',
      kind: 'status500',
      session: agency.session.name,
      // More than are tried before it is terminated, so that it is open then.
      count: 1_000,
    });
    const { messageId } = await send(engine, agency, '15550100831', 'left behind');
    await eventually(() => isOpen(messageId));
    await engine.temporal.workflow.getHandle(`message/${messageId}`).terminate('a test');
    await engine.control('DELETE', '/faults');
    // One check leaves the terminated run's last work alone, so it takes more than one, as with the schedule.
    await eventually(async () => {
      await createReconcileActivities({ database: engine.database }).reconcileRows({ all: true });
      return (await isOpen(messageId)) || (await passportOf(engine, agency, messageId)).status === 'read';
    });
    await untilStatus(engine, agency, messageId, 'read');
    expect(await heard('15550100831')).toEqual(['left behind']);
    expect(await countRows(engine.database, 'dispatch', { parkedAt: not(null) })).toBe(0);
  });

  it('a message to a number that always fails is tried again until it expires, and reaches nobody', async () => {
    agency = await anAgency();
    const { messageId } = await send(engine, agency, '15550100006', 'never sent');
    await eventually(async () => (await passportOf(engine, agency, messageId)).attempts >= 2);
    engine.database.clock.advance(25 * 3_600_000);
    const passport = await untilStatus(engine, agency, messageId, 'failed');
    expect(passport.error?.code).toBe('expired');
    expect(passport.history.map(({ reason }) => reason)).toContain('certainly_not_sent');
    expect(await heard('15550100006')).toEqual([]);
    const next = await send(engine, agency, '15550100832', 'after that');
    await untilStatus(engine, agency, next.messageId, 'read');
  });

  it('a message that waits for a session that never comes back expires', async () => {
    agency = await anAgency();
    await force('FAILED');
    await eventually(async () => (await sessionStatus()) === 'FAILED');
    const { messageId } = await send(engine, agency, '15550100841', 'waits in vain');
    engine.database.clock.advance(25 * 3_600_000);
    await createReconcileActivities({ database: engine.database }).reconcileRows({ all: false });
    expect(await passportOf(engine, agency, messageId)).toMatchObject({ status: 'failed', error: { code: 'expired' } });
    expect(await findRows(engine.database, 'dispatch', { workflowId: like(`%${messageId}`) })).toEqual([]);
  });
});
