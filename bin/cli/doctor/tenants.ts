import type { DatabaseHealth, TroubledEndpoint, TroubledSession } from '../../../db/operations/database-health.ts';
import { ok, warning } from './finding.ts';
import type { Finding } from './finding.ts';

/** Names the sessions and endpoints that need somebody, by their ids, and counts the runs of automations. */
export function tenantFindings({ sessions, endpoints, automations }: DatabaseHealth): Finding[] {
  return [
    sessions.length === 0
      ? ok('Sessions', 'all that are to run work, and are heard')
      : warning('Sessions', `not working or silent: ${sessions.length}`, ...sessions.map(aboutSession)),
    endpoints.length === 0
      ? ok('Endpoints', 'all receivers take their events')
      : warning('Endpoints', `failing or disabled: ${endpoints.length}`, ...endpoints.map(aboutEndpoint)),
    aboutAutomations(automations),
  ];
}

function aboutSession({ id, agencyId, tenantId, ...session }: TroubledSession): string {
  const { status, lastError, isSilent, since } = session;
  const how = isSilent && status === 'WORKING' ? 'silent' : status;
  const why = lastError === null ? '' : ` (${lastError})`;
  const todo =
    how === 'SCAN_QR_CODE'
      ? 'somebody must scan its code'
      : 'its supervisor brings it back; else the Update "restart" (docs/runbooks.md#a-session-is-silent)';
  return `${id} of ${agencyId}/${tenantId} is ${how}${why} since ${since.toISOString()}: ${todo}.`;
}

function aboutEndpoint({ id, agencyId, status, lastError, failingSince }: TroubledEndpoint): string {
  const since = failingSince === null ? '' : ` since ${failingSince.toISOString()}`;
  const todo = status === 'disabled' ? 'resume it when its receiver is well' : 'tell whose receiver it is';
  return `${id} of ${agencyId} is ${status}${since}, ${lastError ?? 'no error'}: ${todo} (docs/runbooks.md#a-webhook-fails).`;
}

function aboutAutomations({ running, overdue, failedLately }: DatabaseHealth['automations']): Finding {
  const says = `${running} running, ${overdue} of them overdue; ${failedLately} failed in the last hour`;
  if (overdue + failedLately === 0) return ok('Automations', says);
  return warning(
    'Automations',
    says,
    ...(overdue > 0
      ? ['Some do not go on although their wait is over (docs/runbooks.md#an-automation-is-stuck).']
      : []),
    ...(failedLately > 0 ? ['Tell the author of those that failed: the view "Broken" shows their error.'] : []),
  );
}
