import type { CallsOf } from '../../adapters/backend/backends.ts';
import { FORMER_BACKEND_EVENTS } from '../../adapters/backend/events/events.ts';
import { sessionWebhookSecret } from '../../adapters/backend/events/session-secret.ts';
import type { BackendSession } from '../../adapters/backend/calls/sessions.ts';
import type { SessionSpec } from '../../adapters/backend/calls/session-settings.ts';
import { failSession } from '../../db/network/session-failure.ts';
import { recordSessionError } from '../../db/sessions/session.ts';
import type { Session } from '../../db/sessions/session.ts';
import { DEFAULT_BACKEND } from '../../domain/backend-server.ts';
import { EngineError } from '../../domain/error.ts';
import { createFairSlots } from '../../domain/fair-slots.ts';
import { SESSION_REFUSALS } from '../../domain/sessions/session-error.ts';
import type { SessionRefusal } from '../../domain/sessions/session-error.ts';
import type { ActivityDependencies } from '../dependencies.ts';

/** The dependencies of supervisors. */
export interface SessionDependencies extends Pick<
  ActivityDependencies,
  'database' | 'backendWebhook' | 'silence' | 'auditEveryMs'
> {
  backends: Pick<ActivityDependencies['backends'], 'knows' | 'servers'> &
    CallsOf<
      | 'createSession'
      | 'ensureSession'
      | 'getSession'
      | 'startSession'
      | 'stopSession'
      | 'restartSession'
      | 'logoutSession'
      | 'deleteSession'
      | 'deleteSessionKey'
      | 'listChats'
      | 'listMessages'
    >;
}

/**
 * One process makes, starts and stops this many sessions at the same time: when a backend has lost all its sessions,
 * they come back in turns. Whoever finds no place soon is tried again by Temporal, and holds no place among activities
 * meanwhile.
 */
const LIFECYCLE_CALLS = { perOwner: 1, inAll: 16 };
const PLACE_WAIT_MS = 1_000;

export type Connector = ReturnType<typeof createConnector>;

/** Makes sessions at the backend, and records why one cannot be made. */
export function createConnector({
  database,
  backendWebhook,
}: Pick<SessionDependencies, 'database' | 'backendWebhook'>) {
  const places = createFairSlots(LIFECYCLE_CALLS);

  /** Does something to a session at the backend, in its turn. */
  async function inTurn<T>(session: Pick<Session, 'id'>, work: () => Promise<T>): Promise<T> {
    const giveBack = await places.acquire(session.id, PLACE_WAIT_MS);
    if (giveBack === null) throw new EngineError('busy', 'Too many sessions are being started: it waits for its turn.');
    try {
      return await work();
    } finally {
      giveBack();
    }
  }

  /**
   * Returns null when the backend will never make the session as it is. `keepsFormerEvents`: a session that hears what
   * the previous release asked for is left alone.
   */
  async function connect(
    session: Session,
    make: (spec: SessionSpec) => Promise<BackendSession>,
    { keepsFormerEvents = false }: { keepsFormerEvents?: boolean } = {},
  ): Promise<BackendSession | null> {
    try {
      return await make({
        name: session.name,
        sessionId: session.id,
        adopts: session.adopts,
        webhookUrl: backendWebhook.url,
        webhookSecret: sessionWebhookSecret(backendWebhook.secret, session),
        ...(session.backend === DEFAULT_BACKEND ? { formerWebhookSecret: backendWebhook.secret } : {}),
        events: backendWebhook.events,
        ...(keepsFormerEvents ? { formerEvents: FORMER_BACKEND_EVENTS } : {}),
      });
    } catch (error) {
      if (error instanceof EngineError && (error.code === 'invalid_request' || error.code === 'name_taken')) {
        const refusal = refusalOf(error);
        await database.transaction((tx) => failSession(tx, session, refusal));
        return null;
      }
      const code = error instanceof EngineError ? error.code : 'internal';
      await database.transaction((tx) => recordSessionError(tx, session.id, code));
      throw error;
    }
  }

  return { connect, inTurn };
}

/** Says why the backend will never make the session. */
function refusalOf({ code, fields }: EngineError): SessionRefusal {
  if (code === 'name_taken') return SESSION_REFUSALS.taken;
  return fields.some(({ pointer }) => pointer === '/name') ? SESSION_REFUSALS.name : SESSION_REFUSALS.settings;
}
