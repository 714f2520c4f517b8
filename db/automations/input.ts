import { z } from 'zod';
import type { TenantScope } from '../../domain/scope.ts';
import { insertTold } from '../promises.ts';
import { rows, run } from '../engine/rows.ts';
import type { Tx } from '../engine/tx.ts';
import { endExecution } from './execution.ts';

const EndedRow = z.object({ id: z.string() });

/** Notes what a run that was just begun is about. It takes the place of one with the same key that is under way. */
export async function noteInput(
  tx: Tx,
  scope: TenantScope,
  { id, automation, input, key }: { id: string; automation: string; input: object | null; key: string | null },
): Promise<void> {
  if (key !== null) await endByKey(tx, scope, { automation, key, reason: 'replaced' });
  await run(tx)`
    update automation_execution
    set input = ${input === null ? null : JSON.stringify(input)}::jsonb, request_key = ${key} where id = ${id}`;
}

/** Ends the run with this key that is under way, and tells its workflow. Answers the ids of what it has ended. */
export async function endByKey(
  tx: Tx,
  { agencyId, tenantId }: TenantScope,
  { automation, key, reason }: { automation: string; key: string; reason: 'replaced' | 'requested' },
): Promise<string[]> {
  const ended = await rows(tx, EndedRow)`
    select e.id from automation a join automation_execution e on e.automation_id = a.id
    where a.agency_id = ${agencyId} and a.tenant_id = ${tenantId} and a.definition = ${automation}
      and e.request_key = ${key} and e.status = 'running'
    order by e.id for no key update of e`;
  if (ended.length === 0) return [];
  for (const { id } of ended) await endExecution(tx, id, { status: 'cancelled', reason });
  await run(tx)`${insertTold(
    'runAutomation',
    'changed',
    ended.map(({ id }) => ({ key: id, agencyId })),
  )}`;
  tx.wake('dispatch');
  return ended.map(({ id }) => id);
}
