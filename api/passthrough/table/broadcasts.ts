import { change, read } from './row.ts';
import type { BackendRoute } from './row.ts';

const STORY = 'a story belongs to no conversation, so the inbox does not show it';

/** Channels and stories, which are in no conversation. */
export const BROADCAST_ROUTES: readonly BackendRoute[] = [
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
