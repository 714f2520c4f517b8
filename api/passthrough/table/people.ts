import { change, read } from './row.ts';
import type { BackendRoute } from './row.ts';

/** Contacts, hidden ids, labels and presence. */
export const PEOPLE_ROUTES: readonly BackendRoute[] = [
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
