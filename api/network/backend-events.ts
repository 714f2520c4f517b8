import { z } from 'zod';
import { parseBackendEvent } from '../../backend/events/events.ts';
import { verifyBackendSignature } from '../../backend/events/signature.ts';
import { receiveBackendEvent } from '../../db/network/backend-event.ts';
import { EngineError } from '../../domain/error.ts';
import { defineRoute } from '../deps.ts';

/** Events of the backend may hold media inline, so they may be larger than the requests of clients. */
const MAX_EVENT_BYTES = 16 * 1024 * 1024;

export const backendEventRoutes = [
  defineRoute({
    method: 'POST',
    path: '/v1/internal/backend/events',
    auth: 'backend',
    tags: ['Internal'],
    summary: 'Receive an event of the messaging backend',
    description: 'Stores the raw body and answers; it is applied at once afterwards. Signed with HMAC-SHA512.',
    maxBodyBytes: MAX_EVENT_BYTES,
    reply: z.object({ received: z.literal(true) }),
    errors: ['invalid_signature'],
    async handle({ body: rawBody, request }, { database, backendWebhookSecret }) {
      const signatureHex = request.header('x-webhook-hmac');
      if (!verifyBackendSignature({ rawBody, signatureHex, secret: backendWebhookSecret })) {
        throw new EngineError('invalid_signature', 'Sign the raw body with HMAC-SHA512 and the shared secret.');
      }
      const parsed = parseBackendEvent(rawBody);
      const event = parsed.outcome === 'parsed' ? parsed.event : null;
      await database.statement((tx) =>
        receiveBackendEvent(tx, {
          // An event that names no session is kept, too; it is parked with its reason when it is applied.
          sessionName: parsed.sessionName ?? '',
          requestId: request.header('x-webhook-request-id') ?? null,
          body: rawBody.toString('utf8'),
          own: event?.kind === 'message' && event.message.fromMe ? event.message : null,
        }),
      );
      database.wakeups.wake('backend-event');
      return { received: true as const };
    },
  }),
];
