import type { ApiDeps } from '../../../api/deps.ts';
import type { Route } from '../../../api/route/route.ts';

/** The objects of a tenant that a request can name. */
export interface Objects {
  sessionId: string;
  sessionName: string;
  contactId: string;
  conversationId: string;
  /** A message that waits for its time. */
  messageId: string;
  turnId: string;
  memoryId: string;
  noteId: string;
  rehearsalId: string;
  erasureId: string;
  exportId: string;
  executionId: string;
  workflowId: string;
  keyId: string;
  /** A link into the console. */
  linkId: string;
  /** A login to the console. */
  loginId: string;
  /** An event stream that a key of the tenant has open. */
  streamId: string;
  uploadId: string;
  /** The id by which a send names the uploaded file. */
  fileId: string;
  endpointId: string;
  /** One that gets the events of its session alone. */
  sessionEndpointId: string;
  eventId: string;
  deliveryId: string;
}

/** A request that names one of them. A parameter of the path that is called as the object is has it already. */
interface Naming {
  /** The `:id` of the path. */
  id?: string;
  /** Other parameters of the path. */
  in?: Record<string, string>;
  query?: Record<string, string>;
  body?: object;
  /** It only narrows a list: what nobody has leaves the list empty. */
  filters?: true;
}

/** The ids of each door, with their places. */
type Doors = Record<string, (of: Objects) => Naming>;

export const TEXT = 'not for you';
/** A file of others is a field that is wrong, and not an object that is missing. */
export const UPLOADED_FILE = 'an uploaded file';
const BUTTONS = [{ type: 'reply', id: 'yes', text: 'Yes' }];
const LIST = {
  title: 'Menu',
  button: 'Open',
  sections: [{ title: 'Food', rows: [{ title: 'Soup', rowId: 's' }] }],
};
/** The beginning of a PNG. */
const PIXEL = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJ';
const FACT = { fact: TEXT, category: 'context', source: 'manual' };
const UNLABELLED = { chatId: '15550100700@c.us', labelIds: [] };
/** The smallest definition. */
export const WORKFLOW = {
  document: { dsl: '1.0.0', namespace: 'shop', name: 'greeting', version: '1.0.0' },
  evaluate: { language: 'cel' },
  do: [{ greet: { call: 'send', with: { text: TEXT } } }],
};
const SINCE = { since: '2026-01-01T00:00:00Z' };
const RUN_FOR_CONTACT = { automation: 'ask-satisfaction', to: '15550100700' };

const itself = (body: object = {}): Doors => ({ itself: () => ({ body }) });
const endpoint = (body: object = {}): Doors => ({ itself: ({ endpointId }) => ({ id: endpointId, body }) });
const workflow = (body: object = {}): Doors => ({ itself: ({ workflowId }) => ({ id: workflowId, body }) });
const delivery: Doors = { itself: ({ deliveryId }) => ({ id: deliveryId }) };
const exported: Doors = { itself: ({ exportId }) => ({ id: exportId }) };
const session: Doors = {
  'by its id': ({ sessionId }) => ({ id: sessionId }),
  'by its name': ({ sessionName }) => ({ id: sessionName }),
};
/** The spec's paths that begin with the session. */
const inPath = (body: object): Doors => ({
  'by its id': ({ sessionId }) => ({ in: { session: sessionId }, body }),
  'by its name': ({ sessionName }) => ({ in: { session: sessionName }, body }),
});
const ofSession: Doors = { 'by its id': ({ sessionId }) => ({ query: { session: sessionId } }) };

const ofNamedSession: Doors = {
  'by its id': ({ sessionId }) => ({ body: { session: sessionId } }),
  'by its name': ({ sessionName }) => ({ body: { session: sessionName } }),
};
const asked: Doors = {
  'by its id': ({ sessionId }) => ({ id: sessionId, body: { actor: 'ann', reason: TEXT } }),
  'by its name': ({ sessionName }) => ({ id: sessionName, body: { actor: 'ann', reason: TEXT } }),
};

/** An account that a request to the backend names. */
function ofPassed(): Doors {
  return {
    'by its id': ({ sessionId }) => ({ query: { session: sessionId } }),
    'by its name': ({ sessionName }) => ({ query: { session: sessionName } }),
  };
}

/** Every way to send takes a recipient and a session. */
const sending = (content: object, sessionField = 'session'): Doors => ({
  'a contact by `to`': ({ contactId }) => ({ body: { ...content, to: contactId } }),
  'a contact': ({ contactId }) => ({ body: { ...content, contactId } }),
  'a conversation': ({ conversationId }) => ({ body: { ...content, conversationId } }),
  'a session id': ({ sessionId }) => ({ body: { ...content, to: '15550100700', [sessionField]: sessionId } }),
  'a session name': ({ sessionName }) => ({ body: { ...content, to: '15550100700', [sessionField]: sessionName } }),
});

/** Every way to name an object of a tenant, by the route. */
export const DOORS: Readonly<Record<string, Doors>> = {
  'POST /api/v1/messages/send': {
    ...sending({ text: TEXT }),
    [UPLOADED_FILE]: ({ fileId }) => ({ body: { to: '15550100700', attachments: [{ kind: 'document', fileId }] } }),
  },
  'POST /api/v1/media/send': sending({ url: 'https://files.test/a.png', kind: 'image', caption: TEXT }, 'id'),
  'POST /api/v1/sendButtons': sending({ body: TEXT, buttons: BUTTONS }),
  'POST /api/v1/sendList': sending({ message: { ...LIST, description: TEXT } }),
  'GET /api/v1/messages': {
    'a session': ({ sessionId }) => ({ query: { session: sessionId } }),
    'a conversation': ({ conversationId }) => ({ query: { conversationId }, filters: true }),
  },
  'GET /api/v1/messages/search': {
    'a session': ({ sessionId }) => ({ query: { q: TEXT, session: sessionId } }),
    'a conversation': ({ conversationId }) => ({ query: { q: TEXT, conversationId } }),
    'a contact': ({ contactId }) => ({ query: { q: TEXT, contactId } }),
  },
  'PATCH /api/v1/messages/:messageId': itself({ text: TEXT }),
  'POST /api/v1/messages/:messageId/cancel': itself(),
  'GET /api/v1/inbox/messages/:messageId/status': itself(),
  'POST /api/v1/inbox/messages/:messageId/resend': itself(),
  'POST /api/v1/inbox/messages/:messageId/resolve': itself({ outcome: 'failed', actor: 'ann', reason: TEXT }),
  'POST /api/v1/inbox/messages/:messageId/edit': itself({ text: TEXT }),
  'POST /api/v1/inbox/messages/:messageId/revoke': itself(),
  'POST /api/v1/inbox/messages/:messageId/reaction': itself({ emoji: '👍' }),
  'GET /api/v1/inbox/messages/:messageId/actions': itself(),
  'GET /api/v1/inbox/chats': ofSession,
  'GET /api/v1/inbox/conversations/:conversationId/messages': {
    ...itself(),
    'a message as its place': ({ messageId }) => ({ query: { around: messageId } }),
  },
  'POST /api/v1/inbox/conversations/:conversationId/messages': itself({ content: TEXT }),
  'GET /api/v1/inbox/conversations/:conversationId/plan': itself(),
  'POST /api/v1/contacts/:contactId/unmerge': itself(),
  'POST /api/v1/contacts/:contactId/erase': itself(),
  'GET /api/v1/erasures/:id': { itself: ({ erasureId }) => ({ id: erasureId }) },
  'GET /api/v1/tenants/:tenantId/exports/:id': exported,
  'GET /api/v1/tenants/:tenantId/exports/:id/file': exported,
  'DELETE /api/v1/tenants/:tenantId/exports/:id': exported,
  'GET /api/v1/automation-executions': {
    'a conversation': ({ conversationId }) => ({ query: { conversationId }, filters: true }),
  },
  'GET /api/v1/executions': {
    'a conversation': ({ conversationId }) => ({ query: { conversationId }, filters: true }),
  },
  'GET /api/v1/automation-executions/:id': { itself: ({ executionId }) => ({ id: executionId }) },
  'POST /api/v1/automation-executions/:id/cancel': { itself: ({ executionId }) => ({ id: executionId }) },
  'POST /api/v1/automation-executions/:id/skip-wait': { itself: ({ executionId }) => ({ id: executionId }) },
  'POST /api/v1/automation-executions/:id/hand-over': { itself: ({ executionId }) => ({ id: executionId }) },
  'POST /api/v1/automation-executions/:id/retry': { itself: ({ executionId }) => ({ id: executionId }) },
  'POST /api/v1/automations/:automation/dry-run': {
    'a conversation': ({ conversationId }) => ({ in: { automation: 'ask-satisfaction' }, body: { conversationId } }),
  },
  'GET /api/v1/workflows/:id': workflow(),
  'PUT /api/v1/workflows/:id': workflow({ definition: WORKFLOW }),
  'DELETE /api/v1/workflows/:id': workflow(),
  'POST /api/v1/workflows/:id/copy': workflow(),
  'POST /api/v1/automation-executions': {
    'a conversation': ({ conversationId }) => ({ body: { automation: 'ask-satisfaction', conversationId } }),
    'a session id': ({ sessionId }) => ({ body: { ...RUN_FOR_CONTACT, session: sessionId } }),
    'a session name': ({ sessionName }) => ({ body: { ...RUN_FOR_CONTACT, session: sessionName } }),
  },
  'POST /api/v1/conversations/:conversationId/assign': itself(),
  'POST /api/v1/conversations/:conversationId/release': itself(),
  'GET /api/v1/conversations/:conversationId': itself(),
  'GET /api/v1/conversations/:conversationId/participants': itself(),
  'GET /api/v1/conversations/:conversationId/viewers': itself(),
  'PUT /api/v1/conversations/:conversationId/viewers': itself({ viewerId: 'a', state: 'reading' }),
  'POST /api/v1/conversations/:conversationId/read': itself(),
  'GET /api/v1/conversations/:conversationId/turns': itself(),
  'GET /api/v1/conversations/:conversationId/turns/:turnId': itself(),
  'POST /api/v1/ai/inbox-context': { 'a conversation': ({ conversationId }) => ({ body: { conversationId } }) },
  'POST /api/v1/ai/rehearse': { 'a conversation': ({ conversationId }) => ({ body: { conversationId } }) },
  'GET /api/v1/ai/rehearsals/:id': { itself: ({ rehearsalId }) => ({ id: rehearsalId }) },
  'GET /api/v1/memories': { 'a contact': ({ contactId }) => ({ query: { contactId }, filters: true }) },
  'POST /api/v1/memories': {
    'a contact': ({ contactId }) => ({ body: { ...FACT, contactId } }),
    'a message as its evidence': ({ messageId }) => ({ body: { ...FACT, evidenceMessageId: messageId } }),
    'a fact that it replaces': ({ memoryId }) => ({ body: { ...FACT, supersedes: memoryId } }),
  },
  'GET /api/v1/notes': { 'a contact': ({ contactId }) => ({ query: { contactId }, filters: true }) },
  'POST /api/v1/notes': {
    'a contact': ({ contactId }) => ({ body: { text: TEXT, contactId } }),
    'a conversation': ({ conversationId }) => ({ body: { text: TEXT, conversationId } }),
  },
  'PATCH /api/v1/notes/:id': { itself: ({ noteId }) => ({ id: noteId, body: { text: TEXT } }) },
  'DELETE /api/v1/notes/:id': { itself: ({ noteId }) => ({ id: noteId }) },
  'DELETE /api/v1/memories/:id': { itself: ({ memoryId }) => ({ id: memoryId }) },
  'GET /api/v1/sessions/status': ofSession,
  'GET /api/v1/sessions/me': ofSession,
  'GET /api/v1/sessions/:id': session,
  'PATCH /api/v1/sessions/:id': {
    'by its id': ({ sessionId }) => ({ id: sessionId, body: { default: true } }),
    'by its name': ({ sessionName }) => ({ id: sessionName, body: { default: true } }),
  },
  'GET /api/v1/sessions/:id/qr': session,
  'POST /api/v1/sessions/:id/pairing-code': {
    'by its id': ({ sessionId }) => ({ id: sessionId, body: { phone: '+15550100700' } }),
    'by its name': ({ sessionName }) => ({ id: sessionName, body: { phone: '+15550100700' } }),
  },
  'POST /api/v1/sessions/:id/connect-link': session,
  'GET /api/v1/sessions/:id/connect-link': session,
  'DELETE /api/v1/sessions/:id/connect-link': session,
  'GET /api/v1/sessions/:id/capabilities': session,
  'GET /api/v1/sessions/:id/gaps': session,
  'GET /api/v1/sessions/me/profile': ofSession,
  'GET /api/v1/sessions/:id/profile': session,
  'PUT /api/v1/sessions/:id/profile/picture': {
    'by its id': ({ sessionId }) => ({ id: sessionId, body: { data: PIXEL } }),
    'by its name': ({ sessionName }) => ({ id: sessionName, body: { data: PIXEL } }),
  },
  'DELETE /api/v1/sessions/:id/profile/picture': session,
  'POST /api/v1/:session/profile/name': inPath({ name: TEXT }),
  'POST /api/v1/:session/profile/about': inPath({ about: TEXT }),
  'GET /api/v1/sessions/:id/labels': session,
  'POST /api/v1/sessions/:id/labels/set': {
    'by its id': ({ sessionId }) => ({ id: sessionId, body: UNLABELLED }),
    'by its name': ({ sessionName }) => ({ id: sessionName, body: UNLABELLED }),
  },
  'POST /api/v1/api-keys': {
    'a session': ({ sessionId }) => ({ body: { name: TEXT, sessionId } }),
    'a contact': ({ contactId }) => ({ body: { name: TEXT, defaultRecipient: contactId } }),
  },
  'POST /api/v1/console/links': {
    'a session': ({ sessionId }) => ({ body: { name: TEXT, sessionId } }),
    'an endpoint': ({ endpointId }) => ({ body: { name: TEXT, endpointId } }),
  },
  'DELETE /api/v1/console/links/:id': { itself: ({ linkId }) => ({ id: linkId }) },
  'GET /api/v1/console/logins': { 'a key': ({ keyId }) => ({ query: { keyId }, filters: true }) },
  'DELETE /api/v1/console/logins/:id': { itself: ({ loginId }) => ({ id: loginId }) },
  'GET /api/v1/events/streams': { 'a key': ({ keyId }) => ({ query: { keyId }, filters: true }) },
  'DELETE /api/v1/events/streams/:id': { itself: ({ streamId }) => ({ id: streamId }) },
  'DELETE /api/v1/files/:id': { itself: ({ uploadId }) => ({ id: uploadId }) },
  'PUT /api/v1/tenants/:tenantId/settings': {
    'a contact': ({ contactId }) => ({ body: { defaultRecipient: contactId } }),
  },
  'GET /api/v1/sessions/:id/contacts': session,
  'GET /api/v1/sessions/contacts': ofSession,
  'PUT /api/v1/opt-outs/:ref': { itself: ({ contactId }) => ({ in: { ref: contactId }, body: {} }) },
  'DELETE /api/v1/opt-outs/:ref': { itself: ({ contactId }) => ({ in: { ref: contactId } }) },
  'GET /api/v1/contacts/:ref': {
    itself: ({ contactId }) => ({ in: { ref: contactId } }),
    'a session': ({ contactId, sessionId }) => ({ in: { ref: contactId }, query: { session: sessionId } }),
  },
  'POST /api/v1/:session/block': inPath({ chatId: '15550100701' }),
  'POST /api/v1/:session/unblock': inPath({ chatId: '15550100701' }),
  'POST /api/v1/:session/syncContacts': inPath({}),
  'POST /api/v1/sessions/restart': ofNamedSession,
  'POST /api/v1/sessions/logout': ofNamedSession,
  'POST /api/v1/sessions/:id/start': asked,
  'POST /api/v1/sessions/:id/stop': asked,
  'POST /api/v1/sessions/:id/restart': asked,
  'POST /api/v1/sessions/:id/logout': asked,
  'GET /api/v1/sessions/:id/sync': session,
  'POST /api/v1/sessions/:id/sync': {
    ...asked,
    'with a conversation': ({ sessionId, conversationId }) => ({ id: sessionId, body: { conversationId } }),
  },
  'POST /api/v1/sessions/:id/sync/stop': asked,
  // Its owner can delete it once.
  'DELETE /api/v1/sessions/:id': { itself: ({ sessionId }) => ({ id: sessionId }) },
  'POST /api/v1/api-keys/:id/rotate': { itself: ({ keyId }) => ({ id: keyId, body: { overlapSeconds: 60 } }) },
  'DELETE /api/v1/api-keys/:id': { itself: ({ keyId }) => ({ id: keyId }) },
  'GET /api/v1/webhooks/endpoints/:id': endpoint(),
  'GET /api/v1/webhooks/endpoints/:id/statistics': endpoint(),
  'PATCH /api/v1/webhooks/endpoints/:id': endpoint({ description: TEXT }),
  'DELETE /api/v1/webhooks/endpoints/:id': endpoint(),
  'POST /api/v1/webhooks/endpoints/:id/rotate-secret': endpoint(),
  'POST /api/v1/webhooks/endpoints/:id/pause': endpoint(),
  'POST /api/v1/webhooks/endpoints/:id/resume': endpoint(),
  'POST /api/v1/webhooks/endpoints/:id/test': endpoint(),
  'POST /api/v1/webhooks/endpoints/:id/recover': endpoint(SINCE),
  'POST /api/v1/webhooks/endpoints/:id/replay': endpoint(SINCE),
  'PUT /api/v1/sessions/:id/webhooks': {
    'by its id': ({ sessionId }) => ({ id: sessionId, body: { url: 'http://127.0.0.1:9/door' } }),
    'by its name': ({ sessionName }) => ({ id: sessionName, body: { url: 'http://127.0.0.1:9/door' } }),
  },
  'GET /api/v1/sessions/:id/webhooks': session,
  'DELETE /api/v1/sessions/:id/webhooks/:endpointId': {
    itself: ({ sessionId, sessionEndpointId }) => ({ id: sessionId, in: { endpointId: sessionEndpointId } }),
  },
  'GET /api/v1/webhooks/events': { 'a session': ({ sessionId }) => ({ query: { sessionId }, filters: true }) },
  'GET /api/v1/events/stream': {
    'a session': ({ sessionId }) => ({ query: { sessionId, after: 'start' }, filters: true }),
  },
  'GET /api/v1/passthrough/requests': { 'a session': ({ sessionId }) => ({ query: { sessionId }, filters: true }) },
  'GET /api/v1/webhooks/events/:id': { itself: ({ eventId }) => ({ id: eventId }) },
  'POST /api/v1/webhooks/events/:id/resend': { itself: ({ eventId }) => ({ id: eventId }) },
  'GET /api/v1/webhooks/deliveries': {
    'an endpoint': ({ endpointId }) => ({ query: { endpointId }, filters: true }),
    'an event': ({ eventId }) => ({ query: { eventId }, filters: true }),
  },
  'GET /api/v1/webhooks/deliveries/:id': delivery,
  'POST /api/v1/webhooks/deliveries/:id/resend': delivery,
  'POST /api/v1/webhooks/deliveries/:id/cancel': delivery,
  'GET /api/v1/webhooks/attempts': {
    'an endpoint': ({ endpointId }) => ({ query: { endpointId }, filters: true }),
    'a delivery': ({ deliveryId }) => ({ query: { deliveryId }, filters: true }),
    'an event': ({ eventId }) => ({ query: { eventId }, filters: true }),
  },
};

/** Requests that are passed on to the backend: who may name which account is settled before. */
const PASSED_ON: Readonly<Record<string, Doors>> = {
  'GET /api/v1/contacts/all': ofPassed(),
  'GET /api/v1/:session/chats': {
    'by its id': ({ sessionId }) => ({ in: { session: sessionId } }),
    'by its name': ({ sessionName }) => ({ in: { session: sessionName } }),
  },
  // Routes of a newer backend, which no table knows.
  'GET /api/v1/sessions/:session/capping': {
    'by its id': ({ sessionId }) => ({ in: { session: sessionId } }),
    'by its name': ({ sessionName }) => ({ in: { session: sessionName } }),
  },
  'GET /api/:session/newsletters/of/me': {
    'by its id': ({ sessionId }) => ({ in: { session: sessionId } }),
    'by its name': ({ sessionName }) => ({ in: { session: sessionName } }),
  },
  'GET /api/v1/newsletters': ofPassed(),
  // The first word is nobody's session.
  'GET /api/novelties/list': ofPassed(),
  'POST /api/v1/novelties/list': {
    'by its id': ({ sessionId }) => ({ body: { session: sessionId, text: TEXT } }),
    'by its name': ({ sessionName }) => ({ body: { session: sessionName, text: TEXT } }),
  },
  'GET /api/contacts/:session/wealth': {
    'by its id': ({ sessionId }) => ({ in: { session: sessionId } }),
    'by its name': ({ sessionName }) => ({ in: { session: sessionName } }),
  },
  'POST /api/v1/sendPoem': {
    'by its id': ({ sessionId }) => ({ body: { session: sessionId, chatId: '15550100700@c.us', text: TEXT } }),
    'by its name': ({ sessionName }) => ({ body: { session: sessionName, chatId: '15550100700@c.us', text: TEXT } }),
  },
  'PUT /api/v1/poems': {
    'by its id': ({ sessionId }) => ({ body: { session: sessionId, text: TEXT } }),
    'by its name': ({ sessionName }) => ({ body: { session: sessionName, text: TEXT } }),
  },
  // Methods that the table lacks on a path that it knows.
  'POST /api/v1/:session/chats': {
    'by its id': ({ sessionId }) => ({ in: { session: sessionId }, body: { text: TEXT } }),
    'by its name': ({ sessionName }) => ({ in: { session: sessionName }, body: { text: TEXT } }),
  },
  'PUT /api/contacts/all': {
    'by its id': ({ sessionId }) => ({ body: { session: sessionId, text: TEXT } }),
    'by its name': ({ sessionName }) => ({ body: { session: sessionName, text: TEXT } }),
  },
  'PUT /api/:session/poems/7': {
    'by its id': ({ sessionId }) => ({ in: { session: sessionId }, body: { text: TEXT } }),
    'by its name': ({ sessionName }) => ({ in: { session: sessionName }, body: { text: TEXT } }),
  },
  'DELETE /api/v1/poems': ofPassed(),
  'DELETE /api/:session/poems/7': {
    'by its id': ({ sessionId }) => ({ in: { session: sessionId } }),
    'by its name': ({ sessionName }) => ({ in: { session: sessionName } }),
  },
  // Reads of a path that the table knows by another method.
  'GET /api/:session/chats/15550100700@c.us/archive': {
    'by its id': ({ sessionId }) => ({ in: { session: sessionId } }),
    'by its name': ({ sessionName }) => ({ in: { session: sessionName } }),
  },
  'GET /api/v1/startTyping': ofPassed(),
  'POST /api/v1/sendText': {
    'by its id': ({ sessionId }) => ({ body: { session: sessionId, chatId: '15550100700@c.us', text: TEXT } }),
    'by its name': ({ sessionName }) => ({ body: { session: sessionName, chatId: '15550100700@c.us', text: TEXT } }),
  },
};

const METHODS = ['GET', 'POST', 'PUT', 'DELETE'] as const;

export const PASSED_ON_ROUTES: readonly Entrance[] = Object.keys(PASSED_ON).map((name) => {
  const [given = '', path = ''] = name.split(' ');
  const method = METHODS.find((each) => each === given) ?? 'GET';
  return { method, path, auth: 'tenant', scope: 'passthrough' };
});

/** The doors of a route, our own or the backend's. */
export const doorsOf = (route: Entrance): Doors => DOORS[nameOf(route)] ?? PASSED_ON[nameOf(route)] ?? {};

export type Entrance = Pick<Route<ApiDeps>, 'method' | 'path' | 'auth' | 'scope'>;

export const nameOf = ({ method, path }: Entrance): string => `${method} ${path}`;

/** The routes that a tenant's or an agency's key opens; all others are the operator's, or take no key. */
export const opensToTenants = ({ auth }: Entrance): boolean => ['tenant', 'client', 'agency'].includes(auth);
