// Made from openapi.json by `npm run client`: change the routes, not this file.

/** An event of the messaging backend that could not be applied. */
export interface ParkedEvent {
  /** Its number, for the route that applies it. */
  id: string;
  /** As the backend calls it; empty where the event could not be read. */
  sessionName: string;
  /** `parked` waits for an operator; `applied` has been applied after all; `ignored` is of no session of this engine. */
  status: 'parked' | 'applied' | 'ignored';
  /** How often it was tried to apply it. */
  attempts: number;
  /** Why the last attempt failed; `NeverApplied` where there was none before its time was over. */
  error: string | null;
  /** Of its body, which is kept in `parked_event`. */
  sizeBytes: number;
  /** When the backend posted it. */
  receivedAt: string;
  /** When it was put aside. */
  parkedAt: string;
  /** When it was applied or ignored. Null while it waits. */
  endedAt: string | null;
}

export interface ParkedEventsListAnswer {
  /** The events of this page. */
  events: ParkedEvent[];
  /** How many wait for an operator, of all sessions. */
  parked: number;
  /** True where more follow after these. */
  hasMore: boolean;
  /** Asks for the page after this one, as `cursor`. Null where this is the last. */
  nextCursor: string | null;
}
