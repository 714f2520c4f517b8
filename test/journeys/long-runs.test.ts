import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { TASK_QUEUES, workflowId } from '../../domain/names.ts';
import { anAgencyWithScopedKey } from '../support/client.ts';
import type { Agency } from '../support/client.ts';
import { startEngine } from '../support/engine.ts';
import type { TestEngine } from '../support/engine.ts';
import { eventually } from '../support/eventually.ts';
import { passportOf, send, untilStatus } from '../support/sends.ts';

/** The arguments of a continued run; `roundsLeft` and the checks are lower than the engine's own. */
const CARRIED = { attempts: 7, waits: 7, level: 0, toPrepare: false, pauseMs: 1_000, roundsLeft: 2 };
const DECISION = { actor: 'operator', reason: 'decided' };

describe('an execution without an end in sight', () => {
  let engine: TestEngine;
  let agency: Agency;

  beforeAll(async () => {
    engine = await startEngine();
    agency = await anAgencyWithScopedKey(engine, { agencyId: 'long' });
    // From then on, the engine trusts the session's list of sends.
    const { messageId } = await send(engine, agency, '15550109999', 'the first of this session');
    await untilStatus(engine, agency, messageId, 'read');
  });
  afterAll(() => engine.close());

  /** Ends what runs under the id and starts the workflow with other arguments. */
  async function startInstead(type: string, id: string, args: unknown[]): Promise<string> {
    await engine.temporal.workflow.getHandle(id).terminate('a test');
    const handle = await engine.temporal.workflow.start(type, { workflowId: id, taskQueue: TASK_QUEUES.engine, args });
    return handle.firstExecutionRunId;
  }

  const statusOf = async (id: string, runId?: string) =>
    (await engine.temporal.workflow.getHandle(id, runId).describe()).status.name;
  const untilContinued = (id: string, runId: string) =>
    eventually(async () => (await statusOf(id, runId)) === 'CONTINUED_AS_NEW', { what: 'the next run' });

  it('that supervises a session goes on in a new run, which hears of the session and does not connect it again', async () => {
    const id = workflowId('superviseSession', agency.session.id);
    await eventually(() => statusOf(id).catch(() => undefined));
    const runId = await startInstead('superviseSession', id, [agency.session.id, 2]);
    const signal = () => engine.temporal.workflow.getHandle(id).signal('statusChanged');
    const sessions = async (of?: string) =>
      (await engine.temporal.workflow.getHandle(id, of).fetchHistory()).events ?? [];
    const looks = async (of?: string) =>
      (await sessions(of)).filter((event) => event.activityTaskScheduledEventAttributes).length;
    // One after the other: a run to which signals come without end cannot go on in a new one.
    for (let isOver = false; !isOver;) {
      const seen = await looks(runId);
      await signal();
      isOver = await eventually(async () => {
        if ((await statusOf(id, runId)) === 'CONTINUED_AS_NEW') return 'over';
        return (await looks(runId)) > seen && 'looked';
      }).then((found) => found === 'over');
    }
    await engine.control('POST', `/sessions/${agency.session.name}/status`, { status: 'STOPPED' });
    const before = await looks();
    await signal();
    await eventually(async () => (await looks()) > before, { what: 'a look of the new run' });
    const types = (await sessions()).map((event) => event.activityTaskScheduledEventAttributes?.activityType?.name);
    expect(types).toContain('followSession');
    expect(types).not.toContain('connectSession');
    expect(await statusOf(id)).toBe('RUNNING');
    await engine.control('POST', `/sessions/${agency.session.name}/status`, { status: 'WORKING' });
    await signal();
  });

  it('of a message that a backend refuses for days goes on in a new run, which knows of the old one and is told what is decided', async () => {
    // A number whose sends always fail.
    const { messageId } = await send(engine, agency, '15550100006', 'refused for days');
    const id = workflowId('deliverMessage', messageId);
    await eventually(async () => (await passportOf(engine, agency, messageId)).attempts > 0);
    const runId = await startInstead('deliverMessage', id, [messageId, CARRIED]);
    await untilContinued(id, runId);
    const handle = engine.temporal.workflow.getHandle(id);
    const story = await handle.query<{ attempts: number; waits: number }>('state');
    expect(story.waits).toBeGreaterThanOrEqual(CARRIED.waits + 2);
    await eventually(async () => (await passportOf(engine, agency, messageId)).status === 'queued');
    await eventually(() => handle.executeUpdate('cancel', { args: [DECISION] }).catch(() => undefined));
    await untilStatus(engine, agency, messageId, 'cancelled');
    expect(await handle.result()).toBe('cancelled');
  });
});
