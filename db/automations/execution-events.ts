import type { ExecutionReason } from '../../domain/automations/execution.ts';
import type { Tx } from '../engine/tx.ts';

/** A run, as far as its events tell of it. */
export interface ToldExecution {
  executionId: string;
  automation: string;
  agencyId: string;
  tenantId: string;
  sessionId: string | null;
  conversationId: string | null;
  contactId: string | null;
}

export type ToldEnd =
  { status: 'completed'; reason: null } | { status: 'failed' | 'cancelled'; reason: ExecutionReason };

/** Tells that a run has begun to work. */
export function tellBegun(tx: Tx, execution: ToldExecution): void {
  const { agencyId, tenantId, ...told } = execution;
  const { sessionId, conversationId } = told;
  const payload = { ...told, timestamp: Math.floor(tx.now.getTime() / 1_000) };
  tx.emit({ event: 'automation.started', agencyId, tenantId, sessionId, conversationId, payload });
}

/** Tells how a run has ended. */
export function tellEnd(tx: Tx, { status, reason, ...execution }: ToldExecution & ToldEnd): void {
  const { agencyId, tenantId, ...told } = execution;
  const { sessionId, conversationId } = told;
  const payload = { ...told, timestamp: Math.floor(tx.now.getTime() / 1_000) };
  const about = { agencyId, tenantId, sessionId, conversationId };
  if (status === 'failed') {
    tx.emit({ event: 'automation.failed', ...about, payload: { ...payload, reason } });
  } else {
    tx.emit({ event: 'automation.completed', ...about, payload: { ...payload, status, reason } });
  }
}
