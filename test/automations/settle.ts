import { sql } from 'kysely';
import { workflowId } from '../../domain/names.ts';
import type { TestEngine } from '../support/engine.ts';
import { eventually } from '../support/eventually.ts';
import { countOf, rowsOf } from '../support/rows.ts';
import { rests } from '../workflows/a-workflow-scene.ts';

/** Waits until the executions of automations have done what there is to do now: each has ended, or waits. */
export async function settle(engine: TestEngine): Promise<void> {
  await eventually(async () => (await isHandedOver(engine)) && (await allRest(engine)), {
    what: 'the automations to come to rest',
  });
}

/** Everything that was promised is with Temporal, and everything that was said is with the sandbox. */
async function isHandedOver({ database }: TestEngine): Promise<boolean> {
  const promised = sql`dispatch where workflow_type = 'runAutomation' and parked_at is null`;
  const unsent = sql`message where via = 'automation' and status in ('queued', 'sending')`;
  return (await countOf(database, promised)) + (await countOf(database, unsent)) === 0;
}

async function allRest({ database, temporal }: TestEngine): Promise<boolean> {
  const running = await rowsOf(
    database,
    sql<{ id: string }>`select id from automation_execution where status = 'running'`,
  );
  for (const { id } of running) {
    const handle = temporal.workflow.getHandle(workflowId('runAutomation', id));
    if (!(await rests(handle).catch(() => false))) return false;
  }
  return true;
}
