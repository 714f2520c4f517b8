import type { Reach } from '../../scope.ts';

/** Selects an agency's events for a stream, exactly as a pull with the same filter does. */
export interface StreamFilter {
  type: string | null;
  sessionId: string | null;
  conversationId: string | null;
  since: Date | null;
  /** True to include the test events that were sent to try one endpoint. */
  tests: boolean;
}

/** An event, as far as it matters who is shown it. */
export interface Showable {
  type: string;
  tenantId: string | null;
  sessionId: string | null;
  conversationId: string | null;
  createdAt: Date;
  isTrial: boolean;
}

/** Which of its agency's events a stream shows. Streams with equal names show the same. */
export interface Shown {
  name: string;
  shows(event: Showable): boolean;
}

/** A session's key sees only its session's events, so none about endpoints. */
export function shownBy({ tenantId, sessionId }: Omit<Reach, 'agencyId'>, filter: StreamFilter): Shown {
  const { type, conversationId, since, tests } = filter;
  const wanted: readonly (readonly [wanted: string | null, of: (event: Showable) => string | null])[] = [
    [tenantId, (event) => event.tenantId],
    [sessionId, (event) => event.sessionId],
    [filter.sessionId, (event) => event.sessionId],
    [conversationId, (event) => event.conversationId],
    [type, (event) => event.type],
  ];
  return {
    name: JSON.stringify([...wanted.map(([value]) => value), since, tests]),
    shows: (event) =>
      (tests || !event.isTrial) &&
      (since === null || event.createdAt >= since) &&
      wanted.every(([value, of]) => value === null || of(event) === value),
  };
}
