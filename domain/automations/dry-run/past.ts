/** An event of a conversation in a dry run; lists are in order of time. */
export type PastEvent = PastMessage | PastChange;

export type PastMessage = { event: 'message'; atMs: number; id: string; body: string } & (
  | { from: 'contact'; kind: string; pressed: string | null }
  | { from: 'us'; byAutomation: boolean; acks: readonly PastAck[] }
);

export interface PastAck {
  status: string;
  atMs: number;
}

export type PastChange =
  | { event: 'conversation.assigned' | 'conversation.released'; atMs: number; byAutomation: boolean }
  | { event: 'conversation.labelled'; atMs: number; label: string }
  | { event: 'session.status'; atMs: number; status: string };

/** The recorded past of a conversation, for a dry run on it. */
export interface Past {
  events: PastEvent[];
  /** There are older messages than these. */
  isCut: boolean;
  /** There are messages of the contact from before. */
  hasWritten: boolean;
  /** A person had it before the first of them. */
  isWithPerson: boolean;
  contactName: string | null;
  isOptedOut: boolean;
  labels: string[];
  /** The id and the name of its session; null for events that a request gives, which are of any session. */
  session: readonly string[] | null;
}
