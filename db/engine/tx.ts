import type { EntityManager } from '@mikro-orm/postgresql';
import type { Kysely } from 'kysely';
import type { EventPayload } from '../../domain/webhooks/event.ts';
import type { SecretBox } from './secret-box.ts';
import type { Topic } from './wakeups.ts';

/** The means of a read: the entity manager for records, SQL for the rest. Writes need a {@link Tx}. */
export interface Queries {
  readonly em: RecordFinder;
  readonly sql: Kysely<unknown>;
  readonly now: Date;
  readonly secrets: SecretBox;
  readonly webhooks: WebhookSettings;
}

/**
 * The part of MikroORM that is used. Entities are found by MikroORM and changed by SQL alone, so that each change is
 * one statement that shows what it locks.
 */
export type RecordFinder = Pick<EntityManager, 'find' | 'findOne' | 'count' | 'map'>;

export interface WebhookSettings {
  /** The URL under which receivers reach the engine, without a trailing slash. */
  publicUrl: string;
  /** The URL under which files are read; the same where it is left out. */
  mediaPublicUrl?: string | undefined;
  /** An attempt at a new endpoint may take this long, unless the endpoint sets another time. */
  timeoutMs: number;
}

/**
 * A transaction, or one statement that is a transaction by itself. Emitted events are written by its last statements;
 * waiters are woken after its commit.
 */
export interface Tx extends Queries {
  /** Returns what this process remembers of the database: the object of the class, made at its first use. */
  kept<T>(memory: new () => T): T;
  emit(event: NewEvent): void;
  wake(topic: Topic, key?: string): void;
}

/** An event for dashboards, emitted by the transaction that makes the change. */
export type NewEvent = EventPayload & {
  agencyId: string;
  tenantId: string | null;
  /** The session; null in events about an endpoint, which no sequence counts. */
  sessionId: string | null;
  conversationId: string | null;
  /** The event's id, when the transaction must know it before the event is written. */
  id?: string;
  /**
   * The only endpoint that gets this event, whatever it asks for and ahead of its waiting deliveries, because the event
   * tests the endpoint.
   */
  trialOf?: string;
  /** The endpoint that the event is about; it does not get the event. */
  notTo?: string;
  /** The names of the labels that were put on the chat, for the automations that begin with one. */
  labelsAdded?: readonly string[];
  /** True where an automation has brought it about, so that it starts none: two could start each other for ever. */
  startsNothing?: true;
  /** True where dashboards know of it already: automations hear of it, and it is written nowhere. */
  isKnown?: true;
  /** The message whose file the event waits for (`db/webhooks/events/held-events.ts`). */
  waitsFor?: string;
};

/**
 * The subjects' part of a transaction's end, handed in when the database is opened. It runs before the commit and sends
 * the statements that the events cause. `written` is rejected when the last of them has failed.
 */
export type FanOut = (tx: Tx, events: readonly NewEvent[]) => Promise<{ written: Promise<void> }>;
