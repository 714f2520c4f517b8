import { z } from 'zod';
import { EndpointId } from '../ids.ts';
import { AgencyField } from '../scope.ts';
import { EndpointView, WebhookSecret } from './endpoint.ts';
import { EVENT_TYPES } from './event.ts';

const MAX_OVERLAP_HOURS = 168;

export const RotateSecret = z
  .strictObject({
    agencyId: AgencyField,
    secret: WebhookSecret.optional().meta({ description: 'If omitted, the engine generates one.' }),
    overlapHours: z.int().min(0).max(MAX_OVERLAP_HOURS).default(24).meta({
      description: 'How long the old secret also signs: until then, each request carries two signatures.',
    }),
  })
  .meta({ id: 'RotateWebhookSecret', description: 'The new secret, and how long the old one also signs.' });

export const SecretRotated = z
  .object({
    id: EndpointId,
    secret: z.string().meta({ description: 'Shown once: store it now.' }),
    oldSecretsUntil: z.array(z.iso.datetime()).meta({ description: 'Until when each old secret still signs.' }),
  })
  .meta({ id: 'WebhookSecretRotated', description: 'The new secret.' });

const Reason = z
  .string()
  .min(1)
  .max(500)
  .meta({ description: "The reason, in 1 to 500 characters. It is kept in the endpoint's history." });

const ContinueFrom = z
  .string()
  .max(256)
  .meta({ description: 'The `continueFrom` of the last response, if it had one, to continue with the next part.' });
/** The place from which a repeated request does the next part; null when nothing is left to do. */
const Continuing = z.string().nullable().meta({
  description:
    'Set if there is more than one request handles: repeat the request with this value as its `continueFrom`.',
});

export const PauseEndpoint = z
  .strictObject({ agencyId: AgencyField, reason: Reason.optional() })
  .meta({ id: 'PauseWebhookEndpoint', description: 'Why it is paused.' });

export const ResumeEndpoint = z
  .strictObject({
    agencyId: AgencyField,
    reason: Reason.optional(),
    recover: z.boolean().default(false).meta({
      description: 'Also retries the deliveries that used up their attempts since the endpoint began to fail.',
    }),
    continueFrom: ContinueFrom.optional(),
  })
  .meta({ id: 'ResumeWebhookEndpoint', description: 'Why it is resumed, and what is retried.' });

export const EndpointResumed = EndpointView.extend({
  recovered: z.int().meta({ description: 'How many deliveries are retried.' }),
  continueFrom: Continuing,
}).meta({ id: 'WebhookEndpointResumed', description: 'The endpoint, and what is retried.' });

export const TestEndpoint = z
  .strictObject({
    agencyId: AgencyField,
    event: z.enum(EVENT_TYPES).default('endpoint.test').meta({
      description: "Sends the catalogue's example of this event type, with `metadata.test`.",
    }),
  })
  .meta({ id: 'TestWebhookEndpoint', description: 'Which event to send.' });

const Moment = z.iso.datetime({ offset: true });

export const ReplaySpan = z
  .strictObject({
    agencyId: AgencyField,
    since: Moment.meta({ description: 'Events from this time on, with any UTC offset.' }),
    until: Moment.optional().meta({ description: 'Events before this time. If omitted, now.' }),
    dryRun: z.boolean().default(false).meta({ description: 'Only counts; sends nothing.' }),
    continueFrom: ContinueFrom.optional(),
  })
  .refine(({ since, until }) => until === undefined || Date.parse(since) < Date.parse(until), {
    message: 'must be after since',
    path: ['until'],
  })
  .meta({ id: 'WebhookReplaySpan', description: 'The time span whose events are sent again.' });

export const Replayed = z
  .object({
    count: z.int().meta({ description: 'How many deliveries this request sends again, or would with `dryRun`.' }),
    continueFrom: Continuing,
  })
  .meta({ id: 'WebhookReplayed', description: 'How many deliveries are sent again.' });
