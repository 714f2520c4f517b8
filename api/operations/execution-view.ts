import type { EngineExecutionRow } from '../../db/operations/executions.ts';
import { workflowId } from '../../domain/names.ts';
import type { TenantScope } from '../../domain/scope.ts';
import type { EngineExecutionView } from '../../domain/operations/execution.ts';
import type { ApiDeps } from '../deps.ts';
import { isoOrNull } from '../wire/iso-time.ts';
import { temporalUrl } from '../wire/temporal-url.ts';

/** Shows what the engine does for a tenant as the API does. */
export function shownEngineExecution(
  { createdAt, endedAt, isExecuted, ...row }: EngineExecutionRow,
  { scope, temporalUi }: { scope: TenantScope; temporalUi: ApiDeps['temporalUi'] },
): EngineExecutionView {
  const { path, workflow: named } = placesOf(row, scope);
  const workflow = isExecuted ? named : null;
  return {
    ...row,
    path,
    workflowId: workflow,
    temporalUrl: temporalUrl(temporalUi, workflow),
    createdAt: createdAt.toISOString(),
    endedAt: isoOrNull(endedAt),
  };
}

type Placed = Pick<EngineExecutionRow, 'id' | 'kind' | 'conversationId' | 'messageId'>;

/** Returns the pages of an execution: the engine's own, and Temporal's. */
function placesOf(
  { id, kind, conversationId, messageId }: Placed,
  { tenantId }: TenantScope,
): { path: string; workflow: string } {
  switch (kind) {
    case 'automation':
      return { path: `/api/v1/automation-executions/${id}`, workflow: workflowId('runAutomation', id) };
    case 'ai':
      return {
        path: `/api/v1/conversations/${conversationId ?? ''}/turns/${id}`,
        workflow: workflowId('aiConversation', conversationId ?? ''),
      };
    case 'actions':
      return {
        path: `/api/v1/inbox/messages/${messageId ?? ''}/actions`,
        workflow: workflowId('actOnMessage', messageId ?? ''),
      };
    case 'rehearsal':
      return { path: `/api/v1/ai/rehearsals/${id}`, workflow: workflowId('rehearse', id) };
    case 'erasure':
      return { path: `/api/v1/erasures/${id}`, workflow: workflowId('eraseContact', id) };
    case 'export':
      return {
        path: `/api/v1/tenants/${encodeURIComponent(tenantId)}/exports/${id}`,
        workflow: workflowId('exportTenant', id),
      };
  }
}
