import { handOverFailedReplies, handOverLateTurns } from '../db/agent/owed.ts';
import type { Database } from '../db/engine/database.ts';
import type { Log } from '../domain/log.ts';
import { Sweep } from './shared-poll.ts';

// A file of its own, because it needs no Temporal, and the dispatcher that starts it is about nothing else.

const POLL_MS = 2_000;
const AFTER_FAILURE_MS = 1_000;

/**
 * Hands conversations to a person that the agent owes an answer for too long, or whose reply failed. One sweep runs in
 * every api and worker process and needs no Temporal, because Temporal may be what is late.
 */
export function owedSweep(database: Database, log: Pick<Log, 'warn'>): Sweep {
  return new Sweep({
    wakeups: database.wakeups,
    polled: 'owed',
    everyMs: POLL_MS,
    async look(stop) {
      const replies = await handOverFailedReplies(database, stop);
      const turns = await handOverLateTurns(database, stop);
      for (const { conversationId, error } of [...replies.failed, ...turns.failed])
        log.warn({ err: error, conversationId }, 'a conversation could not be handed over; the engine retries it');
      return replies.mayBeMore || turns.mayBeMore;
    },
    failed: (error) => log.warn({ err: error }, 'looking for late answers failed; the engine retries it'),
    afterFailureMs: AFTER_FAILURE_MS,
  });
}
