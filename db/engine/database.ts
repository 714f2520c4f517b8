import { MikroORM } from '@mikro-orm/postgresql';
import type { EntityManager, Options } from '@mikro-orm/postgresql';
import type { Kysely } from 'kysely';
import type { Pool } from 'pg';
import { z } from 'zod';
import { Clock } from './clock.ts';
import type { ClockSample } from './clock.ts';
import { one } from './rows.ts';
import { SecretBox } from './secret-box.ts';
import { nameHotStatements, OTHER_COLUMNS, sendValuesApart } from './statement-names.ts';
import { onNobodysBehalf, StatementPlaces } from './statement-places.ts';
import type { FanOut, NewEvent, Queries, Tx, WebhookSettings } from './tx.ts';
import { keptOf, WarmConnections } from './warm-connections.ts';
import { Wakeups } from './wakeups.ts';
import type { Topic } from './wakeups.ts';

export interface DatabaseOptions {
  url: string;
  directUrl: string;
  encryptionKey: string;
  /** The former key, while it is being replaced. */
  previousEncryptionKey?: string | undefined;
  webhooks: WebhookSettings;
  poolSize: number;
  applicationName: string;
  onError: (error: unknown) => void;
}

/** The parts of a database that know its subjects. `connect.ts` hands them in, because the engine knows no subject. */
export interface Subjects {
  entities: NonNullable<Options['entities']>;
  fanOutOf: (wakeups: Wakeups, onError: DatabaseOptions['onError']) => FanOut;
}

export interface PoolState {
  busy: number;
  idle: number;
  /** Connections that stay open and have the plans of the hottest statements. */
  warm: number;
  waiting: number;
  /** Work that waits for the share of its agency, not for a connection. */
  waitingForShare: number;
}

/**
 * The code of a transaction that has read what has changed since: the endpoints of its events
 * (`db/webhooks/events/write-events.sql`), or that a message was not deleted (`db/network/inbound.sql`).
 */
const OUTDATED = '40M01';
/**
 * These and PostgreSQL's codes of deadlocks and serialization failures: the transaction had no effect, so it may run
 * again.
 */
const RETRYABLE = new Set(['40P01', '40001', OUTDATED, OTHER_COLUMNS]);
const MAX_TRIES = 5;
/** A new connection plans each statement anew, so one is kept through the pauses of a quiet day. */
const IDLE_CONNECTION_MS = 10 * 60_000;
const CLOCK_EVERY_MS = 60_000;
const CLOCK_SAMPLES = 5;
/**
 * The settings of a connection to the server itself. The borders of partitions and all dates are in UTC, whatever the
 * server's own setting. A plan that is kept may be made while a table is empty, so it must not read tables whole
 * (`functions.ts`); the compiler would cost more than such a plan.
 */
const SERVER_SETTINGS = {
  statement_timeout: 30_000,
  idle_in_transaction_session_timeout: 30_000,
  options: '-c timezone=UTC -c enable_seqscan=off -c jit=off',
};
/** A network may forget a connection over which nothing goes. */
const KEEP_ALIVE_AFTER_MS = 60_000;
const FunctionsRow = z.object({ digest: z.string() });
const ClockRow = z.object({ ms: z.number() });

export class Database {
  readonly clock = new Clock();
  readonly wakeups: Wakeups;
  readonly secrets: SecretBox;
  readonly #orm: MikroORM;
  readonly #sql: Kysely<unknown>;
  readonly #webhooks: WebhookSettings;
  readonly #kept = new Map<unknown, unknown>();
  readonly #fanOut: FanOut;
  readonly #places: StatementPlaces;
  readonly #onError: DatabaseOptions['onError'];
  readonly #isPooled: boolean;
  #pool: Pool | undefined;
  #warm: WarmConnections | undefined;
  #warming: Promise<void> | undefined;
  #isClosing = false;
  #clockTimer: NodeJS.Timeout | undefined;
  #following: Promise<void> | undefined;

  private constructor(orm: MikroORM, options: DatabaseOptions, fanOutOf: Subjects['fanOutOf']) {
    this.#orm = orm;
    this.#sql = orm.em.fork().getKysely<unknown>();
    this.secrets = new SecretBox(options.encryptionKey, options.previousEncryptionKey);
    this.#webhooks = options.webhooks;
    this.#onError = options.onError;
    this.#isPooled = options.url !== options.directUrl;
    this.#places = new StatementPlaces(options.poolSize);
    this.wakeups = new Wakeups(options.directUrl, options.onError);
    this.#fanOut = fanOutOf(this.wakeups, options.onError);
  }

  static async open(options: DatabaseOptions, { entities, fanOutOf }: Subjects): Promise<Database> {
    let pool: Pool | undefined;
    // A second address for LISTEN is set only where the first one is that of a pooler.
    const isPooled = options.url !== options.directUrl;
    const orm = await MikroORM.init({
      entities,
      clientUrl: options.url,
      pool: { min: keptOf(options.poolSize), max: options.poolSize, idleTimeoutMillis: IDLE_CONNECTION_MS },
      driverOptions: {
        application_name: options.applicationName,
        connectionTimeoutMillis: 10_000,
        keepAlive: true,
        keepAliveInitialDelayMillis: KEEP_ALIVE_AFTER_MS,
        // A commit goes to the server right behind the events of its transaction (`FanOut`).
        pipeline: true,
        ...(isPooled ? {} : SERVER_SETTINGS),
        onPoolCreated: (created: Pool) => {
          pool = created;
          if (isPooled) setZone(created);
          else nameHotStatements(created);
        },
      },
    });
    // MikroORM would connect at its first use, which may be inside a transaction that has the last connection.
    await orm.connect();
    sendValuesApart(orm.em.getConnection());
    const database = new Database(orm, options, fanOutOf);
    database.#pool = pool;
    await database.#followClock();
    await database.wakeups.listen();
    database.#clockTimer = setInterval(() => {
      database.#followClock().catch(options.onError);
      if (database.#warm) void database.keepWarm();
    }, CLOCK_EVERY_MS).unref();
    return database;
  }

  /**
   * Opens a few connections and has them make the plans of the hottest statements, from now on once a minute: after a
   * migration, and where connections were lost. A process calls this once it serves, so that no start waits for it.
   */
  async keepWarm(): Promise<void> {
    if (!this.#pool || this.#isClosing) return;
    // A pooler decides itself which connections it keeps.
    if (this.#isPooled) return;
    this.#warm ??= new WarmConnections(this.#pool, keptOf(this.#pool.options.max));
    this.#warming ??= this.#warmUp(this.#warm)
      .catch((error: unknown) => {
        if (!this.#isClosing) this.#onError(error);
      })
      .finally(() => {
        this.#warming = undefined;
      });
    await this.#warming;
  }

  async #warmUp(connections: WarmConnections): Promise<void> {
    const { digest } = await one({ sql: this.#sql }, FunctionsRow)`select digest from function_version`;
    await connections.keep(digest);
  }

  /** Runs statements that only read and need no common snapshot. */
  async read<T>(work: (queries: Queries) => Promise<T>): Promise<T> {
    await this.#knowTheTime();
    return this.#inPlace(() => work(this.#loose()));
  }

  /**
   * Runs one statement, which is a transaction by itself. It may wake, but an event that it causes it must write
   * itself. It runs again after a deadlock, as a transaction does.
   */
  async statement<T>(work: (tx: Tx) => Promise<T>): Promise<T> {
    return this.#inPlace(async () => {
      await this.#knowTheTime();
      const wakes: [Topic, string][] = [];
      const { sql, now, secrets, webhooks } = this.#loose();
      const result = await work({
        sql,
        now,
        secrets,
        webhooks,
        em: this.#orm.em,
        kept: (memory) => this.#remember(memory),
        emit: () => {
          throw new Error('Events are written by a transaction.');
        },
        wake: (topic, key = '') => void wakes.push([topic, key]),
      });
      this.#wake(wakes);
      return result;
    });
  }

  /**
   * Runs one transaction, READ COMMITTED. It is kysely's, because MikroORM's own leaks the connection when the
   * connection is lost meanwhile. The transaction runs again when PostgreSQL has ended it to resolve a deadlock.
   */
  async transaction<T>(work: (tx: Tx) => Promise<T>): Promise<T> {
    return this.#inPlace(async () => {
      await this.#knowTheTime();
      const events: NewEvent[] = [];
      const wakes: [Topic, string][] = [];
      let written = Promise.resolve();
      const result = await this.#sql.transaction().execute(async (trx) => {
        const orm = this.#orm;
        let em: EntityManager | undefined;
        const tx: Tx = {
          get em() {
            if (!em) {
              em = orm.em.fork();
              em.setTransactionContext(trx);
            }
            return em;
          },
          sql: trx,
          now: this.clock.now(),
          secrets: this.secrets,
          webhooks: this.#webhooks,
          kept: (memory) => this.#remember(memory),
          emit: (event) => void events.push(event),
          wake: (topic, key = '') => void wakes.push([topic, key]),
        };
        const value = await work(tx);
        if (events.length > 0) {
          ({ written } = await this.#fanOut(tx, events));
          // The failure is thrown below; without a listener until then it would end the process.
          written.catch(() => undefined);
        }
        return value;
      });
      // When the events could not be written, the commit has rolled the transaction back.
      await written;
      this.#wake(wakes);
      return result;
    });
  }

  #remember<T>(memory: new () => T): T {
    const known = this.#kept.get(memory);
    if (known instanceof memory) return known;
    const made = new memory();
    this.#kept.set(memory, made);
    return made;
  }

  #inPlace<T>(work: () => Promise<T>): Promise<T> {
    return this.#places.run(() => retried(work));
  }

  #wake(wakes: readonly [Topic, string][]): void {
    // A wake-up serves all agencies, so it must not count to the agency whose transaction sent it.
    onNobodysBehalf(() => {
      for (const [topic, key] of wakes) this.wakeups.wake(topic, key);
      // As a rule what wakes anybody has changed a message or a conversation, too.
      if (wakes.length > 0) this.wakeups.wake('changed');
    });
  }

  /** The use of the connections, and the work that waits for one. */
  get pool(): PoolState {
    const { totalCount = 0, idleCount = 0, waitingCount = 0 } = this.#pool ?? {};
    const busy = totalCount - idleCount;
    return {
      busy,
      idle: idleCount,
      warm: this.#warm?.count ?? 0,
      waiting: waitingCount,
      waitingForShare: this.#places.waiting,
    };
  }

  async close(): Promise<void> {
    this.#isClosing = true;
    clearInterval(this.#clockTimer);
    await this.#warming;
    await this.wakeups.close();
    await this.#orm.close(true);
  }

  /** Makes the queries of a read. The entity manager is made on first use, because many reads need none. */
  #loose(): Queries {
    const orm = this.#orm;
    let em: EntityManager | undefined;
    return {
      get em() {
        em ??= orm.em.fork();
        return em;
      },
      sql: this.#sql,
      now: this.clock.now(),
      secrets: this.secrets,
      webhooks: this.#webhooks,
    };
  }

  /**
   * Asks the database for the time when the clock is in doubt, so that after a sleep of the machine nothing is decided
   * by the old time.
   */
  async #knowTheTime(): Promise<void> {
    if (!this.clock.isInDoubt()) return;
    this.#following ??= this.#followClock().finally(() => {
      this.#following = undefined;
    });
    await this.#following;
  }

  /**
   * Takes samples of the database's clock. All are taken on one connection: the first may include its opening, the
   * later ones do not.
   */
  async #followClock(): Promise<void> {
    const samples: ClockSample[] = [];
    await this.#sql.connection().execute(async (connection) => {
      for (let taken = 0; taken < CLOCK_SAMPLES; taken += 1) {
        const beforeMs = performance.now();
        const { ms } = await one({ sql: connection }, ClockRow)`
          select (extract(epoch from clock_timestamp()) * 1000)::float8 as ms`;
        samples.push({ databaseMs: ms, beforeMs, afterMs: performance.now() });
      }
    });
    this.clock.discipline(samples);
  }
}

/** A pooler refuses most settings of a connection, but keeps the zone of each of its clients apart. */
function setZone(pool: Pool): void {
  pool.on('connect', (client) => {
    // When the connection is lost, its user learns it.
    client.query("set timezone = 'UTC'").catch(() => undefined);
  });
}

async function retried<T>(work: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await work();
    } catch (error) {
      if (tries >= MAX_TRIES || !RETRYABLE.has(sqlState(error) ?? '')) throw error;
    }
  }
}

/**
 * True when the server has refused the statement, so that it had no effect. After any other error it may have had its
 * effect.
 */
export function isRolledBack(error: unknown): boolean {
  return /^(2|4|5[345]|57014)/.test(sqlState(error) ?? '');
}

/** Finds PostgreSQL's error code in the error or in those that it wraps. */
export function sqlState(error: unknown): string | undefined {
  if (typeof error !== 'object' || error === null) return undefined;
  const code: unknown = Reflect.get(error, 'code');
  if (typeof code === 'string' && /^[0-9A-Z]{5}$/.test(code)) return code;
  return sqlState(Reflect.get(error, 'cause') ?? Reflect.get(error, 'previous'));
}
