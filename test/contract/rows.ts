import { z } from 'zod';

/**
 * The rows of the API contract as facts: route, fields, the keys with which it shows the call, and the shape of the
 * answer. They are copied from the API contract, so that a deviation fails here.
 */
export interface Row {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  path: string;
  /** Tells it from other rows of the same route. */
  says?: string;
  /** `scoped`: ids omitted. `dashboard`: agencyId and tenantId where the contract lists them. */
  keys: readonly KeyKind[];
  /** The contract lists agencyId and tenantId: in the body of a request with one, else in the query. */
  listsIds?: true;
  query?: (of: Objects) => Record<string, string>;
  body?: (of: Objects) => Record<string, unknown>;
  /** The answer as far as the contract shows it. */
  answers: z.ZodType;
  /** A good status that the contract allows by saying nothing; all are 2xx. */
  may?: number;
}

export type KeyKind = 'scoped' | 'dashboard' | 'master' | 'psk';

/** The ids that the paths and bodies name. */
export interface Objects {
  agencyId: string;
  session: string;
  chatId: string;
  conversationId: string;
  contactId: string;
  messageId: string;
  memoryId: string;
  fileUrl: string;
}

const Any = z.looseObject({});
const ALL = ['scoped', 'dashboard', 'master'] as const;

const Chat = z.looseObject({
  name: z.string().nullable(),
  picture: z.string().nullable(),
  lastMessage: z.looseObject({ body: z.string(), timestamp: z.int(), fromMe: z.boolean() }).nullable(),
  unreadCount: z.int(),
});
const Message = z.looseObject({
  fromMe: z.boolean(),
  to: z.string(),
  body: z.string(),
  timestamp: z.int(),
  ack: z.int(),
  ackName: z.string(),
  hasMedia: z.boolean(),
});
const SessionStatus = z.looseObject({
  status: z.literal('WORKING'),
  phone: z.string(),
  accountName: z.string(),
  platform: z.string(),
});
const State = z.looseObject({ enabled: z.boolean(), mode: z.enum(['bot_active', 'human_takeover']) });
const Persona = z.looseObject({
  agencyId: z.string(),
  tenantId: z.string(),
  agentName: z.string(),
  modelChoice: z.string(),
  systemPrompt: z.string(),
  fallbackMessage: z.string().nullable(),
  temperature: z.number(),
  maxTokens: z.int(),
  active: z.boolean(),
});
const List = z.looseObject({ items: z.array(Any) });
const Memory = z.looseObject({ id: z.string(), fact: z.string(), category: z.string(), source: z.string() });

/** The file that the contract prints, by its kind. */
const FILES = {
  document: { mimeType: 'text/plain', fileName: 'a.txt', caption: 'A' },
  image: { mimeType: 'image/png', fileName: 'a.png', caption: 'A' },
  audio: { mimeType: 'audio/ogg' },
  video: { mimeType: 'video/mp4', caption: 'A' },
};

const button = { type: 'reply', text: 'Yes', id: 'yes' };
const link = { type: 'url', text: 'Shop', url: 'https://shop.example' };

export const ROWS: readonly Row[] = [
  // Sending
  ...Object.entries(FILES).map(([kind, about]): Row => ({
    method: 'POST',
    path: '/api/v1/messages/send',
    says: `to a contact, with the kind ${kind}`,
    keys: ALL,
    listsIds: true,
    body: ({ contactId, fileUrl }) => ({
      to: contactId,
      text: 'Hello',
      attachments: [{ url: fileUrl, kind, ...about }],
    }),
    answers: Any,
  })),
  {
    method: 'POST',
    path: '/api/v1/messages/send',
    says: 'to a phone number',
    keys: ALL,
    listsIds: true,
    body: () => ({ to: '+1 555 010 0903', text: 'Hello' }),
    answers: Any,
  },
  { method: 'POST', path: '/api/v1/messages/send', keys: ['scoped'], body: () => ({ text: 'Hello' }), answers: Any },
  {
    method: 'POST',
    path: '/api/v1/inbox/conversations/:conversationId/messages',
    keys: ALL,
    listsIds: true,
    body: () => ({ content: 'Hello', attachments: [] }),
    answers: Any,
  },
  {
    method: 'POST',
    path: '/api/v1/sendButtons',
    keys: ALL,
    body: ({ session, chatId }) => ({ session, chatId, header: 'H', body: 'B', footer: 'F', buttons: [button, link] }),
    answers: Any,
  },
  {
    method: 'POST',
    path: '/api/v1/sendButtons',
    keys: ['scoped'],
    body: () => ({ header: 'H', body: 'B', buttons: [button] }),
    answers: Any,
  },
  {
    method: 'POST',
    path: '/api/v1/sendList',
    keys: ALL,
    body: ({ session, chatId }) => ({
      session,
      chatId,
      message: {
        title: 'T',
        description: 'D',
        button: 'B',
        sections: [{ title: 'S', rows: [{ title: 'R', rowId: 'r' }] }],
      },
    }),
    answers: Any,
  },
  {
    method: 'POST',
    path: '/api/v1/media/send',
    keys: ALL,
    body: ({ session, fileUrl }) => ({ id: session, url: fileUrl, kind: 'document', caption: 'C' }),
    answers: Any,
  },
  // Passthrough
  {
    method: 'POST',
    path: '/api/v1/sendText',
    keys: ALL,
    // Another chat: in the first one, messages with files may wait.
    body: ({ session }) => ({ session, chatId: '15550100902@c.us', text: 'By the backend' }),
    answers: Any,
  },
  { method: 'GET', path: '/api/v1/sessions', keys: ['scoped', 'dashboard'], answers: List },
  { method: 'GET', path: '/api/v1/sessions/:session/me', keys: ALL, answers: Any },
  { method: 'GET', path: '/api/v1/:session/chats', keys: ALL, answers: List },
  {
    method: 'PUT',
    path: '/api/v1/:session/profile/status',
    keys: ALL,
    body: () => ({ status: 'Open' }),
    answers: Any,
  },
  { method: 'DELETE', path: '/api/v1/:session/profile/picture', keys: ALL, answers: Any },
  // History
  {
    method: 'GET',
    path: '/api/v1/inbox/chats',
    keys: ALL,
    listsIds: true,
    query: () => ({ limit: '20', offset: '0', pages: '1' }),
    answers: z.looseObject({ chats: z.array(Chat).min(1), total: z.int(), hasMore: z.boolean() }),
  },
  {
    method: 'GET',
    path: '/api/v1/inbox/conversations/:conversationId/messages',
    keys: ALL,
    listsIds: true,
    query: () => ({ limit: '5', offset: '0' }),
    answers: z.looseObject({ messages: z.array(Message).min(1), hasMore: z.boolean() }),
  },
  {
    method: 'GET',
    path: '/api/v1/inbox/messages/:messageId/status',
    keys: ALL,
    listsIds: true,
    answers: z.looseObject({ status: z.string() }),
  },
  // Sessions and profile
  { method: 'GET', path: '/api/v1/sessions/status', keys: ['scoped'], answers: SessionStatus },
  { method: 'GET', path: '/api/v1/status', keys: ALL, answers: Any },
  {
    method: 'GET',
    path: '/api/v1/sessions/me',
    keys: ['scoped'],
    answers: z.looseObject({
      pushname: z.string(),
      platform: z.string(),
      wid: z.looseObject({ server: z.literal('c.us'), user: z.string().regex(/^\d+$/), _serialized: z.string() }),
    }),
  },
  { method: 'GET', path: '/api/v1/sessions/me/profile', keys: ['scoped'], answers: Any },
  { method: 'GET', path: '/api/v1/sessions/:session/profile', keys: ALL, answers: Any },
  { method: 'GET', path: '/api/v1/sessions', keys: ['dashboard', 'master'], listsIds: true, answers: List },
  { method: 'POST', path: '/api/v1/:session/profile/name', keys: ALL, body: () => ({ name: 'Shop' }), answers: Any },
  { method: 'POST', path: '/api/v1/:session/profile/about', keys: ALL, body: () => ({ about: 'Open' }), answers: Any },
  // Contacts and labels
  { method: 'GET', path: '/api/v1/sessions/:session/contacts', keys: ALL, answers: List },
  { method: 'GET', path: '/api/v1/sessions/contacts', keys: ['scoped'], answers: List },
  {
    method: 'POST',
    path: '/api/v1/:session/block',
    keys: ['scoped'],
    body: ({ chatId }) => ({ chatId }),
    answers: Any,
    may: 501,
  },
  {
    method: 'POST',
    path: '/api/v1/:session/unblock',
    keys: ['scoped'],
    body: ({ chatId }) => ({ chatId }),
    answers: Any,
    may: 501,
  },
  { method: 'POST', path: '/api/v1/:session/syncContacts', keys: ALL, answers: Any },
  { method: 'GET', path: '/api/v1/sessions/:session/labels', keys: ALL, answers: Any },
  {
    method: 'POST',
    path: '/api/v1/sessions/:session/labels/set',
    keys: ALL,
    body: ({ chatId }) => ({ labelIds: [], chatId }),
    answers: Any,
  },
  // AI sales agent and memory
  { method: 'POST', path: '/api/v1/ai-sales-agent/state', keys: ALL, listsIds: true, body: () => ({}), answers: State },
  {
    method: 'PUT',
    path: '/api/v1/ai-sales-agent/state',
    keys: ALL,
    listsIds: true,
    body: () => ({ enabled: false, mode: 'bot_active' }),
    answers: State,
  },
  {
    method: 'POST',
    path: '/api/v1/ai-sales-agent/persona',
    keys: ALL,
    listsIds: true,
    body: () => ({}),
    answers: Persona,
  },
  {
    method: 'PUT',
    path: '/api/v1/ai-sales-agent/persona',
    keys: ALL,
    listsIds: true,
    body: () => ({
      agentName: 'Ada',
      modelChoice: 'sandbox-model',
      systemPrompt: 'You sell boats.',
      fallbackMessage: 'One moment.',
      temperature: 0.5,
      maxTokens: 500,
      active: true,
    }),
    answers: Persona,
  },
  {
    method: 'POST',
    path: '/api/v1/ai/inbox-context',
    keys: ALL,
    listsIds: true,
    body: ({ conversationId }) => ({ conversationId }),
    answers: z.looseObject({ systemPrompt: z.string().min(1) }),
  },
  {
    method: 'GET',
    path: '/api/v1/memories',
    keys: ALL,
    query: ({ contactId }) => ({ contactId }),
    answers: z.looseObject({ memories: z.array(Memory) }),
  },
  {
    method: 'POST',
    path: '/api/v1/memories',
    keys: ALL,
    listsIds: true,
    body: () => ({ fact: 'Likes boats', category: 'context', source: 'ai_extracted' }),
    answers: Memory,
  },
  { method: 'POST', path: '/api/v1/conversations/:conversationId/assign', keys: ALL, answers: Any },
  { method: 'DELETE', path: '/api/v1/memories/:memoryId', keys: ['dashboard'], answers: Any },
  // Registry and admin
  {
    method: 'GET',
    path: '/v1/internal/dashboard/config',
    keys: ['psk'],
    query: ({ agencyId }) => ({ agencyId }),
    answers: z.looseObject({ agencyId: z.string(), dashboardName: z.string(), dashboardUrl: z.string() }),
  },
  {
    method: 'PATCH',
    path: '/v1/internal/dashboard/config',
    keys: ['psk'],
    body: ({ agencyId }) => ({ agencyId, dashboardName: 'New name' }),
    answers: z.looseObject({ dashboardName: z.literal('New name') }),
  },
  { method: 'GET', path: '/v1/internal/dashboard/agencies', keys: ['psk'], answers: Any },
  { method: 'GET', path: '/api/v1/admin/dashboards', keys: ['master'], answers: Any },
  { method: 'GET', path: '/api/v1/admin/dashboards/:agencyId', keys: ['master'], answers: Any },
  { method: 'GET', path: '/api/v1/admin/dashboards/:agencyId/sessions', keys: ['master'], answers: Any },
  { method: 'POST', path: '/api/v1/admin/dashboards/:agencyId/suspend', keys: ['master'], answers: Any },
  { method: 'POST', path: '/api/v1/admin/dashboards/:agencyId/activate', keys: ['master'], answers: Any },
  // They affect every other call, so they come last.
  { method: 'POST', path: '/api/v1/sessions/restart', keys: ['scoped'], answers: Any },
  { method: 'POST', path: '/api/v1/sessions/logout', keys: ['scoped'], answers: Any },
];

const Metadata = z.looseObject({ agencyId: z.literal('contract'), tenantId: z.literal('one') });

/** The events of the contract: the envelope, and the payload as far as the contract shows it. */
export const EVENTS = [
  {
    event: 'message',
    envelope: z.looseObject({
      event: z.literal('message'),
      payload: z.looseObject({ body: z.string(), timestamp: z.int(), from: z.string().regex(/^\d+$/) }),
      metadata: Metadata,
    }),
  },
  {
    event: 'message.ack',
    envelope: z.looseObject({
      event: z.literal('message.ack'),
      // The contract does not show the fields, but names the levels and shows 3 with READ.
      payload: z.looseObject({ messageId: z.string(), status: z.string(), ack: z.int(), ackName: z.string() }),
      metadata: Metadata,
    }),
  },
] as const;
