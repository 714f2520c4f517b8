import type { BackendRoute } from './row.ts';
import { change, read, recorded, refused, send } from './row.ts';

const CONNECTS = "connects the session's account";
const ENDS = 'ends what others of the tenant use';
const OWN_ROUTE = "a session's webhooks and settings are the engine's: use POST /api/v1/sessions";
const BY_BODY = 'reads and deletes the session that the body names: use the route with the session in its path';

/** Connecting an account, and the account's own profile. */
const SESSION_ROUTES: readonly BackendRoute[] = [
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

const KEYS = "shows or creates keys of the backend, which open every tenant's account";
const HOST = "all tenants share the backend's server";
const APPS = 'an app of the backend gets the messages of every session that it names';

/** Data of all tenants together. No key opens it here; the operator asks the backend itself. */
const SERVER_ROUTES: readonly BackendRoute[] = [
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

const SEEN_ONLY = 'the contact sees it, and it is not a message';

/** Messages, and what belongs to them. */
const SENDING_ROUTES: readonly BackendRoute[] = [
  { ...send('/api/sendText'), previews: true },
  refused('GET', '/api/sendText', 'any intermediary may repeat a GET: use POST'),
  { ...send('/api/reply'), previews: true },
  send('/api/sendImage', ['file']),
  send('/api/sendFile', ['file']),
  send('/api/sendVoice', ['file']),
  send('/api/sendVideo', ['file']),
  send('/api/sendButtons', ['headerImage']),
  send('/api/sendList'),
  send('/api/sendLocation'),
  send('/api/sendContactVcard'),
  send('/api/sendPoll'),
  send('/api/forwardMessage'),
  recorded('/api/send/link-custom-preview', ['preview.image']),
  refused('POST', '/api/sendLinkPreview', 'the backend would fetch an unchecked address'),
  recorded('/api/send/buttons/reply'),
  { ...recorded('/api/{session}/events'), sessionIn: 'path' },
  change('POST', '/api/sendPollVote', SEEN_ONLY),
  change('POST', '/api/sendSeen', SEEN_ONLY),
  change('POST', '/api/startTyping', SEEN_ONLY),
  change('POST', '/api/stopTyping', SEEN_ONLY),
  change('PUT', '/api/reaction', SEEN_ONLY, { does: 'notes' }),
  change('PUT', '/api/star', SEEN_ONLY),
  read('/api/{session}/new-message-id'),
  change('POST', '/api/{session}/calls/reject', SEEN_ONLY),
  change('POST', '/api/{session}/media/convert/voice', 'converts a file of the caller', { files: [''] }),
  change('POST', '/api/{session}/media/convert/video', 'converts a file of the caller', { files: [''] }),
];

/** Contacts, hidden ids, labels and presence. */
const PEOPLE_ROUTES: readonly BackendRoute[] = [
  read('/api/contacts/all', ['sortBy', 'sortOrder', 'limit', 'offset']),
  read('/api/contacts', ['contactId']),
  read('/api/contacts/check-exists', ['phone']),
  read('/api/checkNumberStatus', ['phone']),
  read('/api/contacts/about', ['contactId']),
  read('/api/contacts/profile-picture', ['contactId', 'refresh']),
  change('POST', '/api/contacts/block'),
  change('POST', '/api/contacts/unblock'),
  read('/api/{session}/contacts/{id}'),
  change('PUT', '/api/{session}/contacts/{chatId}'),

  read('/api/{session}/lids', ['limit', 'offset']),
  read('/api/{session}/lids/count'),
  read('/api/{session}/lids/{lid}'),
  read('/api/{session}/lids/pn/{phoneNumber}'),

  read('/api/{session}/labels'),
  change('POST', '/api/{session}/labels'),
  change('PUT', '/api/{session}/labels/{labelId}'),
  change('DELETE', '/api/{session}/labels/{labelId}'),
  read('/api/{session}/labels/chats/{chatId}'),
  change('PUT', '/api/{session}/labels/chats/{chatId}'),
  read('/api/{session}/labels/{labelId}/chats'),

  change('POST', '/api/{session}/presence'),
  read('/api/{session}/presence'),
  read('/api/{session}/presence/{chatId}'),
  change('POST', '/api/{session}/presence/{chatId}/subscribe'),
];

/** Groups that the account is in or makes. */
const GROUP_ROUTES: readonly BackendRoute[] = [
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

const MESSAGES = [
  'sortBy',
  'sortOrder',
  'downloadMedia',
  'merge',
  'limit',
  'offset',
  'filter.timestamp.lte',
  'filter.timestamp.gte',
  'filter.fromMe',
  'filter.ack',
];

/** Chats and what was said in them. The changes of messages come back as events. */
const CHAT_ROUTES: readonly BackendRoute[] = [
  read('/api/messages', [...MESSAGES, 'chatId']),
  read('/api/{session}/chats', ['sortBy', 'sortOrder', 'merge', 'limit', 'offset']),
  read('/api/{session}/chats/overview', ['merge', 'limit', 'offset', 'ids']),
  change('POST', '/api/{session}/chats/overview', "reads the session's account"),
  change('DELETE', '/api/{session}/chats/{chatId}'),
  read('/api/{session}/chats/{chatId}/picture', ['refresh']),
  read('/api/{session}/chats/{chatId}/messages', MESSAGES),
  change('DELETE', '/api/{session}/chats/{chatId}/messages'),
  change('POST', '/api/{session}/chats/{chatId}/messages/read', undefined, { query: ['messages', 'days'] }),
  read('/api/{session}/chats/{chatId}/messages/{messageId}', ['downloadMedia', 'merge']),
  change('DELETE', '/api/{session}/chats/{chatId}/messages/{messageId}', undefined, { does: 'notes' }),
  change('PUT', '/api/{session}/chats/{chatId}/messages/{messageId}', undefined, { does: 'notes', previews: true }),
  change('POST', '/api/{session}/chats/{chatId}/messages/{messageId}/pin'),
  change('POST', '/api/{session}/chats/{chatId}/messages/{messageId}/unpin'),
  change('POST', '/api/{session}/chats/{chatId}/archive'),
  change('POST', '/api/{session}/chats/{chatId}/unarchive'),
  change('POST', '/api/{session}/chats/{chatId}/unread'),
  read('/api/files/{session}/{name}', [], "a file of the session's account; the backend does not document this route"),
];

const STORY = 'a story belongs to no conversation, so the inbox does not show it';

/** Channels and stories, which are in no conversation. */
const BROADCAST_ROUTES: readonly BackendRoute[] = [
  read('/api/{session}/channels', ['role']),
  change('POST', '/api/{session}/channels', undefined, { files: ['picture'] }),
  change('DELETE', '/api/{session}/channels/{id}'),
  read('/api/{session}/channels/{id}'),
  read('/api/{session}/channels/{id}/messages/preview', ['downloadMedia', 'limit']),
  change('POST', '/api/{session}/channels/{id}/follow'),
  change('POST', '/api/{session}/channels/{id}/unfollow'),
  change('POST', '/api/{session}/channels/{id}/mute'),
  change('POST', '/api/{session}/channels/{id}/unmute'),
  change('POST', '/api/{session}/channels/search/by-view', 'reads what is public'),
  change('POST', '/api/{session}/channels/search/by-text', 'reads what is public'),
  read('/api/{session}/channels/search/views', [], 'reads what is public'),
  read('/api/{session}/channels/search/countries', [], 'reads what is public'),
  read('/api/{session}/channels/search/categories', [], 'reads what is public'),

  change('POST', '/api/{session}/status/text', STORY, { previews: true }),
  change('POST', '/api/{session}/status/image', STORY, { files: ['file'] }),
  change('POST', '/api/{session}/status/voice', STORY, { files: ['file'] }),
  change('POST', '/api/{session}/status/video', STORY, { files: ['file'] }),
  change('POST', '/api/{session}/status/delete', STORY),
  read('/api/{session}/status/new-message-id'),
];

/** Every route of the backend, by subject. A route that is not here is not passed on. */
export const BACKEND_ROUTES: Readonly<Record<string, readonly BackendRoute[]>> = {
  Sending: SENDING_ROUTES,
  Chats: CHAT_ROUTES,
  People: PEOPLE_ROUTES,
  Groups: GROUP_ROUTES,
  'Channels and stories': BROADCAST_ROUTES,
  Sessions: SESSION_ROUTES,
  Server: SERVER_ROUTES,
};
