import { z } from 'zod';
import { BackendId } from '../backend-server.ts';
import { PLATFORMS } from '../network/capabilities.ts';
import { explained } from '../explained.ts';
import { KeyId, SessionId } from '../ids.ts';
import { Target } from '../scope.ts';
import { MAX_SESSION_NAME_LENGTH } from '../session-name.ts';
import { SESSION_ACTS } from './wish.ts';
import type { SessionWish } from './wish.ts';

/** Statuses of the backend. It may add others, so an answer takes any text and the document lists those that are known. */
const STATUS_TEXTS = {
  STOPPED: 'It is not running.',
  STARTING: 'It was just created, or the backend is starting it; this takes a few seconds.',
  SCAN_QR_CODE: 'Its QR code is waiting to be scanned with the phone.',
  PASSKEY_REQUIRED: 'The phone asks for its passkey.',
  PASSKEY_CONFIRMATION_REQUIRED: 'The passkey is waiting to be confirmed on the phone.',
  WORKING: 'It is connected: messages are sent and received.',
  FAILED: 'It has lost its account or cannot start. `lastError` may say why.',
} as const;
export const SESSION_STATES = Object.keys(STATUS_TEXTS);
export const SessionState = z.string().meta({
  enum: SESSION_STATES,
  description: explained('The status of the session.', STATUS_TEXTS),
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
      "The session's name at the backend: 1 to 54 letters, digits, hyphens or underscores. Defaults to a name " +
      'generated from agency and tenant.',
  });

export const CreateSession = z
  .strictObject({
    ...Target,
    name: SessionName.optional(),
    default: z.boolean().optional().meta({ description: 'Whether the tenant uses it if a request names no session.' }),
    adopt: z
      .boolean()
      .optional()
      .meta({
        description:
          'Adopts a session of this name that the backend already has. Needs the master key, because another ' +
          'program may own it.\n\nIts account and its history stay; its webhooks are replaced.',
      }),
    backend: BackendId.optional().meta({
      description:
        'The messaging backend for the session, if there are several. This requires the master key.\n\nBy ' +
        'default, the engine chooses by weight and health.',
    }),
    engine: z
      .enum(PLATFORMS)
      .optional()
      .meta({
        description:
          "The backend's engine for the session, to get a capability that others lack. If no backend offers " +
          'it, the response is 422.\n\nOnly backends whose engine the operator has named are considered. `GET ' +
          '/api/v1/sessions/{id}/capabilities` lists capabilities.',
      }),
  })
  .meta({ id: 'CreateSession', description: 'The session to connect.' });

export const ChangeSession = z
  .strictObject({
    ...Target,
    default: z.literal(true).meta({
      description: 'Makes it the session that the tenant uses if a request names none, in place of the previous one.',
    }),
  })
  .meta({ id: 'ChangeSession', description: 'A change of a session.' });

/** A deleted session is shown to nobody, so its answer is the last in which it appears. */
const WANTED_TEXTS = {
  running: 'It is to run: the engine restores it if it stops or fails by itself.',
  stopped: 'It was stopped, and stays stopped until someone starts it.',
  logged_out: 'It was logged out. It runs again once someone scans its code.',
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
    tenantId: z.string().meta({ description: 'The tenant that it belongs to.' }),
    default: z.boolean().meta({ description: 'True if the tenant uses it when a request names no session.' }),
    wanted: z.string().meta({
      enum: Object.keys(WANTED_TEXTS),
      description: explained('The requested state.', WANTED_TEXTS),
    }),
    pending: z
      .string()
      .nullable()
      .meta({
        enum: [...SESSION_ACTS, null],
        description:
          'A requested action that is not done yet: sends in progress end first, and an unavailable backend is ' +
          'waited for. Until then nothing else is sent, unless the session is only to be started.\n\nNull if ' +
          'nothing is pending.',
      }),
    statusChangedAt: z.iso.datetime().meta({ description: 'Since when it has this status.' }),
    silentSince: z.iso
      .datetime()
      .nullable()
      .meta({
        description:
          'Since when nothing was heard of a session that reports that it works and should have reported ' +
          'something. The engine fetches what it has missed and restarts the session.\n\nNull while nothing is ' +
          'wrong. `session.silent` reports it.',
      }),
    lastError: z
      .string()
      .nullable()
      .meta({
        description:
          'Why the session is not connected, kept until it works. The value shows whether to create, fix, ' +
          'start or log out the session.\n\n`session_name_refused`: the backend refuses the name. Create another ' +
          'session with a shorter one, and with `"default": true` if it was the default. `session_name_taken`: ' +
          'the backend has a session of this name that the engine did not create. The operator deletes it ' +
          'there, or connects it with `"adopt": true`. `session_settings_refused`: the backend refuses the ' +
          "engine's address or events. The operator corrects PUBLIC_URL and starts the engine again. These " +
          "three are final. `backend_not_configured`: the configuration no longer has the session's backend, " +
          'so its sends wait. The operator restores it, or moves the session. `session_restarts_used_up`: ' +
          'restarts failed for about a day. Start it once the cause is gone, or log it out and scan a new ' +
          'code. Others (`backend_unavailable`, `backend_error`) are retried without end.',
      }),
  })
  .meta({ id: 'SessionStatus', description: 'A session and its status.' });
export type SessionStatus = z.infer<typeof SessionStatus>;

export const SessionCreated = SessionStatus.extend({
  aiAdminKeys: z
    .array(
      z.object({
        id: KeyId,
        name: z.string().meta({ description: 'The name of the key.' }),
        sessionId: SessionId,
      }),
    )
    .optional()
    .meta({
      description:
        "Keys of the tenant's other sessions that may set the agent of this one, too. Present from the second " +
        'session on.',
    }),
}).meta({ id: 'SessionCreated', description: 'The session, and the keys that may set its agent.' });

/** The spec's session details object. */
export const SessionDetails = z
  .object({
    pushname: z.string().nullable().meta({ description: 'The name that the account shows to others.' }),
    platform: z.string().nullable().meta({ description: "The backend's engine behind the session, such as `NOWEB`." }),
    wid: z
      .object({
        server: z.string().meta({ description: 'The part after the @, such as `c.us`.' }),
        user: z.string().meta({ description: "The account's phone number, in digits." }),
        _serialized: z.string().meta({ description: 'The two parts together, as the network writes them.' }),
      })
      .meta({ description: "The account's address on the network." }),
  })
  .meta({ id: 'SessionDetails', description: 'The account that is connected.' });
