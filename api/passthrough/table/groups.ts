import { change, read } from './row.ts';
import type { BackendRoute } from './row.ts';

/** Groups that the account is in or makes. */
export const GROUP_ROUTES: readonly BackendRoute[] = [
  change('POST', '/api/{session}/groups'),
  read('/api/{session}/groups', ['sortBy', 'sortOrder', 'limit', 'offset', 'exclude']),
  read('/api/{session}/groups/join-info', ['code']),
  change('POST', '/api/{session}/groups/join'),
  read('/api/{session}/groups/count'),
  change('POST', '/api/{session}/groups/refresh'),
  read('/api/{session}/groups/{id}'),
  change('DELETE', '/api/{session}/groups/{id}'),
  change('POST', '/api/{session}/groups/{id}/leave'),
  read('/api/{session}/groups/{id}/picture', ['refresh']),
  change('PUT', '/api/{session}/groups/{id}/picture', undefined, { files: ['file'] }),
  change('DELETE', '/api/{session}/groups/{id}/picture'),
  change('PUT', '/api/{session}/groups/{id}/description'),
  change('PUT', '/api/{session}/groups/{id}/subject'),
  change('PUT', '/api/{session}/groups/{id}/settings/security/info-admin-only'),
  read('/api/{session}/groups/{id}/settings/security/info-admin-only'),
  change('PUT', '/api/{session}/groups/{id}/settings/security/messages-admin-only'),
  read('/api/{session}/groups/{id}/settings/security/messages-admin-only'),
  read('/api/{session}/groups/{id}/invite-code'),
  change('POST', '/api/{session}/groups/{id}/invite-code/revoke'),
  read('/api/{session}/groups/{id}/participants'),
  read('/api/{session}/groups/{id}/participants/v2'),
  change('POST', '/api/{session}/groups/{id}/participants/add'),
  change('POST', '/api/{session}/groups/{id}/participants/remove'),
  change('POST', '/api/{session}/groups/{id}/admin/promote'),
  change('POST', '/api/{session}/groups/{id}/admin/demote'),
];
