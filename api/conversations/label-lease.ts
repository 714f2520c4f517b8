import { setTimeout as pause } from 'node:timers/promises';
import { LABEL_TIMEOUT_MS } from '../../backend/calls/labels.ts';
import { giveBackLabelLease, takeLabelLease } from '../../db/conversations/label-lease.ts';
import type { LabelledChat } from '../../db/conversations/label-lease.ts';
import type { Database } from '../../db/database.ts';
import { EngineError } from '../../domain/error.ts';

/** A change reads the chat's labels and writes them; the rest is for our own statements. */
const LEASE_MS = 2 * LABEL_TIMEOUT_MS + 10_000;
/** Whoever waits for the lease of another looks this often. */
const LOOK_EVERY_MS = 50;
const MAX_WAIT_MS = 10_000;

/** The chat, and the request that waits for it as long as its client does. */
interface Waiting extends LabelledChat {
  signal: AbortSignal;
}

/**
 * Changes a chat's labels while no other request of any process does. The backend replaces all labels of a chat at once,
 * so of two changes at the same time one would be lost. A process that dies leaves its lease until the end of that.
 */
export async function withLabelLease<T>(database: Database, chat: Waiting, change: () => Promise<T>): Promise<T> {
  const token = await awaitLease(database, chat);
  try {
    return await change();
  } finally {
    await database.statement((tx) => giveBackLabelLease(tx, chat, token));
  }
}

async function awaitLease(database: Database, { signal, ...chat }: Waiting): Promise<string> {
  const giveUpAt = performance.now() + MAX_WAIT_MS;
  for (;;) {
    const token = await database.statement((tx) => takeLabelLease(tx, chat, LEASE_MS));
    if (token !== null) return token;
    if (signal.aborted || performance.now() > giveUpAt) {
      throw new EngineError('busy', 'Other requests change the labels of this chat: repeat yours.', {
        headers: { 'retry-after': '1' },
      });
    }
    await pause(LOOK_EVERY_MS);
  }
}
