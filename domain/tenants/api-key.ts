import { z } from 'zod';
import { explained } from '../explained.ts';
import { KeyId, PersonRef, SessionRef } from '../ids.ts';
import { AgencyField, Target } from '../scope.ts';

/** The scopes of a key; each route names the one that it needs. */
export const KEY_SCOPES = [
  'send',
  'read',
  'sessions',
  'ai:admin',
  'webhooks',
  'keys',
  'passthrough',
  'admin:read',
  'erase',
] as const;
export type KeyScope = (typeof KEY_SCOPES)[number];

export const KEY_KINDS = ['session', 'dashboard'] as const;
export type KeyKind = (typeof KEY_KINDS)[number];

/** The scopes that a key of the kind can have; the routes of the others take no key of the kind at all. */
const POSSIBLE_SCOPES: Readonly<Record<KeyKind, readonly KeyScope[]>> = {
  session: ['send', 'read', 'sessions', 'ai:admin', 'webhooks', 'passthrough'],
  dashboard: KEY_SCOPES,
};

/** The scopes of a key that was made without any. A session's key sets nothing that holds for other sessions, too. */
const USUAL_SCOPES: Readonly<Record<KeyKind, readonly KeyScope[]>> = {
  session: ['send', 'read', 'sessions', 'passthrough'],
  dashboard: KEY_SCOPES,
};

/** Returns a key's scopes from the stored ones. A key that was created without scopes stores none. */
export function scopesOf(kind: KeyKind, stored: readonly KeyScope[]): readonly KeyScope[] {
  return stored.length === 0 ? USUAL_SCOPES[kind] : stored;
}

/**
 * The scopes that are stored with a session's key whose maker names none. While the tenant has one session, the agent
 * acts for that one alone, so the key may set it. The scopes are fixed then: a later session changes no key.
 */
export function unnamedScopes({ isOnlySession, mayGive }: { isOnlySession: boolean; mayGive: boolean }): KeyScope[] {
  return isOnlySession && mayGive ? [...USUAL_SCOPES.session, 'ai:admin'] : [];
}

/** Leaves those scopes that each of these keys has, too: what a key has made opens no more than the key does. */
export function sharedScopes(
  scopes: readonly KeyScope[],
  keys: readonly { kind: KeyKind; scopes: readonly KeyScope[] }[],
): readonly KeyScope[] {
  return scopes.filter((scope) => keys.every((key) => scopesOf(key.kind, key.scopes).includes(scope)));
}

const scopesFor = (kind: KeyKind) =>
  z.array(z.enum(POSSIBLE_SCOPES[kind])).min(1).max(POSSIBLE_SCOPES[kind].length).optional();

const ExpiresAt = z.iso
  .datetime({ offset: true })
  .refine((at) => Date.parse(at) > Date.now(), 'must be in the future')
  .optional()
  .meta({ description: 'When the key ends. If omitted, never.' });
const Name = z
  .string()
  .min(1)
  .max(100)
  .meta({ description: 'A name to tell keys apart, such as its holder or purpose, in 1 to 100 characters.' });

export const CreateApiKey = z
  .strictObject({
    ...Target,
    sessionId: SessionRef.optional().meta({
      description: "A session id or name. If omitted, the tenant's default session.",
    }),
    name: Name,
    scopes: scopesFor('session').meta({
      description:
        'The permissions of the key for its session. Defaults to `send`, `read`, `sessions` and ' +
        '`passthrough`.\n\n`ai:admin` is added if the tenant has only this session now and your key has the ' +
        "scope. `ai:admin` sets the agent's state, its persona and facts about the tenant, for all sessions " +
        "of the tenant. `webhooks` posts the session's events to URLs, which continues when the key has " +
        'ended.',
    }),
    defaultRecipient: PersonRef.optional().meta({
      description:
        'The recipient of requests that name none: a phone number, a contactId or a chat id. If omitted, the ' +
        "recipient in the tenant's settings.",
    }),
    expiresAt: ExpiresAt,
  })
  .meta({ id: 'CreateApiKey', description: 'The session of the key, and what it may do.' });

export const CreateDashboardKey = z
  .strictObject({
    agencyId: AgencyField,
    name: Name,
    scopes: scopesFor('dashboard').meta({
      description: 'All that the key may do for the agency. If omitted, everything.',
    }),
    expiresAt: ExpiresAt,
  })
  .meta({ id: 'CreateDashboardKey', description: 'The purpose and the permissions of the key.' });

const DAY_SECONDS = 86_400;
/** A replaced key stays valid this long if the request sets no time. */
const USUAL_OVERLAP_SECONDS = DAY_SECONDS;

export const OverlapSeconds = z
  .int()
  .min(0)
  .max(30 * DAY_SECONDS)
  .default(USUAL_OVERLAP_SECONDS)
  .meta({
    description: 'How long the replaced key works next to the new one. 0 ends it within a second.',
    example: 3600,
  });

export const KeepKeys = z
  .boolean()
  .default(false)
  .meta({
    description:
      'True leaves the keys that the replaced key made to the new key. Otherwise, they end with the ' +
      'replaced key.\n\nLogins, console links, connect links and upload ids always end with it.',
  });

/** Why somebody does this, for the audit. */
const Reason = z
  .string()
  .min(1)
  .max(500)
  .optional()
  .meta({ description: 'The reason, for the audit.', example: 'It was in a log file.' });

export const RotateApiKey = z
  .strictObject({ agencyId: AgencyField, overlapSeconds: OverlapSeconds, keepKeys: KeepKeys, reason: Reason })
  .meta({ id: 'RotateApiKey', description: 'How long the old key still works, and why it is replaced.' });

export const ApiKeyView = z
  .object({
    id: KeyId,
    kind: z.enum(KEY_KINDS).meta({
      description: explained('The session or dashboard of the key.', {
        session: 'It acts for one session, and needs neither agencyId nor tenantId.',
        dashboard: "It acts for all tenants of its agency. The dashboard's registration creates it.",
      }),
    }),
    name: z.string().meta({ description: 'The name that its creator gave it.' }),
    agencyId: z.string().meta({ description: 'The agency that it belongs to.' }),
    tenantId: z.string().nullable().meta({ description: "The tenant of its session. Null for a dashboard's key." }),
    sessionId: z.string().nullable().meta({ description: "The session that it acts for. Null for a dashboard's key." }),
    scopes: z.array(z.enum(KEY_SCOPES)).meta({ description: 'All that the key may do.' }),
    defaultRecipient: z
      .string()
      .nullable()
      .meta({
        description:
          'The recipient of requests that name none: a contactId or a chat id. Null means the recipient in the ' +
          "tenant's settings.",
      }),
    hint: z.string().meta({ description: 'The first characters of the key, to tell keys apart.' }),
    createdAt: z.iso.datetime().meta({ description: 'When it was created.' }),
    expiresAt: z.iso.datetime().nullable().meta({ description: 'From when on it is refused. Null means never.' }),
    revokedAt: z.iso.datetime().nullable().meta({ description: 'When it was revoked. Null if it was not.' }),
    madeBy: z.string().nullable().meta({
      description: 'The id of the key that created it, with which it ends. Null if none did: it has an end of its own.',
    }),
    loginId: z
      .string()
      .nullable()
      .meta({
        description:
          "The id of the console login that created it. The key outlives a logout and the login's expiry.\n\nIt " +
          'ends when a person ends the login. Null if no login created it.',
      }),
    replacedBy: z
      .string()
      .nullable()
      .meta({ description: 'The id of the key that replaced it in a rotation. Null if none did.' }),
    lastUsedAt: z.iso.datetime().nullable().meta({
      description: 'When it was last used, to about a minute; shown up to a minute late. Null if it was not used yet.',
    }),
  })
  .meta({ id: 'ApiKey', description: 'An API key, without its secret.' });
export type ApiKeyView = z.infer<typeof ApiKeyView>;

export const ApiKeyCreated = ApiKeyView.extend({
  apiKey: z.string().meta({ description: 'Shown once: store it now.' }),
}).meta({ id: 'ApiKeyCreated', description: 'The new key, with its secret.' });
