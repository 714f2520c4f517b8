import { z } from 'zod';
import { EndpointId, PersonRef } from '../ids.ts';
import { DisabledReason, EndpointState, WantedEvents, WebhookSecret, WebhookUrl } from '../webhooks/endpoint.ts';
import { Target } from '../scope.ts';

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
  .meta({ id: 'Pace', description: 'How fast each session sends.' });
export type Pace = z.infer<typeof Pace>;

const timeOfDay = (what: string) =>
  z
    .string()
    .regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'must be a time like 21:00')
    .meta({ description: `${what}, as hours and minutes such as 21:00.` });

const QuietHours = z
  .strictObject({
    from: timeOfDay('When they begin'),
    to: timeOfDay('When they end, on the next day where that is earlier'),
  })
  .refine(({ from, to }) => from !== to, { message: 'must not end when they start', path: ['to'] })
  .meta({
    id: 'QuietHours',
    description: "When nothing automated goes out, in the tenant's time zone. Replies are not held back.",
  });

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

/** For how many days something is kept. */
export const RetentionDays = z.int().min(1).max(36_500);

const RECORDED = 'It may be fewer days than the engine keeps it for all, which null is.';

/** How long what is recorded of the work for a tenant is kept. The engine drops all of it by partition after a time. */
const recordRetention = {
  rawEventRetentionDays: z
    .int()
    .min(1)
    .max(6)
    .nullable()
    .meta({
      description: `How many days what the messaging backend told is kept once it is applied, 1 to 6; else 7. ${RECORDED}`,
    }),
  eventRetentionDays: z
    .int()
    .min(1)
    .max(29)
    .nullable()
    .meta({
      description: `How many days events keep their payload, 1 to 29; else 30. Older ones keep ids alone, as those of an erased person, also where they are still to be posted, and what receivers answered goes. ${RECORDED}`,
    }),
  requestRetentionDays: z
    .int()
    .min(1)
    .max(29)
    .nullable()
    .meta({
      description: `How many days it is kept which requests were passed on to the backend, 1 to 29; else 30. ${RECORDED}`,
    }),
  attemptRetentionDays: z
    .int()
    .min(1)
    .max(89)
    .nullable()
    .meta({
      description: `How many days it is kept when events were posted and what receivers answered, 1 to 89; else 90. ${RECORDED}`,
    }),
};
export type RecordRetention = z.infer<z.ZodObject<typeof recordRetention>>;

const settings = {
  pace: z.strictObject(Pace.partial().shape).nullable().meta({
    description: "How fast each session of the tenant sends; null is the engine's default.",
  }),
  timeZone: TimeZone.nullable(),
  quietHours: QuietHours.nullable().meta({ description: 'When nothing automated goes out; null is never.' }),
  country: Country.nullable(),
  typing: z
    .boolean()
    .nullable()
    .meta({ description: 'Shows typing before a reply of a paced session. True when it is not set.' }),
  mediaRetentionDays: z.int().min(1).max(36_500).nullable().meta({
    description:
      'How many days after a message its file is kept, 1 to 36,500. An older file is deleted, and its address answers 410; the message stays. Null keeps files for ever.',
  }),
  messageRetentionDays: RetentionDays.nullable().meta({
    description:
      'How many days messages are kept, 1 to 36,500, with their files, their words in the search and the turns of the agent about them. Older ones are deleted once a day. Null keeps them for ever.',
  }),
  memoryRetentionDays: RetentionDays.nullable().meta({
    description:
      'How many days facts about contacts are kept, 1 to 36,500. Older ones are forgotten once a day. Null keeps them until their own end.',
  }),
  ...recordRetention,
  deleteRevokedMedia: z.boolean().nullable().meta({
    description:
      'Deletes the file of a message that its sender deletes for everybody. False when it is not set: then it stays, like the words of the message.',
  }),
  defaultRecipient: PersonRef.nullable().meta({
    description:
      "Who gets a message whose request names nobody, such as the team's group or the owner's number: a phone number, a contactId or a chat id. A number is kept as its chat id. A key may have one of its own. Null is nobody: then such a request is refused.",
  }),
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

const changes = {
  ...TenantSettings.shape,
  pace: PaceChange.nullable().optional().meta({
    description:
      "How fast each session of the tenant sends. Fields that are left out stay as they are; null is the engine's default.",
  }),
};

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
    ...Target,
    ...changes,
    ...WebhookChange.shape,
  })
  .meta({
    id: 'UpdateSettings',
    description: 'Fields that are left out stay as they are, also those of `pace`; null is the default again.',
  });

export const SettingsView = z
  .object({
    agencyId: z.string().meta({ description: 'The agency of the tenant.' }),
    tenantId: z.string().meta({ description: 'The tenant.' }),
    ...z.object(settings).shape,
    webhookUrl: z
      .string()
      .nullable()
      .meta({ description: "Where the tenant's own events are posted. Null where nowhere." }),
    webhookEvents: z
      .array(z.string())
      .nullable()
      .meta({ description: 'The types of events that go there. Null where none does.' }),
    webhookEndpointId: EndpointId.nullable().meta({
      description: 'The endpoint that it is, for the webhook routes. Null where there is none.',
    }),
    webhookStatus: EndpointState.nullable(),
    webhookDisabledReason: DisabledReason,
    webhookSecret: z.string().optional().meta({ description: 'Only where it was made just now; store it now.' }),
    effective: z
      .object({
        pace: Pace,
        timeZone: z.string().meta({ description: 'The IANA name of the time zone.' }),
        quietHours: settings.quietHours,
        country: settings.country,
        typing: z.boolean().meta({ description: 'Whether typing is shown before a reply of a paced session.' }),
        mediaRetentionDays: settings.mediaRetentionDays,
        messageRetentionDays: settings.messageRetentionDays,
        memoryRetentionDays: settings.memoryRetentionDays,
        ...recordRetention,
        deleteRevokedMedia: z
          .boolean()
          .meta({ description: 'Whether the file of a message that its sender deletes for everybody is deleted.' }),
      })
      .meta({ description: 'What holds now, defaults included.' }),
  })
  .meta({ id: 'TenantSettings', description: 'What is set for a tenant, and what holds for it.' });
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
