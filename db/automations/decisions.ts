import { z } from 'zod';
import { EXECUTION_STATUSES } from '../../domain/automations/execution.ts';
import type { AuditAction } from '../../domain/tenants/audit.ts';
import { handOver } from '../agent/handover.ts';
import { row } from '../engine/rows.ts';
import { recordChange } from '../audit.ts';
import type { Tx } from '../engine/tx.ts';
import { endExecution, lockPlace } from './execution.ts';

/** A person's decision about a run. In the run's execution in Temporal it has no key, but an actor and a reason. */
export interface SignedDecision {
  executionId: string;
  actor?: string | undefined;
  reason?: string | undefined;
  keyId?: string | null;
}

/** The state of a run after a decision. */
export interface Decided {
  status: (typeof EXECUTION_STATUSES)[number];
  reason: string | null;
}

const DecidedRow = z.object({
  status: z.enum(EXECUTION_STATUSES),
  reason: z.string().nullable(),
  agencyId: z.string(),
  tenantId: z.string(),
  definition: z.string(),
  conversationId: z.string().nullable(),
});
type DecidedRow = z.output<typeof DecidedRow>;

async function lockExecution(tx: Tx, executionId: string): Promise<DecidedRow | undefined> {
  return row(tx, DecidedRow)`
    select status, reason, agency_id as "agencyId", tenant_id as "tenantId", definition,
      conversation_id as "conversationId"
    from automation_execution where id = ${executionId} for no key update`;
}

async function record(
  tx: Tx,
  {
    running: { agencyId, tenantId, definition },
    decision: { executionId, actor, reason, keyId = null },
    action,
    detail = {},
  }: { running: DecidedRow; decision: SignedDecision; action: AuditAction; detail?: object },
): Promise<void> {
  const of = { agencyId, tenantId };
  const change = { of, object: 'execution', objectId: executionId, action, detail: { definition, ...detail } } as const;
  await recordChange(tx, change, { keyId, actor, reason });
}

const decidedOf = ({ status, reason }: DecidedRow): Decided => ({ status, reason });

/** Ends a run because a person wants it, and records who; one that has ended stays as it is. */
export async function decideExecution(tx: Tx, decision: SignedDecision): Promise<Decided | undefined> {
  const running = await lockExecution(tx, decision.executionId);
  if (running?.status !== 'running') return running && decidedOf(running);
  await endExecution(tx, decision.executionId, { status: 'cancelled', reason: 'requested' });
  await record(tx, { running, decision, action: 'cancelled' });
  return { status: 'cancelled', reason: 'requested' };
}

const SkippedRow = z.object({ number: z.int(), name: z.string() });

/** Marks the step that a run waits in as skipped, so that its next look finds the time over. Records who wants it. */
export async function skipWait(tx: Tx, decision: SignedDecision): Promise<Decided | undefined> {
  const running = await lockExecution(tx, decision.executionId);
  if (running?.status !== 'running') return running && decidedOf(running);
  const skipped = await row(tx, SkippedRow)`
    update automation_step set detail = detail || '{"skipped": true}'
    where execution_id = ${decision.executionId} and ended_at is null and not detail ? 'skipped'
    returning number, name`;
  if (skipped) await record(tx, { running, decision, action: 'wait_skipped', detail: skipped });
  return decidedOf(running);
}

/** Gives a run's conversation to a person and ends the run; nobody is talked over by what it has yet to say. */
export async function handOverExecution(
  tx: Tx,
  { assignee, requestId, ...decision }: SignedDecision & { assignee: string | null; requestId?: string },
): Promise<Decided | undefined> {
  const { executionId, actor, reason } = decision;
  // A step of the run locks the conversation first and the run after it, so this does, too.
  await lockPlace(tx, executionId);
  const running = await lockExecution(tx, executionId);
  if (running?.status !== 'running') return running && decidedOf(running);
  const { agencyId, tenantId, conversationId } = running;
  await endExecution(tx, executionId, { status: 'cancelled', reason: 'taken_over' });
  await record(tx, { running, decision, action: 'handed_over' });
  if (conversationId !== null) {
    const to = {
      mode: 'human_takeover',
      cause: 'assign',
      assignee,
      reason: reason ?? null,
      actor: actor ?? null,
      keyId: decision.keyId ?? null,
      requestId: requestId ?? null,
    } as const;
    await handOver(tx, { agencyId, tenantId, sessionId: null }, conversationId, to);
  }
  return { status: 'cancelled', reason: 'taken_over' };
}
