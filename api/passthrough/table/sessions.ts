import { change, read, refused } from './row.ts';
import type { BackendRoute } from './row.ts';

const CONNECTS = "connects the session's account";
const ENDS = 'ends what others of the tenant use';
const OWN_ROUTE = "a session's webhooks and settings are the engine's: use POST /api/v1/sessions";
const BY_BODY = 'names its session where another one may stand, and deletes it: use the route with the session in it';

/** Connecting an account, and the account's own profile. */
export const SESSION_ROUTES: readonly BackendRoute[] = [
  read('/api/{session}/auth/qr', ['format'], CONNECTS),
  change('POST', '/api/{session}/auth/request-code', CONNECTS),
  read('/api/{session}/auth/passkey/challenge', [], CONNECTS),
  change('POST', '/api/{session}/auth/passkey', CONNECTS),
  read('/api/{session}/auth/passkey/confirmation', [], CONNECTS),
  change('POST', '/api/{session}/auth/passkey/confirm', CONNECTS),

  refused('GET', '/api/sessions', 'lists the sessions of all tenants: use GET /api/v1/sessions'),
  refused('POST', '/api/sessions', OWN_ROUTE),
  { ...read('/api/sessions/{session}', ['expand'], 'without webhooks, proxy and their secrets'), does: 'shows' },
  refused('PUT', '/api/sessions/{session}', OWN_ROUTE),
  refused('DELETE', '/api/sessions/{session}', OWN_ROUTE),
  read('/api/sessions/{session}/me'),
  change('POST', '/api/sessions/{session}/start', CONNECTS, { does: 'asks' }),
  change('POST', '/api/sessions/{session}/restart', CONNECTS, { does: 'asks' }),
  change('POST', '/api/sessions/{session}/stop', ENDS, { who: 'dashboard', does: 'asks' }),
  change('POST', '/api/sessions/{session}/logout', ENDS, { who: 'dashboard', does: 'asks' }),
  refused('POST', '/api/sessions/start', BY_BODY),
  refused('POST', '/api/sessions/stop', BY_BODY),
  refused('POST', '/api/sessions/logout', BY_BODY),

  read('/api/{session}/profile'),
  change('PUT', '/api/{session}/profile/name'),
  change('PUT', '/api/{session}/profile/status'),
  change('PUT', '/api/{session}/profile/picture', undefined, { files: ['file'] }),
  change('DELETE', '/api/{session}/profile/picture'),
  read('/api/screenshot'),
];
