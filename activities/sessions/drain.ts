import { setTimeout as pause } from 'node:timers/promises';
import type { Session } from '../../db/sessions/session.ts';
import {
  endInDoubt,
  endWaiting as endWaitingOf,
  listConversationsWith,
  numberOf,
  readDrain,
} from '../../db/sending/in-flight/end-of-session.ts';
import type { Tx } from '../../db/engine/tx.ts';
import { drainMsOf, forgetsMessages } from '../../domain/sessions/wish.ts';
import type { SessionAct } from '../../domain/sessions/wish.ts';
import type { ActivityDependencies } from '../dependencies.ts';

/** An attempt looks for this long whether the last send is over; the workflow waits between two attempts. */
const LOOK_FOR_MS = 3_000;
const LOOK_EVERY_MS = 100;
/** A claim takes moments; a transaction that is open for longer is somebody else's. */
const CLAIMS_END_WITHIN_MS = 2_000;
const AGAIN_AFTER_MS = 10_000;
/** Conversations whose messages are ended before the next ones are listed. */
const PAGE = 100;

/** Lets what is on its way through a session come to its end before the session does. */
export function createDrain({ database }: Pick<ActivityDependencies, 'database'>) {
  /**
   * Returns null once nothing is on its way any more, or nothing is waited for any longer; else the time after which to
   * look again. Sends in doubt end as `uncertain` when the backend is about to forget its messages.
   */
  async function untilClear(session: Session, act: SessionAct): Promise<number | null> {
    const drainMs = drainMsOf(act);
    if (drainMs === null) return null;
    const { id: sessionId, askedAt } = session;
    const until = (askedAt?.getTime() ?? 0) + drainMs;
    // A claim that begins after this transaction has seen what was asked, and claims nothing.
    const transaction = await database.transaction(numberOf);
    const startedAt = performance.now();
    for (;;) {
      const { isClear, inFlight } = await database.read((queries) => readDrain(queries, { sessionId, transaction }));
      const lookedForMs = performance.now() - startedAt;
      if (inFlight === 0 && (isClear || lookedForMs >= CLAIMS_END_WITHIN_MS)) return null;
      if (database.clock.now().getTime() >= until) break;
      if (lookedForMs >= LOOK_FOR_MS) return AGAIN_AFTER_MS;
      await pause(LOOK_EVERY_MS);
    }
    if (forgetsMessages(act)) await endEach(sessionId, 'in_doubt', endInDoubt);
    return null;
  }

  /** Ends what waits to be sent by a session that is deleted. */
  async function endWaiting(sessionId: string): Promise<void> {
    await endEach(sessionId, 'waiting', endWaitingOf);
  }

  async function endEach(
    sessionId: string,
    states: 'in_doubt' | 'waiting',
    end: (tx: Tx, conversationId: string) => Promise<void>,
  ): Promise<void> {
    for (let last = ''; ;) {
      const ids = await database.read((queries) => listConversationsWith(queries, { sessionId, states, limit: PAGE }));
      // A page that did not change would come again for ever.
      if (ids.length === 0 || ids.join() === last) return;
      for (const id of ids) await database.transaction((tx) => end(tx, id));
      last = ids.join();
    }
  }

  return { untilClear, endWaiting };
}
