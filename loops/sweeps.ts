import { handOverFailedReplies, handOverLateTurns } from '../db/agent/owed.ts';
import { adoptOwnMessages } from '../db/network/adopt-own-messages.ts';
import { showUnexplained } from '../db/network/show-own-message.ts';
import type { Database } from '../db/engine/database.ts';
import type { FindPhone } from '../db/network/hidden-id.ts';
import type { Log } from '../domain/log.ts';
import { Sweep } from './shared-poll.ts';

const POLL_MS = 1_000;
const OWED_EVERY_MS = 2_000;
const SHOWN_AT_ONCE = 100;

/**
 * Adopts own messages that a person wrote on the phone. A message first waits, because it may turn out to be a send of
 * ours. One sweep runs in every api and worker process, so that a takeover needs only one of them to live.
 */
export function phoneSweep(database: Database, findPhone: FindPhone, log: Pick<Log, 'warn'>): Sweep {
  return new Sweep({
    wakeups: database.wakeups,
    polled: 'own-message',
    everyMs: POLL_MS,
    async look(stop) {
      const { notAdopted, mayBeMore } = await adoptOwnMessages(database, findPhone, { stop });
      for (const { sessionId, error } of notAdopted)
        log.warn({ err: error, sessionId }, 'a message from the phone could not be adopted; the engine retries it');
      for (const { sessionId, error } of await showUnexplained(database, { limit: SHOWN_AT_ONCE, stop }))
        log.warn({ err: error, sessionId }, 'a message from the phone could not be shown; the engine retries it');
      return mayBeMore;
    },
    failed: (error) => log.warn({ err: error }, 'looking for messages from phones failed; the engine retries it'),
    afterFailureMs: POLL_MS,
  });
}

/**
 * Hands conversations to a person that the agent owes an answer for too long, or whose reply failed. One sweep runs in
 * every api and worker process and needs no Temporal, because Temporal may be what is late.
 */
export function owedSweep(database: Database, log: Pick<Log, 'warn'>): Sweep {
  return new Sweep({
    wakeups: database.wakeups,
    polled: 'owed',
    everyMs: OWED_EVERY_MS,
    async look(stop) {
      const replies = await handOverFailedReplies(database, stop);
      const turns = await handOverLateTurns(database, stop);
      for (const { conversationId, error } of [...replies.failed, ...turns.failed])
        log.warn({ err: error, conversationId }, 'a conversation could not be handed over; the engine retries it');
      return replies.mayBeMore || turns.mayBeMore;
    },
    failed: (error) => log.warn({ err: error }, 'looking for late answers failed; the engine retries it'),
    afterFailureMs: POLL_MS,
  });
}
