import { createHash } from 'node:crypto';
import type { BackendSession } from '../../adapters/backend/calls/sessions.ts';
import { findSessionById, recordSessionError } from '../../db/sessions/session.ts';
import type { Session } from '../../db/sessions/session.ts';
import { applySessionStatus } from '../../db/network/ingest.ts';
import { readSessionBacklog } from '../../db/sessions/session-backlog.ts';
import type { SessionBacklog, UnclosedGaps } from '../../db/sessions/session-backlog.ts';
import { readWebhookState, recordLook } from '../../db/sessions/session-webhook.ts';
import { recordToldAccount } from '../../db/sessions/audited-account.ts';
import { wantSync } from '../../db/network/sync/want.ts';
import { promiseContactSync } from '../../db/sessions/session-workflow.ts';
import { recordSteady } from '../../db/sessions/wish.ts';
import { recordNewChats } from '../../db/sending/pace.ts';
import { resumeQueues } from '../../db/sending/promote.ts';
import { isContactListDue } from '../../domain/network/contact-list.ts';
import { WORKING } from '../../domain/sessions/session.ts';
import { RESTARTS_USED_UP } from '../../domain/sessions/session-error.ts';
import { isSyncDue } from '../../domain/sessions/history-sync.ts';
import { STEADY_AFTER_MS } from '../../domain/sessions/recovery.ts';
import { createActs } from './acts.ts';
import { createComparer } from './comparison.ts';
import { createGapComparer } from './gaps.ts';
import { createConnector } from './connect.ts';
import type { SessionDependencies } from './connect.ts';
import { nextOf } from './next-deed.ts';
import type { Next } from './next-deed.ts';
import type { Database } from '../../db/engine/database.ts';
import { isFormerProcessConnected } from '../../db/former-processes.ts';
import { listOpenSends } from '../../db/sending/open-send.ts';

export type SessionActivities = ReturnType<typeof createSessionActivities>;

/**
 * A session's state for its supervisor. The wishes are missing if only running was ever wanted; the next step, if none
 * is due; the silence, if the session is not silent.
 */
export interface Followed extends Next {
  status: string | null;
  refused?: boolean;
  backlog?: SessionBacklog;
  /** The gaps that are not closed; missing while there is none. */
  gaps?: UnclosedGaps;
}

const FIRST_SYNC = { cause: 'first', pages: null } as const;
const RETURN_SYNC = { cause: 'connected', pages: 1 } as const;
/** No queue needs this many rounds, so only a mistake reaches this bound. */
const MAX_RESUME_ROUNDS = 100;

export function createSessionActivities(deps: SessionDependencies) {
  const { database, backends, backendWebhook } = deps;
  const connector = createConnector(deps);
  const comparer = createComparer(deps);
  const gapComparer = createGapComparer(deps);
  const mustWaitForRenewal = createRenewal(database);
  /** The sessions whose webhook this process has compared; it does so once, whoever may have changed it meanwhile. */
  const compared = new Set<string>();

  /**
   * Makes the session at the backend, or brings its webhook up to date. `refused` means that the backend will never
   * make the session as it is. A session that is not to run, or that somebody has asked something of, is left to what
   * follows. Safe to repeat: creating is idempotent by name. Rows: session.
   */
  async function connectSession({ sessionId }: { sessionId: string }): Promise<'connected' | 'refused' | undefined> {
    const session = await database.read((queries) => findSessionById(queries, sessionId));
    if (!session) return undefined;
    if (session.wish !== 'running' || session.asked) return 'connected';
    const keepsFormerEvents = await mustWaitForRenewal(session);
    const { createSession } = backends.of(session);
    const made = await connector.inTurn(session, () =>
      connector.connect(session, createSession, { keepsFormerEvents }),
    );
    return made === null ? 'refused' : 'connected';
  }

  /**
   * Brings the session's webhook up to date, unless a younger process has done so. Makes a session again that is gone
   * and is to run, unless the backend refuses; another program may have put its own in its place.
   */
  async function lookAt(session: Session): Promise<{ seen: BackendSession | null; hasOurs: boolean; isNew?: boolean }> {
    const state = await database.read((queries) => readWebhookState(queries, session.id, backendWebhook));
    const isLeft = state === 'newer' || (state === 'ours' && compared.has(session.id));
    const mayMake = session.wish === 'running';
    const found = isLeft || !mayMake ? await backends.of(session).getSession(session.name) : null;
    if (found?.sessionId === session.id && isLeft) return { seen: found, hasOurs: state === 'ours' };
    if (found === null && !mayMake) return { seen: absent(session), hasOurs: state === 'ours' };
    const keepsFormerEvents = await mustWaitForRenewal(session);
    const { ensureSession } = backends.of(session);
    const seen = await connector.inTurn(session, () =>
      connector.connect(session, ensureSession, { keepsFormerEvents }),
    );
    if (seen?.awaitsRenewal !== true) compared.add(session.id);
    return { seen, hasOurs: true, isNew: isLeft && found === null };
  }

  /**
   * Reads the status at the backend and records it, because a webhook may have been lost or late, and says what is to
   * be done next. The status is null when the session is no longer ours or the backend refuses to make it again. Safe to
   * repeat: an unchanged status changes nothing.
   * Rows: session, dispatch.
   */
  async function followSession({ sessionId }: { sessionId: string }): Promise<Followed> {
    const session = await database.read((queries) => findSessionById(queries, sessionId));
    if (!session || session.deletedAt) {
      compared.delete(sessionId);
      return { status: null };
    }
    // Requested acts come first, because a backend that hides the session must not prevent its deletion.
    if (session.asked) return { status: session.status, ...nextOf(session, database.clock.now()) };
    // The row says that its sends wait; the watch asks for a look when the backend is configured again.
    if (!backends.knows(session)) return { status: session.status };
    const { seen, hasOurs, isNew } = await lookAt(session);
    if (seen === null) return { status: null, refused: true };
    const { status, me, platform, newChats } = seen;
    const changed =
      status === WORKING ? { ...(await comparer.look(session)), ...(await gapComparer.audit(session)) } : {};
    await database.transaction(async (tx) => {
      await recordLook(tx, sessionId, hasOurs ? backendWebhook : null);
      const now = { kind: 'session', key: `poll:${sessionId}`, status, me, platform } as const;
      // We record the time of the last report, because a report that arrived while we asked is newer than this answer.
      const at = session.statusAt.getTime();
      await applySessionStatus(tx, session, { ...now, at }, isNew ? 'lost_by_backend' : undefined);
      if (newChats !== null) await recordNewChats(tx, sessionId, newChats);
    });
    if (status === WORKING) await whenWorking(session);
    const [{ gaps, ...backlog }, now] = await Promise.all([
      database.read((queries) => readSessionBacklog(queries, session)),
      status === WORKING || status === session.status ? session : findSession(sessionId),
    ]);
    const next = now ? nextOf({ ...now, ...changed, status }, database.clock.now()) : {};
    if (next.wishes?.isUsedUp === true && now?.lastError !== RESTARTS_USED_UP) {
      await database.statement((tx) => recordSessionError(tx, sessionId, RESTARTS_USED_UP));
    }
    return { status, backlog, ...(gaps && { gaps }), ...next };
  }

  function findSession(sessionId: string): Promise<Session | null> {
    return database.read((queries) => findSessionById(queries, sessionId));
  }

  /**
   * Releases the session's messages in transactions after the one that wrote WORKING, so that these see the sends that
   * were accepted while that one committed.
   */
  async function whenWorking(session: Session): Promise<void> {
    for (let round = 0; round < MAX_RESUME_ROUNDS; round += 1) {
      const moved = await database.transaction((tx) => resumeQueues(tx, session.id));
      if (moved === 0) break;
    }
    const hasWorkedMs = database.clock.now().getTime() - session.statusChangedAt.getTime();
    if (session.restarts > 0 && session.status === WORKING && hasWorkedMs >= STEADY_AFTER_MS) {
      await database.statement((tx) => recordSteady(tx, session.id));
    }
    if (isFirstAccount(session)) await database.statement((tx) => recordToldAccount(tx, session));
    const now = database.clock.now();
    const syncedAt = session.syncedAt ?? null;
    const readsHistory = isSyncDue({ syncedAt, since: session.statusChangedAt }, now);
    const readAt = session.contactsSyncedAt ?? null;
    // Before its look has seen it work the row may tell of a former connection.
    const readsContacts =
      session.status === WORKING && isContactListDue({ readAt, since: session.statusChangedAt }, now);
    if (!readsHistory && !readsContacts) return;
    await database.transaction(async (tx) => {
      if (readsHistory) {
        const wanted = syncedAt === null ? FIRST_SYNC : RETURN_SYNC;
        await wantSync(tx, session.id, wanted);
      }
      if (readsContacts) await promiseContactSync(tx, session.id);
    });
  }

  return { connectSession, followSession, ...createActs(deps, { ...connector, ...comparer, ...gapComparer }) };
}

/** Gaps of the account before it are compared no more; that is seen to when they are due. */
function isFirstAccount({ chatId = null, toldAccount = null, gapsDueAt = null }: Session): boolean {
  return chatId !== null && chatId !== toldAccount && gapsDueAt === null;
}

/** Returns the backend's answer for a session that it lacks and that must not run. */
function absent({ name, id }: Session): BackendSession {
  return { name, sessionId: id, status: 'STOPPED', me: null, platform: null, restriction: null, newChats: null };
}

/** The sessions of a fleet are renewed over this time, so that a backend does not restart all of them at once. */
const SPREAD_MS = 60 * 60_000;

/**
 * Decides when a session that the previous release has made is subscribed to what is new, which restarts it: once no
 * process of that release is left, which would put its own subscription back; when the session's turn has come; and
 * while none of its sends is on its way. Until then the session goes on as it is.
 */
export function createRenewal(database: Pick<Database, 'read'>, spreadMs = SPREAD_MS) {
  const startedAt = performance.now();

  return async function mustWait({ id }: Pick<Session, 'id'>): Promise<boolean> {
    if (performance.now() - startedAt < turnOf(id) * spreadMs) return true;
    return database.read(
      async (queries) =>
        (await isFormerProcessConnected(queries)) || (await listOpenSends(queries, id, 'under_way')).length > 0,
    );
  };
}

/** Answers a number from 0 to 1 that is always the same for a session. */
function turnOf(sessionId: string): number {
  return createHash('sha256').update(sessionId).digest().readUInt32BE() / 2 ** 32;
}
