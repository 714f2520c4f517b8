import { setTimeout as pause } from 'node:timers/promises';
import type { Database } from '../db/database.ts';
import { cancelAiQueue, listAiInFlight, listConversationsWithAiQueue } from '../db/takeover.ts';
import type { Scope } from '../domain/scope.ts';

/** How long a takeover waits for AI sends that were claimed before it; what is left then is named in the answer. */
const WAIT_MS = 2_000;
const LOOK_EVERY_MS = 25;

type InFlight = Awaited<ReturnType<typeof listAiInFlight>>;

/**
 * Waits for AI sends that had been claimed when the takeover committed. The first look is a new statement after that
 * commit, so a claim that slipped in before it is seen here, and one that comes later sees the takeover.
 */
export async function awaitAiInFlight(
  database: Database,
  scope: Scope,
  conversationId: string | null,
): Promise<InFlight> {
  const until = Date.now() + WAIT_MS;
  for (;;) {
    const inFlight = await database.read((queries) => listAiInFlight(queries, scope, conversationId));
    if (inFlight.length === 0 || Date.now() >= until) return inFlight;
    await pause(LOOK_EVERY_MS);
  }
}

/** After a change of the tenant's state or persona: what the AI had waiting is cancelled, conversation by conversation. */
export async function stopTenantAi(database: Database, scope: Scope): Promise<InFlight> {
  const waiting = await database.read((queries) => listConversationsWithAiQueue(queries, scope));
  for (const id of waiting) await database.transaction((tx) => cancelAiQueue(tx, id));
  return awaitAiInFlight(database, scope, null);
}
