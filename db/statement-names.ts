import type { Pool, PoolClient } from 'pg';

/*
 * PostgreSQL keeps the plan of a statement that has a name, for as long as the connection lasts. Without one it parses
 * and plans the statement at each use, which costs more than most of ours do.
 */

/** What is used less often in a process (a repair, a page of an admin) is not worth the memory of each connection. */
const HOT_AFTER_USES = 5;
/** A plan takes some 20 KB of each connection, and statements with lists of values have endless texts. */
const MAX_NAMES = 200;
const MAX_COUNTED = 2_000;
/**
 * A migration that adds a column changes what `select *` answers, which PostgreSQL refuses for a statement that has a
 * name.
 */
const ALL_COLUMNS = /[\s.,(]\*[\s,)]|[\s.,(]\*$/;

/** Names the statements that this process uses often, on each connection that the pool opens from now on. */
export function nameHotStatements(pool: Pool): void {
  const names = new Names();
  pool.on('connect', (client) => {
    Object.assign(client, { query: naming(client, names) });
  });
}

function naming(client: PoolClient, names: Names) {
  const query = client.query.bind(client);
  return (...given: unknown[]): unknown => {
    const [text, values, ...others] = given;
    const name = typeof text === 'string' && Array.isArray(values) && values.length > 0 ? names.of(text) : null;
    return Reflect.apply(query, undefined, name === null ? given : [{ name, text, values }, ...others]);
  };
}

class Names {
  readonly #names = new Map<string, string>();
  readonly #uses = new Map<string, number>();

  of(text: string): string | null {
    const known = this.#names.get(text);
    if (known !== undefined) return known;
    if (this.#names.size >= MAX_NAMES) return null;
    const uses = (this.#uses.get(text) ?? 0) + 1;
    if (uses < HOT_AFTER_USES || ALL_COLUMNS.test(text)) {
      if (uses > 1 || this.#uses.size < MAX_COUNTED) this.#uses.set(text, uses);
      return null;
    }
    this.#uses.delete(text);
    const name = `hot_${this.#names.size + 1}`;
    this.#names.set(text, name);
    return name;
  }
}
