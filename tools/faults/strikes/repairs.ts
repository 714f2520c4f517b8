import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { ScheduleNotFoundError, WorkflowNotFoundError } from '@temporalio/client';
import type { Client } from '@temporalio/client';
import type { Client as Database } from 'pg';
import { z } from 'zod';
import { until } from '../../demo/until.ts';
import { TASK_QUEUES, workflowId } from '../../../domain/names.ts';
import { RECONCILE } from '../../../domain/workflows.ts';
import { asHalves } from './as-halves.ts';
import { letTimePass } from './time-passes.ts';
import { isUnderWay, readPassports } from '../sends/passports.ts';
import type { Fault, Scene } from '../scene.ts';
import { withTemporal } from './temporal-client.ts';
import { messagesUnderWay, withExecution } from './under-way.ts';

/** The engine may fetch no more than two large files of an agency at once, so no more are waited for. */
const ENOUGH = 2;
const HELD_OF_A_ROUTE = 2;
const FAILING_FROM_ATTEMPT = 3;
/** The time for a look, a reconcile and the tries of a task with growing pauses. */
const REPAIRED_WITHIN_MS = 150_000;

const Shared = z.array(z.object({ id: z.string(), slice: z.string() }));

/** Faults that the engine itself must notice and repair. */
export const REPAIR_FAULTS: readonly Fault[] = [
  {
    name: 'stuck-execution',
    title: 'executions count as running and cannot go on',
    short: 'never',
    async strike(scene) {
      const { ground } = scene;
      ground.files.hold();
      await until('files to be asked for', () => ground.files.waiting >= ENOUGH);
      const waiting = await messagesUnderWay(scene);
      await ground.killEngine();
      // No worker lives, so none of these messages can be sent meanwhile. Their new executions go on from a state that
      // no release has written, which fails each of their tasks.
      const stuck = await withTemporal(ground.machine, async (client) => {
        const ids = (await withExecution(client, waiting)).slice(0, ENOUGH);
        for (const id of ids) {
          await client.workflow.start('deliverMessage', {
            workflowId: workflowId('deliverMessage', id),
            taskQueue: TASK_QUEUES.engine,
            args: [id, null],
            workflowIdConflictPolicy: 'TERMINATE_EXISTING',
          });
        }
        return ids;
      });
      ground.files.release();
      if (stuck.length === 0) throw new Error('No message was under way.');
      await asHalves(ground, async ({ database }) => {
        await withTemporal(ground.machine, (client) =>
          until('their tasks to fail', () => haveFailed(client, stuck), REPAIRED_WITHIN_MS),
        );
        await letTimePass(database, stuck);
        await untilOver(scene, stuck);
      });
      return `${stuck.length} were ended and started anew`;
    },
  },
  {
    name: 'schedule-deleted',
    title: 'the reconcile schedule is deleted and executions are terminated',
    short: 'never',
    async strike(scene) {
      const { ground } = scene;
      await ground.killEngine();
      let terminated: string[] = [];
      let slices: string[] = [];
      await asHalves(ground, async ({ database }) => {
        for (const route of ['sendText', 'sendList']) {
          await ground.sandbox.arm({ route, kind: 'slow', delayMs: 2_000, count: HELD_OF_A_ROUTE });
        }
        ground.files.hold();
        await until('files to be asked for', () => ground.files.waiting >= ENOUGH);
        await withTemporal(ground.machine, async (client) => {
          await client.schedule.getHandle(RECONCILE.scheduleId).delete();
          const underWay = await messagesUnderWay(scene);
          const alone = await withExecution(client, underWay);
          const shared = await sharing(database, underWay);
          slices = [...new Set(shared.map(({ slice }) => slice))];
          for (const id of alone) await terminate(client, workflowId('deliverMessage', id));
          for (const id of slices) await terminate(client, workflowId('deliverSlice', id));
          terminated = [...new Set([...alone, ...shared.map(({ id }) => id)])];
        });
        ground.files.release();
        // A worker reconciles by itself after three minutes without a reconcile, so the last one is dated back.
        await database.query("update repair set done_at = done_at - interval '4 minutes' where name = 'reconcile'");
        await letTimePass(database, terminated);
        await untilOver(scene, terminated);
      });
      await withTemporal(ground.machine, (client) => until('the schedule to be there', () => hasSchedule(client)));
      return `${terminated.length} (${slices.length} slices) went on without it, and it was made again`;
    },
  },
  {
    name: 'store-dropped',
    title: "Temporal's store is deleted while the engine is stopped",
    short: 'never',
    async strike(scene) {
      const { ground } = scene;
      const { dataDir } = ground.machine;
      ground.files.hold();
      await until('files to be asked for', () => ground.files.waiting >= ENOUGH);
      const waiting = await messagesUnderWay(scene);
      const stopped = ground.engine.stop();
      ground.files.release();
      const code = await stopped;
      if (code !== 0) throw new Error(`The engine must stop with exit code 0, and stopped with ${code}.`);
      const files = (await readdir(dataDir)).filter((name) => /^temporal-.*\.db/.test(name));
      if (files.length === 0) throw new Error("Temporal's store is not where it is looked for.");
      for (const name of files) await rm(join(dataDir, name));
      await ground.startEngine();
      await untilOver(scene, waiting);
      return `${waiting.length} were not sent yet and went on in a new store`;
    },
  },
];

/** Lists those of these messages that a slice has called or calls, with their slices. */
async function sharing(database: Database, messageIds: readonly string[]): Promise<z.infer<typeof Shared>> {
  const { rows } = await database.query('select id, slice from message where id = any($1) and slice is not null', [
    messageIds,
  ]);
  return Shared.parse(rows);
}

/** Terminates an execution, which may also just have ended by itself. */
async function terminate(client: Client, id: string): Promise<void> {
  try {
    await client.workflow.getHandle(id).terminate('a fault');
  } catch (error) {
    if (!(error instanceof WorkflowNotFoundError)) throw error;
  }
}

async function haveFailed(client: Client, messageIds: readonly string[]): Promise<boolean> {
  for (const id of messageIds) {
    const { raw } = await client.workflow.getHandle(workflowId('deliverMessage', id)).describe();
    if ((raw.pendingWorkflowTask?.attempt ?? 0) < FAILING_FROM_ATTEMPT) return false;
  }
  return true;
}

async function hasSchedule(client: Client): Promise<boolean> {
  try {
    await client.schedule.getHandle(RECONCILE.scheduleId).describe();
    return true;
  } catch (error) {
    if (error instanceof ScheduleNotFoundError) return false;
    throw error;
  }
}

async function untilOver({ ground, ledger }: Scene, messageIds: readonly string[]): Promise<void> {
  const messages = ledger.accepted.filter(({ messageId }) => messageIds.includes(messageId));
  const areOver = async () => [...(await readPassports(ground, messages)).values()].every((each) => !isUnderWay(each));
  await until('the messages to go on', areOver, REPAIRED_WITHIN_MS);
}
