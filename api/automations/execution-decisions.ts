import { z } from 'zod';
import { handOverExecution, skipWait } from '../../db/automations/decisions.ts';
import type { Decided } from '../../db/automations/decisions.ts';
import { findExecution, tellExecution } from '../../db/automations/execution-list.ts';
import type { Tx } from '../../db/engine/tx.ts';
import { HandOverExecution, SkipWait } from '../../domain/automations/automation.ts';
import { ExecutionId, ExecutionView } from '../../domain/automations/execution.ts';
import { EngineError, notFound } from '../../domain/error.ts';
import type { Scope } from '../../domain/scope.ts';
import type { ApiDeps } from '../deps.ts';
import { defineRoute } from '../deps.ts';
import { actingAs } from '../route/caller.ts';
import { shownExecution } from './execution-view.ts';

const params = z.object({ id: ExecutionId });

export const executionDecisionRoutes = [
  defineRoute({
    method: 'POST',
    path: '/api/v1/automation-executions/:id/skip-wait',
    auth: 'tenant',
    scope: 'send',
    operationId: 'automations.skipWait',
    summary: "Skip an automation run's current wait",
    description:
      'The run continues within a second, as if the time were over. If it waits for nothing, nothing ' +
      'happens.\n\nRecorded in the audit. In Temporal, it is the Update `skipWait`.',
    params,
    body: SkipWait,
    reply: ExecutionView,
    errors: ['not_found', 'execution_ended'],
    handle: ({ scope, caller, params: { id }, body }, deps) =>
      decide(deps, scope, id, (tx) => {
        const actor = actingAs(caller, body.actor);
        return skipWait(tx, { executionId: id, actor, reason: body.reason, keyId: caller.keyId });
      }),
  }),

  defineRoute({
    method: 'POST',
    path: '/api/v1/automation-executions/:id/hand-over',
    auth: 'tenant',
    scope: 'send',
    operationId: 'automations.handOverExecution',
    summary: 'End a run and hand its conversation over',
    description:
      'After the response, the run sends nothing except what was already being sent to the network. The ' +
      'agent stays silent until the conversation is released.\n\nThe run ends as `cancelled`, `taken_over`. ' +
      'Recorded in the audit. In Temporal, it is the Update `handOver`.',
    params,
    body: HandOverExecution,
    reply: ExecutionView,
    errors: ['not_found', 'execution_ended'],
    handle: ({ scope, caller, params: { id }, body }, deps) =>
      decide(deps, scope, id, (tx) => {
        const { assignee = null, reason } = body;
        const actor = actingAs(caller, body.actor);
        return handOverExecution(tx, { executionId: id, actor, reason, assignee, keyId: caller.keyId });
      }),
  }),
];

/** Carries a decision about a run of the scope out, and has the run look at it. */
async function decide(
  deps: Pick<ApiDeps, 'database' | 'temporalUi'>,
  scope: Scope,
  id: string,
  carryOut: (tx: Tx) => Promise<Decided | undefined>,
): Promise<ExecutionView> {
  return deps.database.transaction(async (tx) => {
    const found = await findExecution(tx, scope, id);
    if (!found) throw notFound('execution', 'path/id');
    if (found.status !== 'running')
      throw new EngineError('execution_ended', `The run has ended: its status is ${found.status}.`);
    await carryOut(tx);
    await tellExecution(tx, scope, id);
    const after = await findExecution(tx, scope, id);
    if (!after) throw notFound('execution', 'path/id');
    return shownExecution(after, deps);
  });
}
