const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);
/** A file as clients of the backend write it into a body. */
export const FILE = { mimetype: 'image/png', data: PNG.toString('base64') };

/** A chat of the tests. */
export const chat = (n: number): string => `1555018${n}555@c.us`;

/** Calls of backend clients besides the routes that send. */
export const CALLS: { method: string; path: string; body?: object }[] = [
  { method: 'GET', path: '/api/sessions/default' },
  { method: 'GET', path: '/api/sessions/default/me' },
  { method: 'GET', path: '/api/default/profile' },
  { method: 'PUT', path: '/api/default/profile/name', body: { name: 'Shop' } },
  { method: 'PUT', path: '/api/default/profile/status', body: { status: 'Open' } },
  { method: 'GET', path: '/api/default/chats?limit=2' },
  { method: 'POST', path: '/api/default/chats/overview', body: { pagination: { limit: 2 } } },
  { method: 'GET', path: `/api/default/chats/${chat(1)}/messages?limit=1&downloadMedia=false` },
  { method: 'GET', path: `/api/messages?session=default&chatId=${chat(1)}&limit=1` },
  { method: 'POST', path: `/api/default/chats/${chat(1)}/archive` },
  { method: 'POST', path: '/api/sendSeen', body: { session: 'default', chatId: chat(1) } },
  { method: 'POST', path: '/api/startTyping', body: { session: 'default', chatId: chat(1) } },
  { method: 'POST', path: '/api/stopTyping', body: { session: 'default', chatId: chat(1) } },
  { method: 'GET', path: '/api/default/groups' },
  { method: 'POST', path: '/api/default/groups', body: { name: 'Us', participants: [{ id: chat(1) }] } },
  { method: 'PUT', path: '/api/default/groups/120363000000000000@g.us/subject', body: { subject: 'All' } },
  { method: 'GET', path: '/api/default/channels' },
  { method: 'GET', path: '/api/default/channels/1@newsletter/messages/preview?limit=1' },
  { method: 'GET', path: '/api/default/chats/status@broadcast/messages?limit=1&downloadMedia=false' },
  { method: 'POST', path: '/api/default/channels', body: { name: 'News', picture: FILE } },
  { method: 'POST', path: '/api/default/channels/1@newsletter/follow' },
  { method: 'POST', path: '/api/default/status/text', body: { text: 'Open', backgroundColor: '#38b42f', font: 0 } },
  { method: 'POST', path: '/api/default/status/image', body: { file: FILE, caption: 'Open' } },
  { method: 'GET', path: '/api/default/labels' },
  { method: 'POST', path: '/api/default/labels', body: { name: 'Lead', color: 1 } },
  { method: 'GET', path: '/api/contacts/all?session=default&limit=2' },
  { method: 'GET', path: '/api/contacts/check-exists?phone=15550181555' },
  { method: 'PUT', path: `/api/default/contacts/${chat(1)}`, body: { firstName: 'Ana', lastName: '' } },
  { method: 'GET', path: '/api/default/lids/count' },
  { method: 'GET', path: '/api/default/lids?limit=1' },
  { method: 'GET', path: '/api/default/presence' },
  { method: 'POST', path: '/api/default/presence', body: { presence: 'online' } },
  { method: 'POST', path: `/api/default/presence/${chat(1)}/subscribe` },
  { method: 'GET', path: '/api/default/new-message-id' },
];
