import { handOverFailedReplies, handOverLateTurns } from '../db/agent/owed.ts';
import type { Database } from '../db/engine/database.ts';
import type { Log } from '../domain/log.ts';
import { SharedPoll } from './shared-poll.ts';

// A file of its own, because the dispatcher is as long as a file may be.

const POLL_MS = 2_000;

/**
 * Hands conversations to a person that the agent owes an answer for too long, or whose reply failed. One sweep runs in
 * every api and worker process and needs no Temporal, because Temporal may be what is late.
 */
export class OwedSweep {
  readonly #database: Database;
  readonly #log: Pick<Log, 'warn'>;
  readonly #poll: SharedPoll;

  constructor(database: Database, log: Pick<Log, 'warn'>) {
    this.#database = database;
    this.#log = log;
    this.#poll = new SharedPoll(database.wakeups, 'owed', POLL_MS);
  }

  /** Begins to hear of the looks of others; the returned function ends that. */
  listen(): () => void {
    return this.#poll.listen();
  }

  async round(stop: AbortSignal): Promise<void> {
    await this.#database.wakeups.wait('polled', 'never', this.#poll.restMs(), stop);
    if (stop.aborted || this.#poll.restMs() > 0) return;
    const replies = await handOverFailedReplies(this.#database, stop);
    const turns = await handOverLateTurns(this.#database, stop);
    for (const { conversationId, error } of [...replies.failed, ...turns.failed])
      this.#log.warn({ err: error, conversationId }, 'a conversation could not be handed over; the engine retries it');
    if (!replies.mayBeMore && !turns.mayBeMore) this.#poll.looked();
  }
}
