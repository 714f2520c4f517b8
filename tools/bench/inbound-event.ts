import { createHmac, randomUUID } from 'node:crypto';
import type { Post } from './load.ts';
import { BACKEND_SECRET } from './machine.ts';

const CONTACTS = 500;
/** The numbers from here on are no magic numbers of the sandbox, so replies to them are ordinary, too. */
const FIRST_NUMBER = 3_001_000;

/** Makes the signed webhook by which the backend tells of an inbound message of one of 500 contacts. */
export function inboundEvent(session: string, index: number, words = `inbound ${index}`): Post {
  const id = randomUUID().replaceAll('-', '').toUpperCase();
  const chatId = `1555${String(FIRST_NUMBER + (index % CONTACTS))}@c.us`;
  const body = JSON.stringify({
    id: `evt_${id.toLowerCase()}`,
    timestamp: Date.now(),
    event: 'message.any',
    session,
    payload: {
      id: `false_${chatId}_${id}`,
      timestamp: Math.floor(Date.now() / 1_000),
      from: chatId,
      fromMe: false,
      source: 'app',
      body: words,
      hasMedia: false,
      _data: { pushName: 'Bench' },
    },
  });
  return {
    path: '/v1/internal/backend/events',
    headers: {
      'content-type': 'application/json',
      'x-webhook-request-id': id,
      'x-webhook-hmac': createHmac('sha512', BACKEND_SECRET).update(body).digest('hex'),
    },
    body,
  };
}
