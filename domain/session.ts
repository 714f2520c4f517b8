import { z } from 'zod';
import { BackendId } from './backend-server.ts';
import { PLATFORMS } from './network/capabilities.ts';
import { explained } from './explained.ts';
import { SessionId } from './ids.ts';
import { Target } from './scope.ts';
import { MAX_SESSION_NAME_LENGTH } from './session-name.ts';
import { SESSION_ACTS } from './sessions/wish.ts';
import type { SessionWish } from './sessions/wish.ts';

/** Statuses of the backend. It may add others, so an answer takes any text and the document lists those that are known. */
const STATUS_TEXTS = {
  STOPPED: 'It does not run.',
  STARTING: 'It was just created, or the backend starts it; this takes some seconds.',
  SCAN_QR_CODE: 'Its QR code waits to be scanned with the phone.',
  PASSKEY_REQUIRED: 'The phone asks for its passkey.',
  PASSKEY_CONFIRMATION_REQUIRED: 'The passkey waits to be confirmed on the phone.',
  WORKING: 'It is connected: messages go out and come in.',
  FAILED: 'It has lost its account or cannot start. `lastError` may say why.',
} as const;
export const SESSION_STATES = Object.keys(STATUS_TEXTS);
export const SessionState = z.string().meta({
  enum: SESSION_STATES,
  description: explained('How the session is.', STATUS_TEXTS),
});

/** Also what the engine says of a session that it has just made, until the backend says more. */
export const STARTING = 'STARTING';
export const WORKING = 'WORKING';
export const FAILED = 'FAILED';
export const SCAN_QR_CODE = 'SCAN_QR_CODE';

const SessionName = z
  .string()
  .regex(/^[A-Za-z0-9_-]+$/, 'must be letters, digits, hyphens or underscores')
  .max(MAX_SESSION_NAME_LENGTH)
  .meta({
    description:
      "The session's name at the backend: 1 to 54 letters, digits, hyphens or underscores. Made from agency and tenant when left out.",
  });

/**
 * The reasons, as `lastError` shows them, for which the backend will never make a session, so that it is not asked
 * again.
 */
export const SESSION_REFUSALS = {
  name: 'session_name_refused',
  taken: 'session_name_taken',
  settings: 'session_settings_refused',
} as const;
/** As `lastError` shows it: the supervisor has brought the session back as often as it may, and a person must see to it. */
export const RESTARTS_USED_UP = 'session_restarts_used_up';

/** True for a reason for which the backend will never make the session. */
export function isRefusal(lastError: string | null): boolean {
  return Object.values<string | null>(SESSION_REFUSALS).includes(lastError);
}
export type SessionRefusal = (typeof SESSION_REFUSALS)[keyof typeof SESSION_REFUSALS];

export const CreateSession = z
  .strictObject({
    ...Target,
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
    backend: BackendId.optional().meta({
      description:
        'The messaging backend that is to hold the session, where there are several. This takes the master key; left out, the ' +
        'engine chooses by weight and health.',
    }),
    engine: z
      .enum(PLATFORMS)
      .optional()
      .meta({
        description:
          "The backend's engine that is to be behind the session, as for what only one of them can " +
          '(`GET /api/v1/sessions/{id}/capabilities`). Only backends whose engine the operator has named are chosen from then; ' +
          '422 where there is none of it.',
      }),
  })
  .meta({ id: 'CreateSession', description: 'Which session is connected.' });

export const ChangeSession = z
  .strictObject({
    ...Target,
    default: z.literal(true).meta({
      description: 'Makes it the session that the tenant uses when a request names none, in place of the one before.',
    }),
  })
  .meta({ id: 'ChangeSession', description: 'What is changed about a session.' });

/** A deleted session is shown to nobody, so its answer is the last in which it appears. */
const WANTED_TEXTS = {
  running: 'It runs: the engine brings it back when it stops or fails by itself.',
  stopped: 'It was stopped, and stays so until somebody starts it.',
  logged_out: 'It was logged out. It runs again once somebody scans its code.',
  deleted: 'It is deleted.',
} as const satisfies Record<SessionWish, string>;

/** The spec's session status object, with the engine's ids. */
export const SessionStatus = z
  .object({
    status: SessionState,
    phone: z
      .string()
      .nullable()
      .meta({ description: "The account's phone number, in digits. Null before an account is connected." }),
    accountName: z.string().nullable().meta({ description: 'The name that the account shows to others.' }),
    platform: z.string().nullable().meta({
      description: "The backend's engine behind the session: `NOWEB`, `GOWS` or `WEBJS`. Null until it has started.",
    }),
    id: SessionId,
    name: z.string().meta({ description: "The session's name at the backend." }),
    backend: z.string().meta({
      description: 'The messaging backend that holds it: `default`, unless the operator runs several.',
    }),
    agencyId: z.string().meta({ description: 'The agency of its tenant.' }),
    tenantId: z.string().meta({ description: 'The tenant that it is bound to.' }),
    default: z.boolean().meta({ description: 'True where the tenant uses it when a request names none.' }),
    wanted: z.string().meta({
      enum: Object.keys(WANTED_TEXTS),
      description: explained('What somebody has asked of it.', WANTED_TEXTS),
    }),
    pending: z
      .string()
      .nullable()
      .meta({
        enum: [...SESSION_ACTS, null],
        description:
          'What somebody has asked for that is not done yet: sends that are on their way end first, and a backend that is ' +
          'away is waited for. Until then nothing else is sent, unless it is only to be started. Null when nothing is pending.',
      }),
    statusChangedAt: z.iso.datetime().meta({ description: 'Since when it has this status.' }),
    silentSince: z.iso
      .datetime()
      .nullable()
      .meta({
        description:
          'Since when nothing was heard of a session that says that it works, and should have heard something: the engine ' +
          'fetches what it has missed and restarts it. Null while nothing is wrong. `session.silent` tells of it.',
      }),
    lastError: z
      .string()
      .nullable()
      .meta({
        description:
          'Why it is not connected, until it works. `session_name_refused`: the backend does not take its name; make ' +
          'another session with a shorter one, and with `"default": true` where it was the default. ' +
          '`session_name_taken`: the backend has a session of this name that the engine did not make; the operator deletes it ' +
          'there, or connects it with `"adopt": true`. ' +
          '`session_settings_refused`: the backend does not take the address or the events of the engine; its operator must ' +
          'set PUBLIC_URL right and start the engine again. These three are final. `backend_not_configured`: the backend that ' +
          'holds it was taken from the configuration, so its sends wait; the operator puts it back, or moves the session. ' +
          '`session_restarts_used_up`: the engine has brought it back again and again for about a day, and it failed each time; ' +
          'start it once the cause is gone, or log it out and scan a new code. Others ' +
          '(`backend_unavailable`, `backend_error`) are tried again without end; where the session was connected, its backend ' +
          'is down and its messages wait.',
      }),
  })
  .meta({ id: 'SessionStatus', description: 'A session and how it is.' });
export type SessionStatus = z.infer<typeof SessionStatus>;

/** The spec's session details object. */
export const SessionDetails = z
  .object({
    pushname: z.string().nullable().meta({ description: 'The name that the account shows to others.' }),
    platform: z.string().nullable().meta({ description: "The backend's engine behind the session, such as `NOWEB`." }),
    wid: z
      .object({
        server: z.string().meta({ description: 'What stands behind the @, such as `c.us`.' }),
        user: z.string().meta({ description: "The account's phone number, in digits." }),
        _serialized: z.string().meta({ description: 'Both, as the network writes them.' }),
      })
      .meta({ description: "The account's address on the network." }),
  })
  .meta({ id: 'SessionDetails', description: 'The account that is connected.' });
