/** One call whose answer is compared with the document. */
export interface Probe {
  method: string;
  /** As the document writes it. */
  route: string;
  /** The same with values; without it the route as it is. */
  path: string;
  body?: object;
  headers?: Record<string, string>;
}

/** The objects of the probes: a session that works, one that shows its QR code, and the content of its phone. */
export interface Facts {
  session: string;
  unlinked: string;
  chatId: string;
  messageId: string;
  groupId: string;
  /** The session's caller made this one and will miss nobody by deleting it. */
  spare: string;
}

const get = (route: string, path: string, headers?: Record<string, string>): Probe => ({
  method: 'GET',
  route,
  path,
  ...(headers ? { headers } : {}),
});
const post = (route: string, path: string, body: object = {}): Probe => ({ method: 'POST', route, path, body });
const put = (route: string, path: string, body: object = {}): Probe => ({ method: 'PUT', route, path, body });
const remove = (route: string, path: string): Probe => ({ method: 'DELETE', route, path });

/** In this order: what changes things comes after what reads them. */
export function probesFor({ session, unlinked, chatId, messageId, groupId, spare }: Facts): Probe[] {
  const json = { accept: 'application/json' };
  const S = '/api/{session}';
  const at = `/api/${session}`;
  const chat = `${at}/chats/${chatId}`;
  return [
    get('/ping', '/ping'),
    get('/health', '/health'),
    get('/api/version', '/api/version'),
    get('/api/server/version', '/api/server/version'),
    get('/api/server/status', '/api/server/status'),
    get('/api/sessions', '/api/sessions?all=true'),
    get('/api/sessions/{session}', `/api/sessions/${session}`),
    get('/api/sessions/{session}/me', `/api/sessions/${session}/me`),
    get('/api/sessions/{session}', `/api/sessions/${unlinked}`),
    get(`${S}/auth/qr`, `/api/${unlinked}/auth/qr`, json),
    get(`${S}/auth/qr`, `/api/${unlinked}/auth/qr?format=raw`, json),
    post(`${S}/auth/request-code`, `/api/${unlinked}/auth/request-code`, { phoneNumber: '15550100300' }),
    get(`${S}/profile`, `${at}/profile`),
    get(`${S}/new-message-id`, `${at}/new-message-id`),
    get(`${S}/chats`, `${at}/chats`),
    get(`${S}/chats/overview`, `${at}/chats/overview`),
    post(`${S}/chats/overview`, `${at}/chats/overview`, { pagination: { limit: 5, offset: 0 } }),
    get(`${S}/chats/{chatId}/picture`, `${chat}/picture`),
    get(`${S}/chats/{chatId}/messages`, `${chat}/messages?limit=20`),
    get(`${S}/chats/{chatId}/messages`, `${at}/chats/all/messages?limit=100`),
    get(`${S}/chats/{chatId}/messages`, `${at}/chats/${groupId}/messages?limit=5`),
    get(`${S}/chats/{chatId}/messages/{messageId}`, `${chat}/messages/${messageId}`),
    get('/api/contacts/all', `/api/contacts/all?session=${session}`),
    get('/api/contacts', `/api/contacts?session=${session}&contactId=${chatId}`),
    get('/api/contacts/check-exists', `/api/contacts/check-exists?session=${session}&phone=15550100300`),
    get('/api/contacts/check-exists', `/api/contacts/check-exists?session=${session}&phone=15550100010`),
    get('/api/contacts/profile-picture', `/api/contacts/profile-picture?session=${session}&contactId=${chatId}`),
    get(`${S}/contacts/{id}`, `${at}/contacts/${chatId}`),
    get(`${S}/labels`, `${at}/labels`),
    get(`${S}/labels/chats/{chatId}`, `${at}/labels/chats/${chatId}`),
    get(`${S}/labels/{labelId}/chats`, `${at}/labels/1/chats`),
    get(`${S}/lids`, `${at}/lids`),
    get(`${S}/lids/count`, `${at}/lids/count`),
    get(`${S}/lids/pn/{phoneNumber}`, `${at}/lids/pn/15550100300`),
    get(`${S}/groups`, `${at}/groups`),
    get(`${S}/groups/count`, `${at}/groups/count`),
    get(`${S}/groups/{id}/participants/v2`, `${at}/groups/${groupId}/participants/v2`),
    post(`${S}/groups/refresh`, `${at}/groups/refresh`),
    post(`${S}/labels`, `${at}/labels`, { name: 'Asked', color: 3 }),
    put(`${S}/labels/{labelId}`, `${at}/labels/4`, { name: 'Asked twice', color: 2 }),
    put(`${S}/labels/chats/{chatId}`, `${at}/labels/chats/${chatId}`, { labels: [{ id: '4' }] }),
    remove(`${S}/labels/{labelId}`, `${at}/labels/4`),
    put(`${S}/profile/name`, `${at}/profile/name`, { name: 'Probed' }),
    put(`${S}/profile/status`, `${at}/profile/status`, { status: 'Probed' }),
    put(`${S}/profile/picture`, `${at}/profile/picture`, { file: { mimetype: 'image/png', data: 'iVBORw0KGgo=' } }),
    remove(`${S}/profile/picture`, `${at}/profile/picture`),
    post('/api/sendSeen', '/api/sendSeen', { session, chatId }),
    post('/api/startTyping', '/api/startTyping', { session, chatId }),
    post('/api/stopTyping', '/api/stopTyping', { session, chatId }),
    post(`${S}/chats/{chatId}/messages/read`, `${chat}/messages/read`),
    post(`${S}/chats/{chatId}/archive`, `${chat}/archive`),
    put('/api/reaction', '/api/reaction', { session, messageId: `true_${chatId}_${messageId}`, reaction: '👍' }),
    put(`${S}/chats/{chatId}/messages/{messageId}`, `${chat}/messages/${messageId}`, { text: 'Edited' }),
    post('/api/sessions', '/api/sessions', { name: spare, start: false }),
    put('/api/sessions/{session}', `/api/sessions/${spare}`, { config: { metadata: { asked: 'yes' } } }),
    post('/api/sessions/{session}/start', `/api/sessions/${spare}/start`),
    post('/api/sessions/{session}/restart', `/api/sessions/${spare}/restart`),
    post('/api/sessions/{session}/logout', `/api/sessions/${spare}/logout`),
    post('/api/sessions/{session}/stop', `/api/sessions/${spare}/stop`),
    remove('/api/sessions/{session}', `/api/sessions/${spare}`),
  ];
}
