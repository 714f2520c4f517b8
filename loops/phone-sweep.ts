import { adoptOwnMessages } from '../db/network/adopt-own-messages.ts';
import { showUnexplained } from '../db/network/show-own-message.ts';
import type { Database } from '../db/engine/database.ts';
import type { FindPhone } from '../db/network/hidden-id.ts';
import type { Log } from '../domain/log.ts';
import { SharedPoll } from './shared-poll.ts';

const POLL_MS = 1_000;
const SHOWN_AT_ONCE = 100;

/**
 * Adopts own messages that a person wrote on the phone. A message first waits, because it may turn out to be a send of
 * ours. One sweep runs in every api and worker process, so that a takeover needs only one of them to live.
 */
export class PhoneSweep {
  readonly #database: Database;
  readonly #findPhone: FindPhone;
  readonly #log: Pick<Log, 'warn'>;
  readonly #poll: SharedPoll;

  constructor(database: Database, findPhone: FindPhone, log: Pick<Log, 'warn'>) {
    this.#database = database;
    this.#findPhone = findPhone;
    this.#log = log;
    this.#poll = new SharedPoll(database.wakeups, 'own-message', POLL_MS);
  }

  /** Begins to hear of the looks of others; the returned function ends that. */
  listen(): () => void {
    return this.#poll.listen();
  }

  async round(stop: AbortSignal): Promise<void> {
    await this.#database.wakeups.wait('polled', 'never', this.#poll.restMs(), stop);
    if (stop.aborted || this.#poll.restMs() > 0) return;
    const { notAdopted, mayBeMore } = await adoptOwnMessages(this.#database, this.#findPhone, { stop });
    for (const { sessionId, error } of notAdopted)
      this.#log.warn({ err: error, sessionId }, 'a message from the phone could not be adopted; the engine retries it');
    for (const { sessionId, error } of await showUnexplained(this.#database, { limit: SHOWN_AT_ONCE, stop }))
      this.#log.warn({ err: error, sessionId }, 'a message from the phone could not be shown; the engine retries it');
    if (!mayBeMore) this.#poll.looked();
  }
}
