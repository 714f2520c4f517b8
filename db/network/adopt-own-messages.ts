import type { Database } from '../database.ts';
import { learnPhone } from './hidden-id.ts';
import type { FindPhone } from './hidden-id.ts';
import { adoptOwnMessage, listOwnMessagesToAdopt, noteNotAdopted, putOff } from './own-message.ts';
import type { DueOwnMessage } from './own-message.ts';

const BATCH = 100;

/**
 * How long a message stays parked, and the agent silent, while the network does not say whose hidden id it came under.
 */
const WAITS_FOR_PHONE_MS = 60_000;
const ASK_AGAIN_MS = 2_000;

export interface NotAdopted {
  sessionId: string;
  error: unknown;
}

/**
 * Adopts own messages that have waited long enough, in one conversation or everywhere, each in a transaction of its
 * own. The row of a message that could not be adopted records the failure, and the message is tried again later without
 * holding up others; the answer names these. For a hidden id of no known contact the network is first asked for the
 * phone, because the message belongs into the conversation with that phone, if there is one.
 */
export async function adoptOwnMessages(
  database: Pick<Database, 'read' | 'transaction'>,
  findPhone: FindPhone,
  conversationId: string | null = null,
): Promise<NotAdopted[]> {
  const failures: NotAdopted[] = [];
  const due = await database.read((queries) => listOwnMessagesToAdopt(queries, BATCH, conversationId));
  for (const parked of due) {
    try {
      if (await mustWait(database, findPhone, parked)) continue;
      await database.transaction((tx) => adoptOwnMessage(tx, parked));
    } catch (error) {
      const name = error instanceof Error ? error.name : 'unknown';
      await database.transaction((tx) => noteNotAdopted(tx, parked, name));
      failures.push({ sessionId: parked.sessionId, error });
    }
  }
  return failures;
}

async function mustWait(
  database: Pick<Database, 'read' | 'transaction'>,
  findPhone: FindPhone,
  parked: DueOwnMessage,
): Promise<boolean> {
  if (!parked.isHidden) return false;
  const answer = await learnPhone(database, findPhone, parked.conversationId);
  if (answer !== 'failed' || parked.ageMs > WAITS_FOR_PHONE_MS) return false;
  await database.transaction((tx) => putOff(tx, parked, ASK_AGAIN_MS));
  return true;
}
