import { change, read, recorded, refused, send } from './row.ts';
import type { BackendRoute } from './row.ts';

const SEEN_ONLY = 'the contact sees it, and it is not a message';

/** Messages, and what belongs to them. */
export const SENDING_ROUTES: readonly BackendRoute[] = [
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
  refused('POST', '/api/sendLinkPreview', 'the backend would fetch an address that the engine has not judged'),
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
