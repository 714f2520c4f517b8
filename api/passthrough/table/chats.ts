import { change, read } from './row.ts';
import type { BackendRoute } from './row.ts';

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
export const CHAT_ROUTES: readonly BackendRoute[] = [
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
