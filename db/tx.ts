import type { EntityManager } from '@mikro-orm/postgresql';
import type { Kysely } from 'kysely';
import type { EventPayload } from '../domain/webhooks/event.ts';
import type { SecretBox } from './secret-box.ts';
import type { Topic } from './wakeups.ts';

/** Runs queries that read: the entity manager for records, SQL for the rest. What writes takes a {@link Tx}. */
export interface Queries {
  readonly em: RecordFinder;
  readonly sql: Kysely<unknown>;
  readonly now: Date;
  readonly secrets: SecretBox;
  readonly webhooks: WebhookSettings;
}

/**
 * Entities are found by MikroORM and changed by SQL alone, so that each change is one statement that says what it
 * locks.
 */
export type RecordFinder = Pick<EntityManager, 'find' | 'findOne' | 'findAndCount' | 'count'>;

export interface WebhookSettings {
  /** Where receivers reach the engine, without a trailing slash. */
  publicUrl: string;
  /** How long an attempt at a new endpoint may take. */
  timeoutMs: number;
}

/**
 * A transaction, or one statement that is one by itself. What it emits is written as its last statements; what it wakes
 * is woken after its commit.
 */
export interface Tx extends Queries {
  emit(event: NewEvent): void;
  wake(topic: Topic, key?: string): void;
}

/** Something that dashboards are told, emitted by the transaction of the change it describes. */
export type NewEvent = EventPayload & {
  agencyId: string;
  tenantId: string | null;
  /** Null in events of an endpoint, which no sequence counts. */
  sessionId: string | null;
  conversationId: string | null;
  /** Where the transaction must know it before. */
  id?: string;
  /** Goes to this endpoint alone, whatever it asks for, and past what waits there: somebody tries it. */
  trialOf?: string;
  /** The endpoint that it is about, which is not told. */
  notTo?: string;
};
