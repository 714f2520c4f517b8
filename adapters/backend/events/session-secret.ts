import { createHmac } from 'node:crypto';
import { DEFAULT_BACKEND } from '../../../domain/backend-server.ts';
import type { SessionPlace } from '../backends.ts';

/**
 * Makes the secret by which the backend signs the events of one session. Whoever reads a session's configuration can
 * then forge no other session's events, and a backend that a session was moved from none of the session as it is now. It
 * is made of the name and of the backend: an event names its session so, and none has to be looked up before its
 * signature is checked.
 */
export function sessionWebhookSecret(secret: string, { backend, name }: SessionPlace): string {
  // A change of the secret restarts the session, so that of a single backend is what it was before there were several.
  const where = backend === DEFAULT_BACKEND ? '' : ` at ${backend}`;
  return createHmac('sha256', secret).update(`webhook of the session ${name}${where}`).digest('base64url');
}
