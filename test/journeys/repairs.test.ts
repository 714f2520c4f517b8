import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { NativeConnection, Worker } from '@temporalio/worker';
import { createReconcileActivities } from '../../activities/reconcile.ts';
import { TASK_QUEUES, workflowId } from '../../domain/names.ts';
import { RECONCILE } from '../../domain/workflows.ts';
import { anAgencyWithScopedKey } from '../support/client.ts';
import type { Agency } from '../support/client.ts';
import { startEngine } from '../support/engine.ts';
import type { TestEngine } from '../support/engine.ts';
import { eventually } from '../support/eventually.ts';
import { ago, atLeast, changeRows, deleteRows, findRows } from '../support/rows.ts';
import { textsSeenBy } from '../support/sandbox-record.ts';
import { passportOf, send, untilStatus } from '../support/sends.ts';
import { TASK_TIMEOUT } from '../support/servers.ts';

const MINUTE = 60_000;

describe('repairs under a live worker', () => {
  let engine: TestEngine;
  let agency: Agency;

  beforeAll(async () => {
    engine = await startEngine({ repairLookEveryMs: 250 });
    agency = await anAgencyWithScopedKey(engine, { agencyId: 'repaired' });
    // From then on, the engine trusts the session's list of sends.
    const { messageId } = await send(engine, agency, '15550109999', 'the first of this session');
    await untilStatus(engine, agency, messageId, 'read');
  });
  afterAll(() => engine.close());

  const handleOf = (id: string, runId?: string) => engine.temporal.workflow.getHandle(id, runId);
  const describeRun = (id: string, runId?: string) => handleOf(id, runId).describe();

  it('make the reconcile schedule that somebody deleted again, and take up the send whose execution was terminated', async () => {
    const route = 'sendText';
    // More than are tried before it is terminated, so that it is open then.
    await engine.control('POST', '/faults', { route, kind: 'status500', session: agency.session.name, count: 1_000 });
    const { messageId } = await send(engine, agency, '15550100901', 'left behind');
    await eventually(async () => (await passportOf(engine, agency, messageId)).attempts > 0);
    await engine.temporal.schedule.getHandle(RECONCILE.scheduleId).delete();
    await handleOf(workflowId('deliverMessage', messageId)).terminate('a test');
    await engine.control('DELETE', '/faults');
    engine.database.clock.advance(6 * MINUTE);
    await eventually(
      () =>
        engine.temporal.schedule
          .getHandle(RECONCILE.scheduleId)
          .describe()
          .catch(() => undefined),
      { what: 'the schedule to be there again' },
    );
    // The terminated run's last rows stay untouched until they are old; a run of the schedule restarts them then.
    engine.database.clock.advance(6 * MINUTE);
    await engine.temporal.schedule.getHandle(RECONCILE.scheduleId).trigger();
    const isRead = async () => (await passportOf(engine, agency, messageId)).status === 'read';
    await eventually(isRead, { withinMs: 75_000, what: 'the message to be read' });
    expect(await textsSeenBy(engine, agency.session.name, '15550100901@c.us')).toEqual(['left behind']);
  });

  it('reconcile without the schedule, too, when it has not run for three minutes', async () => {
    await engine.temporal.schedule.getHandle(RECONCILE.scheduleId).pause('a test');
    try {
      engine.database.clock.advance(4 * MINUTE);
      const before = engine.database.clock.now();
      await eventually(
        async () =>
          (await findRows(engine.database, 'repair', { name: 'reconcile', doneAt: atLeast(before) })).length > 0,
        {
          what: 'a reconcile',
        },
      );
    } finally {
      await engine.temporal.schedule.getHandle(RECONCILE.scheduleId).unpause();
    }
  });

  it('are shown by the API, for the workers too, as numbers of its metrics', async () => {
    const metrics = await (await fetch(engine.metricsUrl)).text();
    const age = /^engine_reconcile_age_seconds (\d+(\.\d+)?)$/m.exec(metrics)?.[1];
    expect(Number(age)).toBeGreaterThanOrEqual(0);
    for (const name of ['dispatches', 'backend_events', 'own_messages']) {
      expect(metrics).toMatch(new RegExp(`^engine_parked_${name} \\d+$`, 'm'));
    }
  });

  it('bring an endpoint back whose execution was terminated', async () => {
    const [endpoint] = await findRows(engine.database, 'endpoint', {}, ['id']);
    const id = workflowId('deliverWebhooks', endpoint?.id ?? '');
    const { runId } = await eventually(() => describeRun(id).catch(() => undefined));
    await handleOf(id).terminate('a test');
    engine.database.clock.advance(MINUTE);
    await eventually(
      async () => {
        const now = await describeRun(id);
        return now.runId !== runId && now.status.name === 'RUNNING';
      },
      { withinMs: 60_000, what: 'the execution of the endpoint' },
    );
  });

  it('start the execution of a session again that somebody has deleted, within two minutes', async () => {
    const id = workflowId('superviseSession', agency.session.id);
    const { runId } = await describeRun(id);
    await engine.temporal.workflowService.deleteWorkflowExecution({
      namespace: engine.namespace,
      workflowExecution: { workflowId: id },
    });
    // A hint to the session may have started it again before anybody looks.
    await eventually(async () => (await describeRun(id).catch(() => null))?.runId !== runId, {
      what: 'it to be deleted',
    });
    engine.database.clock.advance(2 * MINUTE);
    const isBack = async () => {
      const now = await describeRun(id).catch(() => null);
      return now?.status.name === 'RUNNING' && now.runId !== runId;
    };
    await eventually(isBack, { withinMs: 60_000, what: 'the execution of the session' });
  });

  it('end an execution that a deploy has made unable to go on, start it anew, and send its message once', async () => {
    await engine.stopWorker();
    const connection = await NativeConnection.connect({ address: process.env['TEST_TEMPORAL_ADDRESS'] ?? '' });
    const older = await Worker.create({
      connection,
      namespace: engine.namespace,
      taskQueue: TASK_QUEUES.engine,
      workflowsPath: fileURLToPath(new URL('../support/older-workflows.ts', import.meta.url)),
    });
    const olderRuns = older.run();
    const { messageId, runId } = await withOlderRelease();
    older.shutdown();
    await olderRuns;
    await connection.close();
    await engine.startWorker();
    // Whatever gives it a task shows that its history does not fit.
    await handleOf(workflowId('deliverMessage', messageId)).signal('released');

    const id = workflowId('deliverMessage', messageId);
    const attempt = async () => (await describeRun(id, runId)).raw.pendingWorkflowTask?.attempt ?? 0;
    await eventually(async () => (await attempt()) >= 3, { withinMs: 60_000, what: 'its tasks to fail' });
    const { reconcileRows } = createReconcileActivities({ database: engine.database });
    for (let promise = 1; promise <= 3; promise += 1) {
      engine.database.clock.advance(5 * MINUTE + 1_000);
      await reconcileRows({ all: false });
      // Handed over: what is still open is not promised twice.
      await eventually(async () => (await findRows(engine.database, 'dispatch', { workflowId: id })).length === 0);
    }
    await untilStatus(engine, agency, messageId, 'read');
    expect((await describeRun(id, runId)).status.name).toBe('TERMINATED');
    expect(await textsSeenBy(engine, agency.session.name, '15550100902@c.us')).toEqual(['of an older release']);

    async function withOlderRelease() {
      // Only the worker hands over here, so its promise is kept by the test.
      const accepted = await send(engine, agency, '15550100902', 'of an older release');
      const handle = await engine.temporal.workflow.start('deliverMessage', {
        workflowId: workflowId('deliverMessage', accepted.messageId),
        taskQueue: TASK_QUEUES.engine,
        workflowTaskTimeout: TASK_TIMEOUT,
        args: [accepted.messageId],
      });
      await deleteRows(engine.database, 'dispatch', { workflowId: handle.workflowId });
      await changeRows(engine.database, 'message', { updatedAt: ago({ minutes: 1 }) }, { id: accepted.messageId });
      const timers = async () =>
        (await handle.fetchHistory()).events?.filter((event) => event.timerStartedEventAttributes).length;
      await eventually(async () => (await timers()) === 2, { what: 'its second timer' });
      return { messageId: accepted.messageId, runId: handle.firstExecutionRunId };
    }
  });
});
