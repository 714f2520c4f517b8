import { RawQueryFragment } from '@mikro-orm/core';
import { CompiledQuery } from 'kysely';
import type { Kysely } from 'kysely';
import { DatabaseError } from 'pg';
import type { Pool, PoolClient } from 'pg';

/*
 * PostgreSQL keeps a statement that has a name, parsed and planned, for as long as the connection lasts. It parses and
 * plans any other at each use, which costs more than most of ours do.
 *
 * Behind a transaction pooler another process may get the connection that keeps the name, so there are no names there.
 */

/** A process names what it uses this often among so many statements. The others are not worth the memory. */
const HOT_USES = 20;
const AMONG = 5_000;
/** A plan takes tens of kilobytes of each connection. */
const MAX_NAMES = 100;
/** The code with which PostgreSQL refuses a kept statement that answers other columns since a migration. */
export const OTHER_COLUMNS = '0A000';

/** Names the statements that this process uses often, on each connection that the pool opens from now on. */
export function nameHotStatements(pool: Pool): void {
  const names = new Names();
  pool.on('connect', (client) => {
    const query = client.query.bind(client);
    void isDirect(client).then((direct) => {
      if (direct) Object.assign(client, { query: naming(query, names) });
    });
  });
}

/** True when the server answers under the id that it gave this connection. A pooler gives ids of its own. */
async function isDirect(client: PoolClient): Promise<boolean> {
  try {
    const { rows } = await client.query<{ id: number }>('select pg_backend_pid() as id');
    return rows[0]?.id === Reflect.get(client, 'processID');
  } catch {
    // The connection is lost, which its user learns.
    return false;
  }
}

function naming(query: PoolClient['query'], names: Names) {
  return (...given: unknown[]): unknown => {
    const [text, values, ...others] = given;
    const isPlain = typeof text === 'string' && Array.isArray(values) && values.length > 0 && others.length === 0;
    const name = isPlain ? names.of(text) : null;
    if (!isPlain || name === null) return Reflect.apply(query, undefined, given);
    return query({ name, text, values }).catch((error: unknown) => {
      // Its user tries again, and then it has another name.
      if (error instanceof DatabaseError && error.code === OTHER_COLUMNS) names.refuse(text);
      throw error;
    });
  };
}

/**
 * Has MikroORM send the values of its reads apart from the text. It writes them into the text otherwise, so that no two
 * reads have the same text, none gets a name, and PostgreSQL plans each of them.
 */
export function sendValuesApart(connection: { getClient: () => Kysely<unknown> }): void {
  const write: unknown = Reflect.get(connection, 'execute');
  if (typeof write !== 'function') throw new Error('MikroORM runs its statements in another way now.');
  const execute = async (...given: unknown[]): Promise<unknown> => {
    const [text, values, method, transaction] = given;
    const bound = method === 'all' ? boundTo(text, values) : null;
    if (bound === null) return Reflect.apply(write, connection, given);
    if (transaction !== undefined && !isClient(transaction)) throw new Error('MikroORM has another transaction now.');
    const client = transaction ?? connection.getClient();
    return (await client.executeQuery(bound)).rows;
  };
  Object.assign(connection, { execute });
}

const isClient = (value: unknown): value is Kysely<unknown> =>
  typeof value === 'object' && value !== null && 'executeQuery' in value;

/** Makes the statement with numbered places for its values; null where it is no read, or has another kind of value. */
function boundTo(text: unknown, values: unknown): CompiledQuery | null {
  if (typeof text !== 'string' || !Array.isArray(values) || !text.startsWith('select ')) return null;
  // Each length of a list would have a text, and a name, of its own.
  if (/ in \(\?, /.test(text)) return null;
  const bound: unknown[] = [];
  const numbered = numberPlaces(text, values, bound);
  return numbered === null || bound.length === 0 ? null : CompiledQuery.raw(numbered, bound);
}

/** A value that is itself a piece of a statement is written into the text, with places for its own values. */
function numberPlaces(text: string, values: readonly unknown[], bound: unknown[]): string | null {
  const pieces = text.split('?');
  // An escaped or doubled mark is no place.
  if (pieces.length !== values.length + 1 || /\?\?|\\\?/.test(text)) return null;
  let numbered = pieces[0] ?? '';
  for (const [index, value] of values.entries()) {
    if (isPlain(value)) numbered += `$${bound.push(value)}`;
    // A partial index is used only where the text says that the row is in it.
    else if (typeof value === 'boolean') numbered += String(value);
    else {
      const piece = value instanceof RawQueryFragment ? numberPlaces(value.sql, value.params, bound) : null;
      if (piece === null) return null;
      numbered += piece;
    }
    numbered += pieces[index + 1] ?? '';
  }
  return numbered;
}

function isPlain(value: unknown): boolean {
  return ['string', 'number'].includes(typeof value) || value instanceof Date;
}

class Names {
  /** Null for a statement that gets none. */
  readonly #names = new Map<string, string | null>();
  readonly #uses = new Map<string, number>();
  #counted = 0;
  #given = 0;

  of(text: string): string | null {
    const known = this.#names.get(text);
    if (known !== undefined) return known;
    if (this.#given >= MAX_NAMES) return null;
    if (++this.#counted > AMONG) {
      this.#counted = 1;
      this.#uses.clear();
    }
    const uses = (this.#uses.get(text) ?? 0) + 1;
    this.#uses.set(text, uses);
    if (uses < HOT_USES) return null;
    this.#uses.delete(text);
    const name = `hot_${++this.#given}`;
    this.#names.set(text, name);
    return name;
  }

  /** Its next use has a new name, which no connection keeps with the former columns. */
  refuse(text: string): void {
    this.#names.set(text, this.#given < MAX_NAMES ? `hot_${++this.#given}` : null);
  }
}
