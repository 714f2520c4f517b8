import type { TroubledEndpoint } from '../../../db/operations/troubled-endpoints.ts';
import { workflowId } from '../../../domain/names.ts';

/** What helps if the address is at fault, and not its receiver. */
const CURES: Readonly<Record<string, string>> = {
  blocked_address:
    'give it a public https address; for development, name its range in EGRESS_ALLOW, also that of this machine if BACKEND_URL or BACKENDS is set',
  secret_unreadable:
    'put the former ENGINE_ENCRYPTION_KEY back, or give it a new secret (docs/operate/encryption-key.md)',
  insecure_url: 'give it an https address, because events do not go to public addresses by http',
};

/** Says how an endpoint that fails or is disabled is, what helps, and the command that shows all of it. */
export function aboutEndpoint({ id, agencyId, sessionId, status, lastError, failingSince }: TroubledEndpoint): string {
  const whose = sessionId === null ? agencyId : `${agencyId} for ${sessionId}`;
  const since = failingSince === null ? '' : `, failing since ${failingSince.toISOString()}`;
  const usual = status === 'disabled' ? 'resume it when its receiver is well' : 'tell whose receiver it is';
  const cure = CURES[lastError ?? ''];
  const todo = cure === undefined ? usual : status === 'disabled' ? `${cure}, then resume it` : cure;
  return `${id} of ${whose} is ${status}${since}, ${lastError ?? 'no error'}: ${todo} (docs/operate/runbooks/a-webhook-fails.md). More: ./engine temporal workflow query --workflow-id ${workflowId('deliverWebhooks', id)} --type state`;
}
