import type { TroubledEndpoint } from '../../../db/operations/troubled-endpoints.ts';
import { workflowId } from '../../../domain/names.ts';

/** Remedies for a wrong address, when the receiver itself is fine. */
const CURES: Readonly<Record<string, string>> = {
  blocked_address:
    'give it a public https address; for development, name its range in EGRESS_ALLOW (also for this machine if BACKEND_URL or BACKENDS is set)',
  secret_unreadable: 'restore the former ENGINE_ENCRYPTION_KEY, or set a new secret (docs/operate/encryption-key.md)',
  insecure_url: 'give it an https address: the engine sends no events to public http addresses',
};

/** Says how an endpoint that fails or is disabled is, what helps, and the command that shows all of it. */
export function aboutEndpoint({ id, agencyId, sessionId, status, lastError, failingSince }: TroubledEndpoint): string {
  const whose = sessionId === null ? agencyId : `${agencyId} for ${sessionId}`;
  const since = failingSince === null ? '' : ` since ${failingSince.toISOString()}`;
  const state = status === 'active' ? `fails${since}` : `is ${status}, failing${since}`;
  const error = lastError === null ? 'no error' : `${lastError.replaceAll('_', ' ')} (${lastError})`;
  const usual = status === 'disabled' ? 'resume it once its receiver works' : 'check the receiver';
  const cure = CURES[lastError ?? ''];
  const todo = cure === undefined ? usual : status === 'disabled' ? `${cure}, then resume it` : cure;
  return `${id} of ${whose} ${state}: ${error}; ${todo} (docs/operate/runbooks/a-webhook-fails.md). Details: ./engine temporal workflow query --workflow-id ${workflowId('deliverWebhooks', id)} --type state`;
}
