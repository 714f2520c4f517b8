import { z } from 'zod';
import { readEventHead } from '../../adapters/backend/events/events.ts';
import { senderOf } from '../../adapters/backend/events/signature.ts';
import { EngineError } from '../../domain/error.ts';
import { defineRoute } from '../deps.ts';
import { BACKEND_EVENTS_PATH } from './backend-door.ts';

/** Events of the backend may hold media inline, so they may be larger than the requests of clients. */
const MAX_EVENT_BYTES = 16 * 1024 * 1024;

export const backendEventRoutes = [
  defineRoute({
    method: 'POST',
    path: BACKEND_EVENTS_PATH,
    auth: 'backend',
    operationId: 'backendEvents.receive',
    summary: 'Receive an event from the messaging backend',
    description:
      'Stores the raw body, then responds; the event is applied immediately afterwards. Signed with HMAC-SHA512.',
    maxBodyBytes: MAX_EVENT_BYTES,
    reply: z.object({ received: z.literal(true).meta({ description: 'The event is stored and will be applied.' }) }),
    errors: ['invalid_signature'],
    async handle({ body: rawBody, request }, { intake, backends, backendWebhookSecret }) {
      const signatureHex = request.header('x-webhook-hmac');
      const body = rawBody.toString('utf8');
      const { sessionName, own } = readEventHead(body);
      const signed = { rawBody, signatureHex, sessionName, secret: backendWebhookSecret };
      const backend = senderOf(
        signed,
        backends.servers.map(({ id }) => id),
      );
      if (backend === null) {
        throw new EngineError('invalid_signature', "Sign the raw body with HMAC-SHA512 and the session's secret.");
      }
      const requestId = request.header('x-webhook-request-id') ?? null;
      // An event that names no session is kept, too; it is parked with its reason when it is applied.
      await intake.store({ backend, sessionName: sessionName ?? '', requestId, body, own });
      return { received: true as const };
    },
  }),
];
