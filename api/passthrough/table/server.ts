import { refused } from './row.ts';
import type { BackendRoute } from './row.ts';

const KEYS = "shows or creates keys of the backend, which open every tenant's account";
const HOST = "all tenants share the backend's server";
const APPS = 'an app of the backend gets the messages of every session that it names';

/** What belongs to all tenants together. No key opens it here; the operator asks the backend itself. */
export const SERVER_ROUTES: readonly BackendRoute[] = [
  refused('POST', '/api/keys', KEYS),
  refused('GET', '/api/keys', KEYS),
  refused('POST', '/api/keys/media', KEYS),
  refused('POST', '/api/keys/control', KEYS),
  refused('PUT', '/api/keys/{id}', KEYS),
  refused('DELETE', '/api/keys/{id}', KEYS),
  refused('GET', '/ping', 'the engine has GET /livez'),
  refused('GET', '/health', 'the engine has GET /readyz'),
  refused('GET', '/api/server/version', HOST),
  refused('GET', '/api/server/environment', "shows the backend's own key"),
  refused('GET', '/api/server/status', HOST),
  refused('POST', '/api/server/stop', HOST),
  refused('GET', '/api/server/debug/cpu', HOST),
  refused('GET', '/api/server/debug/heapsnapshot', HOST),
  refused('GET', '/api/server/debug/browser/trace/{session}', HOST),
  refused('GET', '/api/version', HOST),
  refused('GET', '/api/apps', APPS),
  refused('POST', '/api/apps', APPS),
  refused('GET', '/api/apps/{id}', APPS),
  refused('PUT', '/api/apps/{id}', APPS),
  refused('DELETE', '/api/apps/{id}', APPS),
  refused('POST', '/mcp', 'speaks for every session of the backend'),
];
