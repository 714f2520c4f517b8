import { z } from 'zod';
import { ExternalId } from './scope.ts';
import { MAX_SESSION_NAME_LENGTH } from './session-name.ts';

/** Statuses of the backend. It may add others, so a status is text and not an enum. */
export const WORKING = 'WORKING';
export const FAILED = 'FAILED';
export const SCAN_QR_CODE = 'SCAN_QR_CODE';

const SessionName = z
  .string()
  .regex(/^[A-Za-z0-9_-]+$/, 'must be letters, digits, hyphens or underscores')
  .max(MAX_SESSION_NAME_LENGTH)
  .meta({ description: "The session's name at the backend, which takes no longer ones." });

/**
 * The reasons, as `lastError` shows them, for which the backend will never make a session, so that it is not asked
 * again.
 */
export const SESSION_REFUSALS = {
  name: 'session_name_refused',
  taken: 'session_name_taken',
  settings: 'session_settings_refused',
} as const;
export type SessionRefusal = (typeof SESSION_REFUSALS)[keyof typeof SESSION_REFUSALS];

export const CreateSession = z
  .object({
    agencyId: ExternalId.optional(),
    tenantId: ExternalId.optional(),
    name: SessionName.optional(),
    default: z.boolean().optional().meta({ description: 'Whether the tenant uses it when a request names none.' }),
    adopt: z
      .boolean()
      .optional()
      .meta({
        description:
          'Takes over a session that the messaging backend already has under this name, with its account and its history, ' +
          "and replaces its webhooks. This takes the master key, because the session may be another program's.",
      }),
  })
  .meta({ id: 'CreateSession' });

/** The spec's session status object, with the engine's ids. */
export const SessionStatus = z
  .object({
    status: z.string(),
    phone: z.string().nullable(),
    accountName: z.string().nullable(),
    platform: z.string().nullable(),
    id: z.string(),
    name: z.string(),
    agencyId: z.string(),
    tenantId: z.string(),
    default: z.boolean(),
    statusChangedAt: z.iso.datetime(),
    lastError: z
      .string()
      .nullable()
      .meta({
        description:
          'Why it could not be connected, until it works. `session_name_refused`: the backend does not take its name; make ' +
          'another session, without `name` or with a shorter one, and with `"default": true` where it was the default. ' +
          '`session_name_taken`: the backend has a session of this name that the engine did not make; the operator deletes it ' +
          'there, or connects it with `"adopt": true`. ' +
          '`session_settings_refused`: the backend does not take the address or the events of the engine; its operator must ' +
          'set PUBLIC_URL right and start the engine again. These three are final. Others (`backend_unavailable`, ' +
          '`backend_error`) are tried again without end.',
      }),
  })
  .meta({ id: 'SessionStatus' });
export type SessionStatus = z.infer<typeof SessionStatus>;

/** The spec's session details object. */
export const SessionDetails = z
  .object({
    pushname: z.string().nullable(),
    platform: z.string().nullable(),
    wid: z.object({ server: z.string(), user: z.string(), _serialized: z.string() }),
  })
  .meta({ id: 'SessionDetails' });
