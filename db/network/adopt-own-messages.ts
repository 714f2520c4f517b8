import type { Database } from '../database.ts';
import { adoptOwnMessage, listOwnMessagesToAdopt, noteNotAdopted } from './own-message.ts';

const BATCH = 100;

export interface NotAdopted {
  sessionId: string;
  error: unknown;
}

/**
 * Adopts what has waited long enough, each in a transaction of its own: in one conversation, or everywhere. One that fails
 * says so in its row, is tried again later, and holds up nobody. Answers those.
 */
export async function adoptOwnMessages(
  database: Pick<Database, 'read' | 'transaction'>,
  conversationId: string | null = null,
): Promise<NotAdopted[]> {
  const failures: NotAdopted[] = [];
  const due = await database.read((queries) => listOwnMessagesToAdopt(queries, BATCH, conversationId));
  for (const parked of due) {
    try {
      await database.transaction((tx) => adoptOwnMessage(tx, parked));
    } catch (error) {
      const name = error instanceof Error ? error.name : 'unknown';
      await database.transaction((tx) => noteNotAdopted(tx, parked, name));
      failures.push({ sessionId: parked.sessionId, error });
    }
  }
  return failures;
}
