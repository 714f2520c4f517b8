import type { Database } from '../engine/database.ts';
import { learnPhone } from './hidden-id.ts';
import type { FindPhone } from './hidden-id.ts';
import { adoptOwnMessage, listOwnMessagesToAdopt, noteNotAdopted, putOff } from './own-message.ts';
import type { DueOwnMessage } from './own-message.ts';

const BATCH = 100;

/**
 * While the network does not say whose hidden id a message came under, the message stays parked, and the agent silent,
 * for at most this long.
 */
const WAITS_FOR_PHONE_MS = 60_000;
const ASK_AGAIN_MS = 2_000;

/** A round asks the network for no longer than this, because a network that hangs must not hold up the next round. */
const MAX_ASKING_MS = 3_000;

export interface NotAdopted {
  sessionId: string;
  error: unknown;
}

export interface Adoption {
  notAdopted: NotAdopted[];
  /** True when messages that are due may be left: the round ended early, or there were more than it takes. */
  mayBeMore: boolean;
}

type Transactions = Pick<Database, 'read' | 'transaction'>;

/**
 * Adopts own messages that have waited long enough, in one conversation or everywhere, each in a transaction of its
 * own. The row of a message that could not be adopted records the failure, and the message is tried again later without
 * holding up others; the answer names these. Messages under a hidden id come last, because the network is asked for the
 * phone first: the message belongs into the conversation with that phone, if there is one. Ends early once `stop` is
 * aborted; what is left stays due.
 */
export async function adoptOwnMessages(
  database: Transactions,
  findPhone: FindPhone,
  { conversationId = null, stop }: { conversationId?: string | null; stop?: AbortSignal } = {},
): Promise<Adoption> {
  const failures: NotAdopted[] = [];
  const due = await database.read((queries) => listOwnMessagesToAdopt(queries, BATCH, conversationId));
  let mayBeMore = due.length === BATCH;
  const asking = askOncePerChat(database, findPhone);
  for (const parked of due.toSorted((a, b) => Number(a.isHidden) - Number(b.isHidden))) {
    if (stop?.aborted === true) break;
    try {
      const answer = parked.isHidden && parked.ageMs <= WAITS_FOR_PHONE_MS ? await asking(parked) : 'known';
      mayBeMore ||= answer === 'later';
      if (answer === 'failed') await database.transaction((tx) => putOff(tx, parked, ASK_AGAIN_MS));
      if (answer === 'known') await database.transaction((tx) => adoptOwnMessage(tx, parked));
    } catch (error) {
      const name = error instanceof Error ? error.name : 'unknown';
      await database.transaction((tx) => noteNotAdopted(tx, parked, name));
      failures.push({ sessionId: parked.sessionId, error });
    }
  }
  return { notAdopted: failures, mayBeMore: mayBeMore || stop?.aborted === true };
}

/**
 * Asks the network once for each chat of a round. `failed`: the network gave no answer. `later`: the round has asked
 * for long enough, and the next one goes on.
 */
function askOncePerChat(database: Transactions, findPhone: FindPhone) {
  const until = performance.now() + MAX_ASKING_MS;
  const answers = new Map<string, 'known' | 'failed'>();
  return async ({ conversationId }: DueOwnMessage): Promise<'known' | 'failed' | 'later'> => {
    const answered = answers.get(conversationId);
    if (answered !== undefined) return answered;
    if (performance.now() > until) return 'later';
    const answer = (await learnPhone(database, findPhone, conversationId)) === 'failed' ? 'failed' : 'known';
    answers.set(conversationId, answer);
    return answer;
  };
}
