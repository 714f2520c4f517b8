import { LABEL_CHANGE_MS } from '../../adapters/backend/calls/labels.ts';
import { giveBackLabelLease, takeLabelLease } from '../../db/conversations/labels/label-lease.ts';
import type { LabelledChat } from '../../db/conversations/labels/label-lease.ts';
import { EngineError } from '../../domain/error.ts';
import type { ApiDeps } from '../deps.ts';

const MAX_WAIT_MS = 10_000;

type Deps = Pick<ApiDeps, 'database' | 'messageWatch'>;

/** The chat, and the request that waits for it as long as its client does. */
interface Waiting extends LabelledChat {
  signal: AbortSignal;
}

/**
 * Changes a chat's labels while no other request of any process does. The backend replaces all labels of a chat at once,
 * so of two changes at the same time one would be lost. A process that dies leaves its lease until the end of that.
 */
export async function withLabelLease<T>(deps: Deps, chat: Waiting, change: () => Promise<T>): Promise<T> {
  const token = await awaitLease(deps, chat);
  try {
    return await change();
  } finally {
    await deps.database.statement((tx) => giveBackLabelLease(tx, chat, token));
  }
}

/** Waits until the one who has the lease gives it back, which wakes whoever waits at the session. */
async function awaitLease({ database, messageWatch }: Deps, { signal, ...chat }: Waiting): Promise<string> {
  const take = async () =>
    (await database.statement((tx) => takeLabelLease(tx, chat, { forMs: LABEL_CHANGE_MS }))) ?? undefined;
  const taken = await messageWatch.until([chat.sessionId], take, { waitMs: MAX_WAIT_MS, signal });
  if (taken.outcome === 'found') return taken.value;
  throw new EngineError('busy', 'Other requests are changing the labels of this chat: retry yours.', {
    headers: { 'retry-after': '1' },
  });
}
