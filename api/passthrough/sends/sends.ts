import type { Scope } from '../../../domain/scope.ts';
import type { BackendMethod } from '../table/row.ts';
import type { SessionAtBackend } from '../session-lookup.ts';

/** A request of a client of the backend to send a message. */
export interface AskedSend {
  scope: Scope;
  session: SessionAtBackend;
  /** The route as the backend documents it. */
  path: string;
  fields: Record<string, unknown>;
  /** The author: a person's message takes the conversation over from the agent. */
  actor: 'person' | 'bot';
  keyId: string;
  /** Aborted when the client leaves. */
  signal: AbortSignal;
}

/** A request of a client of the backend to edit or to delete a message, or to react to one. */
export interface AskedAct extends Pick<AskedSend, 'scope' | 'session' | 'path' | 'fields' | 'actor' | 'keyId'> {
  method: BackendMethod;
  /** The decoded segments of the path. */
  segments: readonly string[];
}

/** An answer as the backend would give it. */
export interface BackendAnswer {
  status: number;
  body: unknown;
  headers: Record<string, string>;
}

/** The outcome of a passed action, as the backend's answer tells it. */
export type ActOutcome = 'done' | 'refused' | 'unknown';
/** Writes the outcome of an act that was passed on. */
export type ConcludeAct = (outcome: ActOutcome) => Promise<void>;

/** The outcome of a forwarded send, by the backend's response. */
export type PassedOutcome =
  | { outcome: 'sent'; networkId: string; chatId: string | null }
  | { outcome: 'refused' }
  /** It may have gone out; an own message that fits it is taken for it. */
  | { outcome: 'unknown' };

/** Takes the sends of the passthrough into the inbox. */
export interface Sends {
  /** Sends through the engine's queue; undefined when the queue does not know all that the request asks for. */
  throughQueue(asked: AskedSend): Promise<BackendAnswer | undefined>;
  /** Notes a send before it is passed on; null when it goes to no conversation. */
  note(asked: AskedSend): Promise<string | null>;
  conclude(noted: string, outcome: PassedOutcome): Promise<void>;
  /** Notes an act before it is passed on; null when it is to no message that the engine has. */
  noteAct(asked: AskedAct): Promise<ConcludeAct | null>;
}
