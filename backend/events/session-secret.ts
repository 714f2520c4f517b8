import { createHmac } from 'node:crypto';

/**
 * Makes the secret by which the backend signs the events of one session. Whoever reads a session's configuration can
 * then forge no other session's events. It is made of the name, because an event names its session so, and none has to
 * be looked up before its signature is checked.
 */
export function sessionWebhookSecret(secret: string, sessionName: string): string {
  return createHmac('sha256', secret).update(`webhook of the session ${sessionName}`).digest('base64url');
}
