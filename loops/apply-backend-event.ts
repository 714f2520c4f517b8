import { parseBackendEvent } from '../adapters/backend/events/events.ts';
import type { Tx } from '../db/engine/tx.ts';
import { countUnknown } from '../db/network/unknown-report.ts';
import type { UnknownReport } from '../db/network/unknown-report.ts';
import { applyNetworkEvents } from '../db/network/ingest.ts';
import type { EventSession } from '../db/network/network-message.ts';

/** An event as the backend sent it. */
export interface RawEvent {
  /** Null when the session belongs to another user of the same backend, or was deleted: the event is ignored. */
  session: EventSession | null;
  body: string;
  receivedAt: Date | null;
  /** The row that keeps it; missing where it is in none. */
  row?: { id: string; receivedOn: string };
}

/**
 * Applies events, those of one session in their order. Throws when one of them cannot be read. Returns the sessions that
 * have heard a contact.
 */
export async function applyBackendEvents(tx: Tx, raw: readonly RawEvent[]): Promise<string[]> {
  const unknown: UnknownReport[] = [];
  const told = raw.flatMap(({ session, body, receivedAt, row = null }) => {
    const parsed = parseBackendEvent(body);
    if (parsed.outcome === 'unparseable') throw new UnreadableEvent(parsed.reason);
    if (parsed.unknown !== null && session) unknown.push({ ...parsed.unknown, sessionName: session.name, event: row });
    return session ? [{ session, event: parsed.event, receivedAt }] : [];
  });
  await applyNetworkEvents(tx, told);
  await countUnknown(tx, unknown);
  const heard = told.filter(({ event }) => event.kind === 'message' && !event.message.fromMe);
  return [...new Set(heard.map(({ session }) => session.id))];
}

export class UnreadableEvent extends Error {
  override readonly name = 'UnreadableEvent';
}

/** Keeps only the name of a failure, because errors of the database may quote what somebody wrote. */
export function failureName(error: unknown): string {
  return error instanceof Error ? error.name : 'unknown';
}
