import { z } from 'zod';
import { invalid } from '../error.ts';
import { explained } from '../explained.ts';
import { EndpointId, SessionId } from '../ids.ts';
import { AgencyField, ExternalId } from '../scope.ts';
import { AttemptTimeoutMs } from './attempt-timeout.ts';
import { EVENT_TYPES } from './event.ts';

export const WebhookSecret = z
  .string()
  .min(32)
  .max(512)
  .refine(
    (secret) => !secret.startsWith('whsec_') || /^[A-Za-z0-9+/]{32,}={0,2}$/.test(secret.slice(6)),
    'must be base64 of at least 24 bytes after whsec_',
  )
  .meta({
    description:
      '`whsec_` followed by the key in base64, or any other string of 32 characters, whose bytes are the key.',
  });

/**
 * A URL that a tenant chooses. http is accepted here, and refused at delivery unless the address is allowed for
 * development.
 */
export const WebhookUrl = z
  .url({ protocol: /^https?$/ })
  .max(2_048)
  .refine(hasNoCredentials, 'must not contain credentials')
  // The URL is stored as it is requested, so that two spellings are one address.
  .overwrite((url) => (URL.canParse(url) ? new URL(url).href : url))
  .max(2_048)
  .meta({
    description:
      'The address that receives events: https, or http in development. At most 2,048 characters, without ' +
      'a user name or password.',
  });

/** Parses the URL as the HTTP client does, so that no spelling hides credentials. */
function hasNoCredentials(url: string): boolean {
  if (!URL.canParse(url)) return true;
  const { username, password } = new URL(url);
  return username === '' && password === '';
}

const SELECTABLE = EVENT_TYPES.filter((type) => type !== 'endpoint.test');
export const WantedEvents = z
  .array(z.enum(SELECTABLE))
  .min(1)
  .max(SELECTABLE.length)
  .transform((events) => [...new Set(events)])
  .pipe(z.array(z.enum(SELECTABLE)))
  .meta({ description: 'The event types that the endpoint gets. If omitted, `message` and `message.ack`.' });

const HeaderName = z
  .string()
  .regex(/^[A-Za-z0-9-]{1,64}$/, 'must be letters, digits and hyphens')
  .refine((name) => !isReservedHeader(name), 'is set by the engine or by HTTP itself');
const HeaderValue = z
  .string()
  .max(1_024)
  .regex(/^[\x20-\x7e]*$/, 'must be printable ASCII');

const RESERVED = new Set([
  'connection',
  'keep-alive',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'host',
  'expect',
]);
const RESERVED_PREFIXES = ['content-', 'proxy-', 'webhook-', 'x-engine-', 'accept-encoding', 'cookie', 'set-cookie'];

/**
 * Tells whether a header is reserved: it would change how a request is read, where it comes from, or what its signature
 * says.
 */
export function isReservedHeader(name: string): boolean {
  const lower = name.toLowerCase();
  return RESERVED.has(lower) || RESERVED_PREFIXES.some((prefix) => lower.startsWith(prefix));
}

export const MAX_HEADERS = 20;
const fewHeaders = (headers: object): boolean => Object.keys(headers).length <= MAX_HEADERS;
const eachOnce = (headers: object): boolean => {
  const names = Object.keys(headers);
  return new Set(names.map((name) => name.toLowerCase())).size === names.length;
};
const ONCE = 'must not repeat a name: upper and lower case count as the same';

/** Bounds the old secrets, because each one adds a signature to every request. */
export const MAX_OLD_SECRETS = 3;

export const ORDERINGS = ['conversation', 'parallel', 'fifo'] as const;
export const ENDPOINT_STATUSES = ['active', 'paused', 'disabled'] as const;
export type EndpointStatus = (typeof ENDPOINT_STATUSES)[number];
/** `closed` lets all attempts go to the endpoint, `open` none, and `half_open` one probe. */
export const BREAKER_STATES = ['closed', 'open', 'half_open'] as const;
export const ENDPOINT_SOURCES = ['dashboard', 'tenant', 'api'] as const;
export type EndpointSource = (typeof ENDPOINT_SOURCES)[number];

/** The longest step of a ladder, and the most steps of one. */
const DAY_MS = 86_400_000;
const MAX_STEPS = 20;

const fields = {
  url: WebhookUrl,
  description: z
    .string()
    .max(500)
    .nullable()
    .meta({ description: 'A note for people about what the endpoint is for, up to 500 characters.' }),
  events: WantedEvents,
  tenantIds: z
    .array(ExternalId)
    .min(1)
    .max(1_000)
    .nullable()
    .meta({
      description:
        'The tenants whose events it receives. Null means every tenant of the agency, and events about ' + 'endpoints.',
    }),
  ordering: z.enum(ORDERINGS).meta({
    description:
      '`conversation`: an event waits until the previous event of its conversation has arrived. `fifo`: ' +
      'each event waits for the previous one.\n\n`parallel`: no event waits.',
  }),
  ratePerSecond: z
    .int()
    .min(1)
    .max(1_000)
    .nullable()
    .meta({ description: 'Attempts per second. Null means no limit.' }),
  concurrency: z
    .int()
    .min(1)
    .max(100)
    .meta({ description: 'Requests at a time. If omitted, 10. With `fifo`, always one.' }),
  timeoutMs: AttemptTimeoutMs,
  retryLadderMs: z.array(z.int().min(0).max(DAY_MS)).min(1).max(MAX_STEPS).nullable().meta({
    description:
      "The pause before each attempt; from the fourth attempt on, at least one second. Null means the engine's own ladder: twelve attempts in three days.",
  }),
};

const { url, ...others } = fields;

export const CreateEndpoint = z
  .strictObject({
    agencyId: AgencyField,
    url,
    ...z.object(others).partial().shape,
    secret: WebhookSecret.optional().meta({
      description: 'The secret that signs its requests. If omitted, the engine generates one and shows it once.',
    }),
    headers: z
      .record(HeaderName, HeaderValue)
      .refine(fewHeaders, `must be ${MAX_HEADERS} at most`)
      .refine(eachOnce, ONCE)
      .optional()
      .meta({
        description: `Headers that every request carries, up to ${MAX_HEADERS}. Their values are never shown again.`,
      }),
  })
  .meta({ id: 'CreateWebhookEndpoint', description: 'The address, the event types and the pace of an endpoint.' });
export type CreateEndpoint = z.infer<typeof CreateEndpoint>;

export const UpdateEndpoint = z
  .strictObject({
    agencyId: AgencyField,
    ...z.object(fields).partial().shape,
    headers: z
      .record(HeaderName, HeaderValue.nullable())
      .refine(fewHeaders, `must be ${MAX_HEADERS} at most`)
      .refine(eachOnce, ONCE)
      .nullable()
      .optional()
      .meta({
        description: 'Sets the named headers. A null value removes one header; null instead of the object removes all.',
      }),
  })
  .meta({ id: 'UpdateWebhookEndpoint', description: 'Omitted fields stay unchanged.' });
export type UpdateEndpoint = z.infer<typeof UpdateEndpoint>;

const HEALTH_STATES = ['healthy', 'degraded', 'open', 'disabled'] as const;

const Health = z
  .object({
    state: z.enum(HEALTH_STATES).meta({
      description: '`degraded`: attempts fail. `open`: attempts failed so often that only an occasional probe is sent.',
    }),
    failingSince: z.iso.datetime().nullable().meta({ description: 'When it began to fail. Null while it is healthy.' }),
    lastError: z.string().nullable().meta({
      description: 'The class of the last failed attempt, as in the list of attempts. Null while it is healthy.',
    }),
    consecutiveFailures: z.int().meta({ description: 'Failed attempts since the last attempt that did not fail.' }),
    pending: z.int().meta({ description: 'Events that wait for it, counted up to 10,000, in lists up to 1,000.' }),
    nextAttemptAt: z.iso
      .datetime()
      .nullable()
      .meta({
        description:
          'When the next attempt is made: now at the earliest, and the probe while the state is `open`. Null if ' +
          'nothing waits, or the endpoint gets no attempts.',
      }),
  })
  .meta({ id: 'WebhookEndpointHealth', description: 'The health of the endpoint.' });

const History = z.object({
  at: z.iso.datetime().meta({ description: 'When it was done.' }),
  action: z
    .string()
    .meta({ description: 'The action, such as `create`, `update`, `pause`, `resume`, `disable` or `rotate`.' }),
  actor: z
    .string()
    .nullable()
    .meta({ description: 'The actor: `api`, `registry`, an operator, or the engine itself.' }),
  keyId: z.string().nullable().meta({ description: 'The API key that made the request.' }),
  reason: z.string().nullable().meta({ description: 'The reason, if one was given.' }),
});

export const EndpointState = z.enum(ENDPOINT_STATUSES).meta({
  description: explained('Whether events are sent.', {
    active: 'Events are sent.',
    paused: 'It was paused: its events wait until it is resumed.',
    disabled: 'It returned 410 or failed for days: its events wait until it is resumed.',
  }),
});
/** Why the engine has stopped an endpoint. The words are those of the row, which other releases may add to. */
export const DisabledReason = z
  .string()
  .nullable()
  .meta({
    description: explained('Why it is paused or disabled. Null while it is active.', {
      gone: 'It returned 410.',
      failing_for_days: 'It has failed for five days.',
      by_request: 'It was requested.',
    }),
  });

export const EndpointView = z
  .object({
    id: EndpointId,
    ...fields,
    sessionId: SessionId.nullable().meta({
      description: 'The only session whose events it gets. Null means every session of its tenants.',
    }),
    events: z.array(z.string()).meta({ description: 'The event types that it gets.' }),
    headers: z.record(z.string(), z.string()).meta({ description: 'The values are not shown again.' }),
    status: EndpointState,
    disabledReason: DisabledReason,
    health: Health,
    source: z.enum(ENDPOINT_SOURCES).meta({
      description: "`dashboard`: the agency's dashboardUrl. `tenant`: the webhookUrl of a tenant's settings.",
    }),
    createdAt: z.iso.datetime().meta({ description: 'When it was created.' }),
  })
  .meta({ id: 'WebhookEndpoint', description: 'An endpoint and its health.' });
export type EndpointView = z.infer<typeof EndpointView>;

export const EndpointDetail = EndpointView.extend({
  history: z.array(History).meta({ description: "The endpoint's history, newest first; the last 20 entries." }),
}).meta({ id: 'WebhookEndpointDetail', description: 'An endpoint, its health and its history.' });

const WARNINGS = {
  blocked_address:
    'The address is not a public one, or is a port of the engine itself, so deliveries to it fail with blocked_address.',
  insecure_url: 'The address is public and the URL is not https, so deliveries to it fail with insecure_url.',
} as const;
/** Why no attempt at a URL connects to anything. */
export type RefusedUrl = keyof typeof WARNINGS;

/** Says what the caller of a change should know; the URL is taken all the same. */
export function warningOf(refused: RefusedUrl | null): string | null {
  return refused === null ? null : WARNINGS[refused];
}

/** Refuses a URL of a dashboard or a tenant whose address is private: every event would fail for it. */
export function requireReachable(refused: RefusedUrl | null, pointer: string): void {
  if (refused === 'blocked_address') throw invalid({ pointer, message: WARNINGS.blocked_address });
}

/** Each response to a change of a URL carries these, for every kind of URL. */
export const Warning = {
  warning: z.string().nullable().meta({
    description: 'Why deliveries to the URL will fail: its address is not public, or lacks https. Null otherwise.',
  }),
};

export const EndpointChanged = EndpointView.extend(Warning).meta({
  id: 'WebhookEndpointChanged',
  description: 'The endpoint as it is now.',
});

export const EndpointCreated = EndpointView.extend({
  ...Warning,
  secret: z.string().meta({ description: 'Shown once: store it now.' }),
}).meta({ id: 'WebhookEndpointCreated', description: 'The new endpoint, with its secret.' });

export const MASKED = '********';
