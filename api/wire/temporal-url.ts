import type { ApiDeps } from '../deps.ts';

/**
 * The address of a workflow in Temporal's web UI, which shows its last run. Null if there is no workflow, or if the
 * address of the UI is not configured.
 */
export function temporalUrl(ui: ApiDeps['temporalUi'], workflowId: string | null): string | null {
  if (ui === null || workflowId === null) return null;
  return `${ui.url}/namespaces/${encodeURIComponent(ui.namespace)}/workflows/${encodeURIComponent(workflowId)}`;
}
