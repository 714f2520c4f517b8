import { stopElsewhere } from '../../adapters/backend/stop-elsewhere.ts';
import { askSession } from '../../db/operations/ask-session.ts';
import { moveToBackend } from '../../db/operations/move-to-backend.ts';
import { applySessionStatus } from '../../db/network/ingest.ts';
import { forgetBackendKey, readBackendKey } from '../../db/sessions/backend-key.ts';
import { recordDeleted } from '../../db/sessions/delete.ts';
import { findSessionById, recordSessionError } from '../../db/sessions/session.ts';
import type { Session } from '../../db/sessions/session.ts';
import { noteRequest, recordDeed, recordDeedDone } from '../../db/sessions/wish.ts';
import { deleteEndpointsOf } from '../../db/webhooks/session-endpoints.ts';
import type { BackendSession } from '../../adapters/backend/calls/sessions.ts';
import { EngineError, notFound } from '../../domain/error.ts';
import { FAILED } from '../../domain/sessions/session.ts';
import { isRefusal } from '../../domain/sessions/session-error.ts';
import { RECOVERY } from '../../domain/sessions/change.ts';
import { COMPARISON } from '../../domain/sessions/comparison.ts';
import { GAP_COMPARISON } from '../../domain/sessions/gap.ts';
import type { Deed } from '../../domain/sessions/change.ts';
import { whyNot } from '../../domain/sessions/wish.ts';
import type { SessionAct } from '../../domain/sessions/wish.ts';
import { beating } from '../heartbeat.ts';
import type { Connector, SessionDependencies } from './connect.ts';
import { createDrain } from './drain.ts';
import { stepNow } from './next-deed.ts';
import type { Step } from './next-deed.ts';
import type { Comparer } from './comparison.ts';
import type { GapComparer } from './gaps.ts';

/** The result of a pass over the requested acts: done, or waiting for sends under way. */
export interface CarriedOut {
  deed: Step | null;
  waitMs: number;
}

/** A person's decision about a session, made in its execution. */
interface SignedRequest {
  sessionId: string;
  actor: string;
  reason: string;
  /** The update's id. The activity may run again without knowing that it has already decided; the id tells it. */
  requestId: string;
}
export interface SessionDecision extends SignedRequest {
  act: SessionAct;
}
export interface MoveDecision extends SignedRequest {
  backend: string;
}

type Seen = Pick<BackendSession, 'status' | 'me' | 'platform'>;
const GONE: Seen = { status: 'STOPPED', me: null, platform: null };

/** The part of a supervisor that does something to its session at the backend. */
export function createActs(
  deps: SessionDependencies,
  { connect, inTurn, compare, compareGap }: Connector & Pick<Comparer, 'compare'> & GapComparer,
) {
  const { database, backends } = deps;
  const drain = createDrain(deps);

  /**
   * Does what somebody has asked for, brings a session back that is down, or compares one that is taken for silent or
   * has a gap. It decides from the row whether there is anything to do, so an attempt that is repeated does what is wanted by then.
   * Rows: session, message.
   */
  async function carryOut({ sessionId }: { sessionId: string }): Promise<CarriedOut> {
    return beating(async () => {
      const session = await database.read((queries) => findSessionById(queries, sessionId));
      const deed = session && !session.deletedAt ? stepNow(session, database.clock.now()) : null;
      if (!session || deed === null) return { deed: null, waitMs: 0 };
      if (deed === COMPARISON) {
        await compare(session);
        return { deed, waitMs: 0 };
      }
      if (deed === GAP_COMPARISON) {
        await compareGap(session);
        return { deed, waitMs: 0 };
      }
      const waitMs = deed === RECOVERY ? null : await drain.untilClear(session, deed);
      if (waitMs !== null) return { deed: null, waitMs };
      await inTurn(session, () => act(session, deed));
      return { deed, waitMs: 0 };
    });
  }

  async function act(session: Session, deed: Deed): Promise<void> {
    // It is recorded first, so that the statuses which follow at the backend are known to follow from it, and an
    // attempt to bring a session back counts even where the backend does not answer. Another answer of the backend is
    // recorded, too.
    await database.statement((tx) => recordDeed(tx, session.id, deed));
    const seen = await perform(session, deed).catch(async (error: unknown) => {
      const code = error instanceof EngineError ? error.code : 'internal';
      // The session already shows that no configuration has its backend.
      if (backends.knows(session)) await database.statement((tx) => recordSessionError(tx, session.id, code));
      throw error;
    });
    if (deed === 'delete') await drain.endWaiting(session.id);
    await database.transaction(async (tx) => {
      await recordDeedDone(tx, session.id, { deed, askedAt: session.askedAt ?? null });
      if (seen !== null) {
        const { status, me, platform } = seen;
        const at = session.statusAt.getTime();
        const report = { kind: 'session', key: `${deed}:${session.id}`, status, at, me, platform } as const;
        await applySessionStatus(tx, session, report);
      }
      if (deed !== 'delete') return;
      await recordDeleted(tx, session.id);
      await deleteEndpointsOf(tx, session.id);
    });
  }

  /** Returns what the backend says afterwards; null where it refuses to make the session, which is recorded. */
  async function perform(session: Session, deed: Deed): Promise<Seen | null> {
    if (deed === 'start') return start(session);
    if (deed === 'restart' || deed === RECOVERY) return restart(session);
    // The engine cannot reach a backend without configuration, and nothing there sends any more.
    if (!backends.knows(session)) return GONE;
    const backend = backends.of(session);
    const found = await backend.getSession(session.name);
    // Another program may own the session of this name, so leave it alone.
    if (found?.sessionId !== session.id) return GONE;
    if (deed === 'stop' || deed === 'delete') {
      if (deed === 'delete') await revokeKey(session);
      await (deed === 'stop' ? backend.stopSession(session.name) : backend.deleteSession(session.name));
      return GONE;
    }
    const out = await backend.logoutSession(session.name);
    return deed === 'relogin' && out.status === GONE.status ? backend.startSession(session.name) : out;
  }

  /** The key that requests of its own carried would open whatever bears the session's name later. */
  async function revokeKey(session: Session): Promise<void> {
    const { id } = session;
    const kept = await database.read((queries) => readBackendKey(queries, id));
    if (kept === null) return;
    await backends.of(session).deleteSessionKey(kept.id);
    await database.statement((tx) => forgetBackendKey(tx, id, kept.id));
  }

  async function start(session: Session): Promise<Seen | null> {
    const backend = backends.of(session);
    const made = await connect(session, backend.createSession);
    return made?.status === FAILED ? backend.restartSession(session.name) : made;
  }

  async function restart(session: Session): Promise<Seen | null> {
    const backend = backends.of(session);
    const found = await backend.getSession(session.name);
    const made = await connect(session, backend.ensureSession);
    return made === null || found === null ? made : backend.restartSession(session.name);
  }

  /**
   * Records a person's decision about a session; `carryOut` does it. Safe to repeat: a request decides once.
   * Rows: session, audit_entry.
   */
  async function decideSession({ sessionId, act: asked, actor, reason, requestId }: SessionDecision): Promise<void> {
    await database.transaction(async (tx) => {
      const session = await findSessionById(tx, sessionId);
      if (!session || session.wish === 'deleted') throw notFound('session');
      if (!(await noteRequest(tx, sessionId, requestId))) return;
      const { status, chatId = null, lastError = null } = session;
      const no = whyNot(asked, { status, hasAccount: chatId !== null, isRefused: isRefusal(lastError) });
      if (no !== null) throw new EngineError('session_not_ready', no);
      await askSession(tx, session, { act: asked, by: { keyId: null, actor, reason } });
    });
  }

  /**
   * Moves a session to another backend by a person's decision, and stops it at the former one. Safe to repeat: a request
   * decides once. Rows: session, audit_entry.
   */
  async function moveSession({ sessionId, backend, actor, reason, requestId }: MoveDecision): Promise<void> {
    if (!backends.knows({ backend })) {
      const known = backends.servers.map(({ id }) => id).join(', ');
      throw new EngineError('invalid_request', `"backend" must be one of ${known}.`);
    }
    const session = await database.transaction(async (tx) => {
      const found = await findSessionById(tx, sessionId);
      if (!found || found.wish === 'deleted') throw notFound('session');
      if (!(await noteRequest(tx, sessionId, requestId))) return found;
      const moved = await moveToBackend(tx, sessionId, { backend, by: { keyId: null, actor, reason } });
      return moved?.session ?? found;
    });
    // An attempt before this one may have moved it and come no further.
    await stopElsewhere(backends, session);
  }

  return { carryOut, decideSession, moveSession };
}
