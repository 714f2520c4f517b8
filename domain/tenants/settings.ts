import { z } from 'zod';
import { ENDPOINT_STATUSES, WantedEvents, WebhookSecret, WebhookUrl } from '../webhooks/endpoint.ts';
import { ExternalId } from '../scope.ts';

/** The pace at which a session sends; 0 is no limit. */
export const Pace = z
  .object({
    perMinute: z.int().min(0).max(6_000).meta({ description: 'Sends per minute of each session; 0 is no limit.' }),
    burst: z.int().min(1).max(1_000).meta({ description: 'Sends that may go at once after a quiet time.' }),
    firstContactsPerDay: z.int().min(0).max(100_000).meta({
      description:
        'Conversations a day that a session may open with people who have never written; 0 is no limit. It starts at a fifth and is reached on the seventh day of the session.',
    }),
  })
  .meta({ id: 'Pace' });
export type Pace = z.infer<typeof Pace>;

const TimeOfDay = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'must be a time like 21:00');

const QuietHours = z
  .strictObject({ from: TimeOfDay, to: TimeOfDay })
  .refine(({ from, to }) => from !== to, { message: 'must not end when they start', path: ['to'] })
  .meta({ id: 'QuietHours', description: "In the tenant's time zone; replies are not held back." });

/**
 * A time zone is a name and not an offset: names know daylight saving time, and the sign of an offset can be read in
 * two ways.
 */
const TimeZone = z
  .string()
  .max(64)
  .regex(/^[A-Za-z][A-Za-z0-9_+-]*(\/[A-Za-z0-9_+-]+)*$/, 'must be a name like Europe/Berlin')
  .refine(isTimeZone, 'is not a known time zone')
  .meta({ description: 'An IANA name; UTC when it is not set.' });

const Country = z
  .string()
  .regex(/^[A-Z]{2}$/, 'must be two capital letters')
  .meta({ description: 'ISO 3166: where numbers without a country code belong.' });

const settings = {
  pace: z.strictObject(Pace.partial().shape).nullable(),
  timeZone: TimeZone.nullable(),
  quietHours: QuietHours.nullable(),
  country: Country.nullable(),
  typing: z
    .boolean()
    .nullable()
    .meta({ description: 'Shows typing before a reply of a paced session. True when it is not set.' }),
};

/** The settings of a tenant; the engine's default stands in for a setting that is null or missing. */
export const TenantSettings = z.object(settings).partial();
export type TenantSettings = z.infer<typeof TenantSettings>;

const PaceChange = z
  .strictObject({
    perMinute: Pace.shape.perMinute.nullable(),
    burst: Pace.shape.burst.nullable(),
    firstContactsPerDay: Pace.shape.firstContactsPerDay.nullable(),
  })
  .partial();

const changes = { ...TenantSettings.shape, pace: PaceChange.nullable().optional() };

/** A change of settings; whatever it leaves out stays, inside `pace` too. */
export type SettingsChange = z.infer<z.ZodObject<typeof changes>>;

const webhook = {
  webhookUrl: WebhookUrl.nullable().meta({ description: "Where the tenant's own events go; null takes it away." }),
  webhookEvents: WantedEvents.nullable().meta({ description: 'The default kinds when it is not set.' }),
  webhookSecret: WebhookSecret.meta({
    description: 'Signs them. One is made and shown once when it is left out; an old one signs along for 24 hours.',
  }),
};
const WebhookChange = z.object(webhook).partial();
export type WebhookChange = z.infer<typeof WebhookChange>;

export const UpdateSettings = z
  .strictObject({
    agencyId: ExternalId.optional(),
    tenantId: ExternalId.optional(),
    ...changes,
    ...WebhookChange.shape,
  })
  .meta({
    id: 'UpdateSettings',
    description: 'Fields that are left out stay as they are, also those of `pace`; null is the default again.',
  });

export const SettingsView = z
  .object({
    agencyId: z.string(),
    tenantId: z.string(),
    ...z.object(settings).shape,
    webhookUrl: z.string().nullable(),
    webhookEvents: z.array(z.string()).nullable(),
    webhookEndpointId: z.string().nullable().meta({ description: 'The endpoint that it is, for the webhook routes.' }),
    webhookStatus: z.enum(ENDPOINT_STATUSES).nullable().meta({
      description: 'A disabled one keeps its events; resume it, or set another URL.',
    }),
    webhookDisabledReason: z
      .string()
      .nullable()
      .meta({ description: '`gone` (410), `failing_for_days` or `by_request`.' }),
    webhookSecret: z.string().optional().meta({ description: 'Only where it was made just now; store it now.' }),
    effective: z
      .object({
        pace: Pace,
        timeZone: z.string(),
        quietHours: settings.quietHours,
        country: settings.country,
        typing: z.boolean(),
      })
      .meta({ description: 'What holds now, defaults included.' }),
  })
  .meta({ id: 'TenantSettings' });
export type SettingsView = z.infer<typeof SettingsView>;

/**
 * Puts the tenant's own pace over the engine's. A tenant without a rate has no limit of first messages to strangers
 * either, unless one is set.
 */
export function effectivePace(own: TenantSettings['pace'], standard: Pace): Pace {
  const perMinute = own?.perMinute ?? standard.perMinute;
  return {
    perMinute,
    burst: own?.burst ?? standard.burst,
    firstContactsPerDay: own?.firstContactsPerDay ?? (perMinute > 0 ? standard.firstContactsPerDay : 0),
  };
}

function isTimeZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name }).format();
    return true;
  } catch {
    return false;
  }
}
