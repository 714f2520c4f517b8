import type { DatabaseHealth, TroubledSession } from '../../../db/operations/database-health.ts';
import type { WideCredential } from '../../../db/operations/wide-credentials.ts';
import { SESSION_ERROR_TODOS } from '../../../domain/sessions/session-error.ts';
import { aboutEndpoint } from '../status/about-endpoint.ts';
import { ok, warning } from './finding.ts';
import type { Finding } from './finding.ts';

/** Names the sessions and endpoints that need somebody, by their ids, and counts the runs of automations. */
export function tenantFindings({ sessions, endpoints, automations, wideCredentials }: DatabaseHealth): Finding[] {
  return [
    sessions.length === 0
      ? ok('Sessions', 'all started sessions work, none is silent or restricted')
      : warning('Sessions', `not working, silent or restricted: ${sessions.length}`, ...sessions.map(aboutSession)),
    endpoints.length === 0
      ? ok('Endpoints', 'all active receivers accept their events')
      : warning('Endpoints', `failing or disabled: ${endpoints.length}`, ...endpoints.map(aboutEndpoint)),
    aboutAutomations(automations),
    wideCredentials.length === 0
      ? ok('Credentials', 'no key exceeds the key that created it')
      : warning(
          'Credentials',
          `exceeding the key that created them: ${wideCredentials.length}`,
          ...wideCredentials.map(aboutCredential),
        ),
  ];
}

function aboutSession({ id, agencyId, tenantId, ...session }: TroubledSession): string {
  const { status, lastError, isSilent, restrictedUntil, since } = session;
  if (status === 'WORKING' && !isSilent && restrictedUntil !== null) {
    return `${id} of ${agencyId}/${tenantId} is restricted by the network until ${restrictedUntil.toISOString()}: stop sending to new people from it (docs/operate/runbooks/the-backend-is-down.md).`;
  }
  const how = isSilent && status === 'WORKING' ? 'silent' : status;
  const why = lastError === null ? '' : ` (${lastError})`;
  const todo =
    how === 'SCAN_QR_CODE'
      ? 'a person must scan its code'
      : `${SESSION_ERROR_TODOS[lastError ?? ''] ?? 'its supervisor restarts it; otherwise send the Update "restart"'} (docs/operate/runbooks/a-session-is-silent.md)`;
  return `${id} of ${agencyId}/${tenantId} is ${how}${why} since ${since.toISOString()}: ${todo}.`;
}

function aboutCredential({ id, agencyId, makerId, why }: WideCredential): string {
  const because = why === 'ended' ? 'has ended' : 'lacks a scope that it has';
  const end = id.startsWith('clk_') ? `DELETE /api/v1/console/links/${id}` : `DELETE /api/v1/api-keys/${id}`;
  return `${id} of ${agencyId} was made by ${makerId}, which ${because}: ask its owner, or end it with ${end}.`;
}

function aboutAutomations({ running, overdue, failedLately }: DatabaseHealth['automations']): Finding {
  const says = `${running} running, ${overdue} of them overdue; ${failedLately} failed in the last hour`;
  if (overdue + failedLately === 0) return ok('Automations', says);
  return warning(
    'Automations',
    says,
    ...(overdue > 0 ? ['Some should have resumed long ago (docs/operate/runbooks/an-automation-is-stuck.md).'] : []),
    ...(failedLately > 0
      ? [
          'Inform their author: GET /api/v1/automation-executions?status=failed has the reasons, the view "Broken" the errors.',
        ]
      : []),
  );
}
