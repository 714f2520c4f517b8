import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { parseWorkflowId } from '../../../domain/names.ts';
import { anAgencyWithScopedKey, call } from '../../support/client.ts';
import type { Agency } from '../../support/client.ts';
import { startEngine } from '../../support/engine.ts';
import type { TestEngine } from '../../support/engine.ts';
import { eventually } from '../../support/eventually.ts';
import { sendsOf } from '../../support/sandbox-record.ts';
import { passportOf, untilStatus } from '../../support/sends.ts';

const MESSAGES = 100;
/** The sandbox's person whose answer is lost although the message goes out. */
const ANSWER_LOST = '15550200005';

describe('a broadcast', () => {
  let engine: TestEngine;
  let agency: Agency;

  beforeAll(async () => {
    // The message whose answer is lost reaches the network, however late on a busy machine: it is never absent.
    const settleDelays = { afterErrorAnswerMs: 60_000, afterBrokenConnectionMs: 60_000, longestFileCallMs: 0 };
    engine = await startEngine({ settleDelays: { ...settleDelays, giveUpAfterMs: 300_000 } });
    agency = await anAgencyWithScopedKey(engine, { agencyId: 'broadcast' });
  });
  afterAll(() => engine.close());

  async function sendBulk(to: string, text: string): Promise<string> {
    const body = { to, text, priority: 'bulk' };
    const { status, body: answer } = await call(engine, 'POST', '/api/v1/messages/send', {
      key: agency.scopedKey,
      body,
    });
    expect(status).toBe(202);
    return String(answer['messageId']);
  }

  /** Counts the events that Temporal keeps of the executions that have sent something. */
  async function eventsOfDeliveries(): Promise<Record<string, number>> {
    const events: Record<string, number> = {};
    for await (const { workflowId, runId, type } of engine.temporal.workflow.list()) {
      if (type !== 'deliverSlice' && type !== 'deliverMessage') continue;
      const history = await engine.temporal.workflow.getHandle(workflowId, runId).fetchHistory();
      events[type] = (events[type] ?? 0) + (history.events?.length ?? 0);
    }
    return events;
  }

  it('goes out in slices, each message once, and costs Temporal at most three events a message', async () => {
    const numbers = Array.from({ length: MESSAGES }, (_, index) => index);
    // All are accepted before the first goes, however long that takes: what comes one by one makes small slices.
    await engine.stopWorker();
    const ids = await Promise.all(numbers.map((index) => sendBulk(`15552001${String(100 + index)}`, `news ${index}`)));
    await engine.startWorker();
    for (const id of ids) await untilStatus(engine, agency, id, 'delivered', 'read');
    const texts = (await sendsOf(engine, agency.session.name)).map(({ body }) => body ?? '');
    expect(texts.toSorted()).toEqual(numbers.map((index) => `news ${index}`).toSorted());
    // Temporal's list is a while behind.
    const events = await eventually(async () => {
      const listed = await eventsOfDeliveries();
      return (listed['deliverSlice'] ?? 0) > 0 && listed;
    });
    expect((events['deliverSlice'] ?? 0) + (events['deliverMessage'] ?? 0)).toBeLessThanOrEqual(3 * MESSAGES);
  });

  it('shows of each message which execution has sent it, also of one whose answer was lost', async () => {
    const others = Array.from({ length: 40 }, (_, index) => `15552003${String(100 + index)}`);
    const ids = await Promise.all([ANSWER_LOST, ...others].map((to) => sendBulk(to, 'more news')));
    const passports = await Promise.all(ids.map((id) => untilStatus(engine, agency, id, 'delivered', 'read')));
    const kinds = new Set<string | undefined>();
    for (const { workflowId } of passports) {
      const { type } = await engine.temporal.workflow.getHandle(workflowId ?? '').describe();
      expect(parseWorkflowId(workflowId ?? '')?.type).toBe(type);
      kinds.add(type);
    }
    expect(kinds).toContain('deliverSlice');
    // Its acks may come before its slice has handed it over.
    const lost = await eventually(async () => {
      const passport = await passportOf(engine, agency, ids[0] ?? '');
      return passport.workflowId === `message/${ids[0]}` && passport;
    });
    expect(lost.attempts).toBe(1);
  });
});
