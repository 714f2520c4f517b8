import { invalid } from '../../../domain/error.ts';

/** The fields that each route of the backend needs. The backend answers 500 if one is missing. */
const NEEDED: Readonly<Record<string, readonly string[]>> = {
  '/api/sendText': ['chatId', 'text'],
  '/api/reply': ['chatId', 'text'],
  '/api/sendImage': ['chatId', 'file'],
  '/api/sendFile': ['chatId', 'file'],
  '/api/sendVoice': ['chatId', 'file'],
  '/api/sendVideo': ['chatId', 'file'],
  '/api/sendButtons': ['chatId', 'buttons'],
  '/api/sendList': ['chatId', 'message'],
  '/api/sendLocation': ['chatId', 'latitude', 'longitude'],
  '/api/sendContactVcard': ['chatId', 'contacts'],
  '/api/sendPoll': ['chatId', 'poll'],
  '/api/forwardMessage': ['chatId', 'messageId'],
};

/** Refuses a send that lacks what its route needs, instead of passing on a failure of the backend. */
export function requireComplete(path: string, fields: Readonly<Record<string, unknown>>): void {
  const missing = (NEEDED[path] ?? []).filter((name) => (fields[name] ?? '') === '');
  if (missing.length > 0) throw invalid(missing.map((name) => ({ pointer: `/${name}`, message: 'is required' })));
}
