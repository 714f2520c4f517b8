import { randomBytes } from 'node:crypto';
import { signWebhook } from '../../activities/webhooks/signature.ts';
import { WebhookSecret } from '../../domain/webhooks/endpoint.ts';
import type { WebhookEvent } from '../../sdk/typescript/src/index.ts';
import { CommandError } from './command-error.ts';
import { httpUrl } from './target.ts';

export interface Receiver {
  url: string;
  secret: string;
}

const TIMEOUT_MS = 15_000;
const SECRET_BYTES = 24;

export function receiverOf(url: string, secret: string | undefined): Receiver {
  if (secret !== undefined && !WebhookSecret.safeParse(secret).success) {
    throw new CommandError('--secret must be whsec_ and base64 of at least 24 bytes, or 32 to 512 characters.');
  }
  return { url: httpUrl(url, '--forward'), secret: secret ?? `whsec_${randomBytes(SECRET_BYTES).toString('base64')}` };
}

/**
 * Posts the event's exact bytes, signed with the receiver's secret as the engine signs. Returns how it went, and never
 * throws.
 */
export async function forward({ url, secret }: Receiver, event: WebhookEvent, attempt: number): Promise<string> {
  if (event.body === undefined) return 'not sent: its body is not kept any more';
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
    const what = response.ok ? '' : ', which the engine would try again';
    return `${response.status} in ${Math.round(performance.now() - startedAt)} ms${what}`;
  } catch (error) {
    const timedOut = error instanceof Error && error.name === 'TimeoutError';
    return timedOut ? `no answer within ${TIMEOUT_MS / 1_000} s` : 'not reached: nothing listens there';
  }
}
