import type { DatabaseBooks } from './database-cost.ts';

/** The calls of one statement and the pages that they read, in all or per message. */
export interface Called {
  calls: number;
  buffers: number;
}

/** The statements of clients so far, with their counts. */
export type Statements = ReadonlyMap<string, Called>;

/** A statement is shown by this much of its text. */
const SHOWN_LENGTH = 110;

/** Reads the statements from PostgreSQL's own books. Statements that begin alike count as one. */
export async function statementsSoFar(books: DatabaseBooks): Promise<Statements> {
  const rows = await books.query(`
    select query, sum(calls)::float8 as calls, sum(shared_blks_hit + shared_blks_read)::float8 as buffers
    from pg_stat_statements where dbid = (select oid from pg_database where datname = current_database()) and toplevel
    group by query`);
  const statements = new Map<string, Called>();
  for (const { query, calls, buffers } of rows) {
    const text = String(query)
      .replaceAll(/--[^\n]*\n/g, '')
      .replaceAll(/\s+/g, ' ')
      .trim()
      .slice(0, SHOWN_LENGTH);
    add(statements, text, { calls: Number(calls), buffers: Number(buffers) });
  }
  return statements;
}

/** Returns what was called between two looks, per message, without what an idle engine calls in the same time. */
export function calledPer(
  [from, to]: readonly [Statements, Statements],
  count: number,
  idle: { between: readonly [Statements, Statements]; share: number },
): Statements {
  const per = new Map<string, Called>();
  const [idleFrom, idleTo] = idle.between;
  for (const text of to.keys()) {
    const at = (statements: Statements, field: keyof Called): number => statements.get(text)?.[field] ?? 0;
    const of = (field: keyof Called): number =>
      (at(to, field) - at(from, field) - (at(idleTo, field) - at(idleFrom, field)) * idle.share) / count;
    per.set(text, { calls: of('calls'), buffers: of('buffers') });
  }
  return per;
}

function add(statements: Map<string, Called>, text: string, { calls, buffers }: Called): void {
  const before = statements.get(text) ?? { calls: 0, buffers: 0 };
  statements.set(text, { calls: before.calls + calls, buffers: before.buffers + buffers });
}
