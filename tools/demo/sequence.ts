import type { Event } from './webhook-receiver.ts';

/**
 * Lists each session's sequence numbers that are missing between the first and the last that came. Events before the
 * first, such as changes of the session's status, went only to endpoints that ask for them.
 */
export function holesIn(events: readonly Event[]): string[] {
  const bySession = Map.groupBy(events, ({ metadata }) => metadata.sessionId);
  return [...bySession].flatMap(([sessionId, ofSession]) => {
    const seen = new Set(ofSession.map(({ metadata }) => metadata.sequence));
    const first = Math.min(...seen);
    const all = Array.from({ length: Math.max(...seen) - first + 1 }, (_, index) => first + index);
    return all.filter((sequence) => !seen.has(sequence)).map((sequence) => `${sessionId} #${sequence}`);
  });
}

/**
 * Lists events that came before an earlier event of their conversation. `events` must be in the order of their arrival.
 */
export function disorderIn(events: readonly Event[]): string[] {
  const last = new Map<string, number>();
  const found: string[] = [];
  for (const { metadata } of events) {
    const lane = metadata.conversationId ?? metadata.sessionId;
    const before = last.get(lane) ?? 0;
    if (metadata.sequence < before) found.push(`${lane}: #${metadata.sequence} came after #${before}`);
    last.set(lane, Math.max(before, metadata.sequence));
  }
  return found;
}
