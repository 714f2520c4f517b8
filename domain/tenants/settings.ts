import { z } from 'zod';
import { EndpointId, PersonRef } from '../ids.ts';
import {
  DisabledReason,
  EndpointState,
  WantedEvents,
  Warning,
  WebhookSecret,
  WebhookUrl,
} from '../webhooks/endpoint.ts';
import { Target } from '../scope.ts';
import { Pace } from './pace.ts';

const timeOfDay = (what: string) =>
  z
    .string()
    .regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'must be a time like 21:00')
    .meta({ description: `${what}, as hours and minutes such as 21:00.` });

const QuietHours = z
  .strictObject({
    from: timeOfDay('When they begin'),
    to: timeOfDay('When they end, on the next day if that is earlier'),
  })
  .refine(({ from, to }) => from !== to, { message: 'must not end when they start', path: ['to'] })
  .meta({
    id: 'QuietHours',
    description: "When no automated message is sent, in the tenant's time zone. Replies are not held back.",
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
  .meta({ description: 'An IANA name. UTC if not set.' });

const Country = z
  .string()
  .regex(/^[A-Z]{2}$/, 'must be two capital letters')
  .meta({ description: 'The ISO 3166 country of numbers without a country code.' });

/** For how many days something is kept. */
export const RetentionDays = z.int().min(1).max(36_500);

const RECORDED = "It can be fewer days than the engine keeps it for all tenants; null means the engine's number.";

/** Retention of the records of a tenant's work. The engine drops whole partitions after a time. */
const recordRetention = {
  rawEventRetentionDays: z
    .int()
    .min(1)
    .max(6)
    .nullable()
    .meta({
      description: `How many days reports of the messaging backend are kept once they are applied, 1 to 6; otherwise 7. ${RECORDED}`,
    }),
  eventRetentionDays: z
    .int()
    .min(1)
    .max(29)
    .nullable()
    .meta({
      description:
        'Days that events keep their payload, 1 to 29; otherwise 30. Older events keep only ids.\n\nThis also ' +
        `holds for events that are still to be sent. Receivers' responses are deleted. ${RECORDED}`,
    }),
  requestRetentionDays: z
    .int()
    .min(1)
    .max(29)
    .nullable()
    .meta({
      description: `How many days the records of requests that were passed on to the backend are kept, 1 to 29; otherwise 30. ${RECORDED}`,
    }),
  attemptRetentionDays: z
    .int()
    .min(1)
    .max(89)
    .nullable()
    .meta({
      description: `How many days the records of when events were posted and what receivers responded are kept, 1 to 89; otherwise 90. ${RECORDED}`,
    }),
};
export type RecordRetention = z.infer<z.ZodObject<typeof recordRetention>>;

const settings = {
  pace: z.strictObject(Pace.partial().shape).nullable().meta({
    description: "How fast each session of the tenant sends. Null means the engine's default.",
  }),
  timeZone: TimeZone.nullable(),
  quietHours: QuietHours.nullable().meta({ description: 'When no automated message is sent. Null means never.' }),
  country: Country.nullable(),
  typing: z
    .boolean()
    .nullable()
    .meta({ description: 'Whether typing is shown before a reply of a paced session. True if not set.' }),
  mediaRetentionDays: z
    .int()
    .min(1)
    .max(36_500)
    .nullable()
    .meta({
      description:
        'How many days after a message its file is kept, 1 to 36,500. An older file is deleted, and its ' +
        'address returns 410; the message stays.\n\nNull keeps files forever.',
    }),
  messageRetentionDays: RetentionDays.nullable().meta({
    description:
      'Days that messages are kept, 1 to 36,500. Older ones are deleted once a day.\n\nTheir files, their ' +
      "words in the search and the agent's turns about them are deleted, too. Null keeps them forever.",
  }),
  memoryRetentionDays: RetentionDays.nullable().meta({
    description:
      'How many days facts about contacts, and notes of the team since their last change, are kept, 1 to ' +
      '36,500. Older ones are deleted once a day.\n\nNull keeps them until their own expiry.',
  }),
  ...recordRetention,
  deleteRevokedMedia: z.boolean().nullable().meta({
    description:
      'Whether the file of a message is deleted when its sender deletes the message for everyone. False if not set: then the file stays, like the text of the message.',
  }),
  defaultRecipient: PersonRef.nullable().meta({
    description:
      'The recipient of requests that name none: a phone number, a contactId or a chat id. Null refuses ' +
      "such requests.\n\nIt is for example the team's group or the owner's number. A number is stored as its " +
      'chat id. A key can have its own. Null means nobody: then such a request is refused.',
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
      "How fast each session of the tenant sends. Omitted fields stay unchanged; null means the engine's default.",
  }),
};

/** A change of settings; whatever it leaves out stays, inside `pace` too. */
export type SettingsChange = z.infer<z.ZodObject<typeof changes>>;

const webhook = {
  webhookUrl: WebhookUrl.nullable().meta({
    description: "The address that receives the tenant's events. Null removes it.",
  }),
  webhookEvents: WantedEvents.nullable().meta({ description: 'The default event types if not set.' }),
  webhookSecret: WebhookSecret.meta({
    description:
      'The secret that signs them. If omitted, the engine generates one and shows it once.\n\nAn old secret ' +
      'also signs for 24 hours.',
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
    description: 'Omitted fields stay unchanged, also those of `pace`; null restores the default.',
  });

export const SettingsView = z
  .object({
    agencyId: z.string().meta({ description: 'The agency of the tenant.' }),
    tenantId: z.string().meta({ description: 'The tenant.' }),
    ...z.object(settings).shape,
    webhookUrl: z
      .string()
      .nullable()
      .meta({ description: "The address that receives the tenant's events. Null if there is none." }),
    webhookEvents: z
      .array(z.string())
      .nullable()
      .meta({ description: 'The event types that are posted there. Null if there is no URL.' }),
    webhookEndpointId: EndpointId.nullable().meta({
      description: 'The id of this endpoint, for the webhook routes. Null if there is none.',
    }),
    webhookStatus: EndpointState.nullable(),
    webhookDisabledReason: DisabledReason,
    webhookSecret: z
      .string()
      .optional()
      .meta({ description: 'Only if it was generated by this request: store it now.' }),
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
        deleteRevokedMedia: z.boolean().meta({
          description: 'Whether the file of a message is deleted when its sender deletes the message for everyone.',
        }),
      })
      .meta({ description: 'The values in effect now, defaults included.' }),
  })
  .meta({ id: 'TenantSettings', description: "The tenant's own settings, and the values in effect." });
export type SettingsView = z.infer<typeof SettingsView>;

export const SettingsChanged = SettingsView.extend(Warning).meta({
  id: 'TenantSettingsChanged',
  description: "The tenant's own settings now, and the values in effect.",
});

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
