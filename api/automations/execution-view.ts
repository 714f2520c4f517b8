import type { ExecutionRow } from '../../db/automations/execution-list.ts';
import type { ExecutionView } from '../../domain/automations/execution.ts';
import { workflowId } from '../../domain/names.ts';
import type { ApiDeps } from '../deps.ts';
import { isoOrNull } from '../wire/iso-time.ts';
import { temporalUrl } from '../wire/temporal-url.ts';

/** Shows a run of an automation as the API does. */
export function shownExecution(
  { definition, definitionVersion, ...row }: ExecutionRow,
  { temporalUi }: Pick<ApiDeps, 'temporalUi'>,
): ExecutionView {
  const id = row.isPromised ? workflowId('runAutomation', row.id) : null;
  return {
    id: row.id,
    sessionId: row.sessionId,
    conversationId: row.conversationId,
    contactId: row.contactId,
    begun: row.begun,
    status: row.status,
    reason: row.reason,
    failedPath: row.failedPath,
    waitsFor: row.waitsFor,
    automation: definition,
    version: definitionVersion,
    retryOf: row.retryOf,
    workflowId: id,
    temporalUrl: temporalUrl(temporalUi, id),
    waitsUntil: isoOrNull(row.waitsUntil),
    createdAt: row.createdAt.toISOString(),
    endedAt: isoOrNull(row.endedAt),
  };
}
