import { z } from 'zod';
import { EndpointId } from '../ids.ts';
import { AgencyField } from '../scope.ts';
import { EndpointView, WebhookSecret } from './endpoint.ts';
import { EVENT_TYPES } from './event.ts';

const MAX_OVERLAP_HOURS = 168;

export const RotateSecret = z
  .strictObject({
    agencyId: AgencyField,
    secret: WebhookSecret.optional().meta({ description: 'A new one is made when it is left out.' }),
    overlapHours: z.int().min(0).max(MAX_OVERLAP_HOURS).default(24).meta({
      description: 'How long the old secret signs along with the new one: each request then bears two signatures.',
    }),
  })
  .meta({ id: 'RotateWebhookSecret', description: 'The new secret, and how long the old one signs along.' });

export const SecretRotated = z
  .object({
    id: EndpointId,
    secret: z.string().meta({ description: 'Shown once; store it now.' }),
    oldSecretsUntil: z.array(z.iso.datetime()).meta({ description: 'Until when each old secret still signs.' }),
  })
  .meta({ id: 'WebhookSecretRotated', description: 'The new secret.' });

const Reason = z.string().min(1).max(500).meta({ description: 'Why, in 1 to 500 characters; kept in its history.' });

const ContinueFrom = z.string().max(256).meta({ description: "The last answer's, where it had one: the next part." });
/** The place from which a repeated request does the next part; null when nothing is left to do. */
const Continuing = z.string().nullable().meta({
  description: 'Where there is more than one request does: repeat it with this as its `continueFrom`.',
});

export const PauseEndpoint = z
  .strictObject({ agencyId: AgencyField, reason: Reason.optional() })
  .meta({ id: 'PauseWebhookEndpoint', description: 'Why it is paused.' });

export const ResumeEndpoint = z
  .strictObject({
    agencyId: AgencyField,
    reason: Reason.optional(),
    recover: z.boolean().default(false).meta({
      description: 'Tries again, too, what used up its attempts since the endpoint began to fail.',
    }),
    continueFrom: ContinueFrom.optional(),
  })
  .meta({ id: 'ResumeWebhookEndpoint', description: 'Why it is resumed, and what is tried again.' });

export const EndpointResumed = EndpointView.extend({
  recovered: z.int().meta({ description: 'How many deliveries are tried again.' }),
  continueFrom: Continuing,
}).meta({ id: 'WebhookEndpointResumed', description: 'The endpoint, and what is tried again.' });

export const TestEndpoint = z
  .strictObject({
    agencyId: AgencyField,
    event: z.enum(EVENT_TYPES).default('endpoint.test').meta({
      description: "Sends this kind's example of the catalogue, with `metadata.test`.",
    }),
  })
  .meta({ id: 'TestWebhookEndpoint', description: 'Which event is sent.' });

const Moment = z.iso.datetime({ offset: true });

export const ReplaySpan = z
  .strictObject({
    agencyId: AgencyField,
    since: Moment.meta({ description: 'Events from this time on, with any offset.' }),
    until: Moment.optional().meta({ description: 'Events before this time; now when left out.' }),
    dryRun: z.boolean().default(false).meta({ description: 'Only counts.' }),
    continueFrom: ContinueFrom.optional(),
  })
  .refine(({ since, until }) => until === undefined || Date.parse(since) < Date.parse(until), {
    message: 'must be after since',
    path: ['until'],
  })
  .meta({ id: 'WebhookReplaySpan', description: 'The span of time whose events are sent again.' });

export const Replayed = z
  .object({
    count: z.int().meta({ description: 'How many deliveries this request sends again, or would with `dryRun`.' }),
    continueFrom: Continuing,
  })
  .meta({ id: 'WebhookReplayed', description: 'How much is sent again.' });
