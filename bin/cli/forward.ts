import { randomBytes } from 'node:crypto';
import { signWebhook } from '../../activities/webhooks/signature.ts';
import { WebhookSecret } from '../../domain/webhooks/endpoint.ts';
import type { WebhookEvent } from '../../packages/typescript/src/index.ts';
import { CommandError } from './command-error.ts';
import { guideSecret } from './guide-secret.ts';
import type { Home } from './home.ts';
import { httpUrl } from './target.ts';

export interface Receiver {
  url: string;
  secret: string;
  /** Says with what requests are signed; null where the caller has given the secret. */
  note: string | null;
}

export interface Forwarded {
  /** Whether the receiver has taken the event. */
  isTaken: boolean;
  /** The result, for people. */
  text: string;
}

const TIMEOUT_MS = 15_000;
const SECRET_BYTES = 24;

/** Signs with the given secret, else with that of the guides where an engine runs here, else with one made for this run. */
export async function receiverOf(given: string, secret: string | undefined, home: Home): Promise<Receiver> {
  const url = httpUrl(given, '--forward');
  if (secret !== undefined) {
    if (WebhookSecret.safeParse(secret).success) return { url, secret, note: null };
    throw new CommandError('--secret must be whsec_ and base64 of at least 24 bytes, or 32 to 512 characters.');
  }
  if (home.running !== null) {
    return { url, secret: await guideSecret(home.config), note: 'Signed with the SECRET of "./engine env".' };
  }
  const made = `whsec_${randomBytes(SECRET_BYTES).toString('base64')}`;
  return { url, secret: made, note: `Signed with ${made}` };
}

/**
 * Posts the event's exact bytes, signed with the receiver's secret as the engine signs. Returns how it went, and never
 * throws.
 */
export async function forward({ url, secret }: Receiver, event: WebhookEvent, attempt: number): Promise<Forwarded> {
  if (event.body === undefined) return { isTaken: false, text: 'not sent: its body is no longer kept' };
  const body = Buffer.from(event.body, 'utf8');
  const startedAt = performance.now();
  try {
    const response = await fetch(url, {
      method: 'POST',
      redirect: 'manual',
      signal: AbortSignal.timeout(TIMEOUT_MS),
      headers: {
        'content-type': 'application/json',
        'webhook-attempt': String(attempt),
        ...signWebhook([secret], { eventId: event.id, timestamp: Math.floor(Date.now() / 1_000), body }),
      },
      body,
    });
    await response.body?.cancel();
    const took = `${response.status} in ${Math.round(performance.now() - startedAt)} ms`;
    return { isTaken: response.ok, text: `${took}${response.ok ? '' : whatOf(response.status)}` };
  } catch (error) {
    const timedOut = error instanceof Error && error.name === 'TimeoutError';
    const text = timedOut ? `no response within ${TIMEOUT_MS / 1_000} s` : 'not reached: nothing listens there';
    return { isTaken: false, text };
  }
}

function whatOf(status: number): string {
  const isRefused = status === 401 || status === 403;
  return `, which the engine would retry${isRefused ? '. Does your program know another secret? Give that one with --secret' : ''}`;
}
