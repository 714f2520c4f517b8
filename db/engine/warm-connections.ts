import type { Pool, PoolClient } from 'pg';

/*
 * A new connection reads the catalogue, compiles each function and plans each statement at its first use: the first
 * accepted send costs ten times a later one. So a few connections stay open, and learn this before a request waits.
 */

/** One connection in five stays open. A warm one takes up to 14 MB of PostgreSQL's memory. */
const KEPT_SHARE = 0.2;

/** The number of connections that a pool of this size keeps open. A pool of less than five keeps none. */
export function keptOf(poolSize: number): number {
  return Math.floor(poolSize * KEPT_SHARE);
}

/**
 * The calls of the hottest functions for what no row has. They compile the function and plan what it reads first, and
 * they write nothing.
 */
const CALLS = [
  `select accept_sends('[{"agencyId": "", "tenantId": "", "parts": [{}]}]', 0)`,
  `select claim_message('{"messageId": ""}')`,
  `select record_sent('{"messageId": "", "conversationId": ""}')`,
  `select promote('', now())`,
  `select plan_of('', now())`,
  `select write_events('{}', '{}', '{}', '{}', now(), '{}', '{}', '{}', '{}', '{}', '{}', '{}', '{}', '{}', '{}', '{}',
    '{}', '{}', '{}', '{}', '{}', null, null, now(), false)`,
  `select write_outcomes('{}', '{}', '[]', now())`,
  `select next_cursor from read_tail('{}', '{}', 1, 1)`,
  `select id from receive_messages('[]', now(), interval '1 day')`,
  `select agent_desk('{"conversationId": ""}')`,
  `select conclude_turn('{"turnId": "", "conversationId": "", "send": null, "usage": null, "call": null}')`,
] as const;

/** The tables that a message writes. Their inserts are planned here without being run. */
const WRITTEN = [
  'contact_alias',
  'contact',
  'conversation',
  'message',
  'message_history',
  'message_text',
  'dispatch',
  'event',
  'delivery',
  'delivery_attempt',
  'backend_event',
  'ai_turn',
] as const;

/** The statements that a connection runs to become warm. */
export const WARM_UP: readonly string[] = [
  ...WRITTEN.map((table) => `explain insert into ${table} overriding system value select * from ${table} where false`),
  ...CALLS,
];

/** Keeps a few connections of a pool open and warm. */
export class WarmConnections {
  readonly #pool: Pool;
  readonly #kept: number;
  /** Which functions each connection has used: after a migration it plans anew. */
  readonly #warmedFor = new Map<PoolClient, string>();

  constructor(pool: Pool, kept: number) {
    this.#pool = pool;
    this.#kept = kept;
    pool.on('remove', (client) => this.#warmedFor.delete(client));
  }

  get count(): number {
    return this.#warmedFor.size;
  }

  /**
   * Opens the connections that are missing, and warms those that do not know these functions. It takes one connection
   * after the other, and none that a request could wait for: that work warms them, too.
   */
  async keep(functions: string): Promise<void> {
    const taken: PoolClient[] = [];
    try {
      while (taken.length < this.#kept && this.#hasRoom()) {
        const client = await this.#pool.connect();
        taken.push(client);
        if (this.#warmedFor.get(client) === functions) continue;
        for (const statement of WARM_UP) await client.query(statement);
        this.#warmedFor.set(client, functions);
      }
    } finally {
      for (const client of taken) client.release();
    }
  }

  #hasRoom(): boolean {
    const { waitingCount, idleCount, totalCount, options } = this.#pool;
    return waitingCount === 0 && (idleCount > 0 || totalCount < options.max);
  }
}
