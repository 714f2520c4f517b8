import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import { PRIORITY } from '../domain/names.ts';
import { WORKFLOWS } from '../domain/workflows.ts';
import type { PromisedType, SignalOf } from '../domain/workflows.ts';
import { IdRow } from './engine/columns.ts';
import type { Database } from './engine/database.ts';
import { rows } from './engine/rows.ts';
import type { Tx } from './engine/tx.ts';
import { promiseMissing } from './promises.ts';
import { redispatchAgents, redispatchMessages, redispatchSessions } from './reconcile.ts';

/** The types that the registry says are promised again. */
export type AgainType = {
  [Type in PromisedType]: (typeof WORKFLOWS)[Type]['again'] extends null ? never : Type;
}[PromisedType];

/** The endpoints go in pages of their own, because nothing in their rows says that their execution is gone. */
export type AgainByRows = Exclude<AgainType, 'deliverWebhooks'>;

const isAgain = (type: string): type is AgainType =>
  Object.entries(WORKFLOWS).some(([each, { again }]) => each === type && again !== null);

/** People wait for these, and the others may have many pages. */
const FIRST: readonly AgainType[] = ['deliverMessage', 'superviseSession', 'aiConversation', 'deliverWebhooks'];

/** The order in which a new store of Temporal is filled. */
export const AGAIN_TYPES: readonly AgainType[] = [...new Set([...FIRST, ...Object.keys(WORKFLOWS).filter(isAgain)])];

/** One look for rows whose workflow must run although nothing runs it. */
interface Look {
  /** The time after which nothing is taken to run a workflow; 0 for a new store of Temporal. */
  afterMs: number;
  /** Set for a new store, which lacks all workflows: every row is promised that was not promised since then. */
  allSince: Date | null;
}

interface Again {
  /** Promises one page, and returns how many rows it had. */
  promise: (tx: Tx, look: Look) => Promise<number>;
  /** True when a promised row is marked, so that the next page has other rows. */
  marks: boolean;
}

const PAGE_ROWS = 1_000;
/** One round promises at most this many exports, or erasures. */
const MAX_OPEN = 100;
const NOTE = ' · again';

const AGAIN: Readonly<Record<AgainByRows, Again>> = {
  deliverMessage: {
    promise: (tx, { afterMs, allSince }) => redispatchMessages(tx, afterMs, PAGE_ROWS, allSince),
    marks: true,
  },
  superviseSession: { promise: (tx, { allSince }) => redispatchSessions(tx, allSince !== null), marks: false },
  aiConversation: { promise: (tx, { afterMs }) => redispatchAgents(tx, afterMs), marks: false },
  fetchMedia: marked('fetchMedia', { table: 'media_fetch', key: 'message_id' }),
  actOnMessage: marked('actOnMessage', {
    table: 'message_action',
    row: 'message_id',
    where: () => sql`ended_at is null`,
    signal: 'due',
  }),
  // A run that waits is promised again only when its time is over; its steps are in rows, so a workflow that restarts
  // continues behind them.
  runAutomation: marked('runAutomation', {
    table: 'automation_execution',
    where: (before, isAll) => sql`status = 'running' and (${isAll} or waits_until is null or waits_until < ${before})`,
  }),
  eraseContact: open('eraseContact', 'erasure', sql`ended_at is null`),
  exportTenant: open('exportTenant', 'tenant_export', sql`ended_at is null and gone_reason is null`),
};

/**
 * Promises again what the rows of a type say must run although nothing runs it, and returns how many it has promised.
 * With `all`, for a new store of Temporal, it promises page after page until none is left. Starts are idempotent by id,
 * so a workflow that runs is left alone.
 */
export async function promiseAgain(
  database: Pick<Database, 'clock' | 'transaction'>,
  type: AgainByRows,
  { all, isStopping = () => false }: { all: boolean; isStopping?: () => boolean },
): Promise<number> {
  const { promise, marks } = AGAIN[type];
  const look = { afterMs: all ? 0 : WORKFLOWS[type].again.afterMs, allSince: all ? database.clock.now() : null };
  let promised = 0;
  for (;;) {
    const page = await database.transaction((tx) => promise(tx, look));
    promised += page;
    if (!all || !marks || page === 0 || isStopping()) return promised;
  }
}

interface Marked<Type extends PromisedType> {
  table: string;
  key?: string;
  /** The column with the key of the workflow's row. */
  row?: string;
  where?: (before: Date, isAll: boolean) => RawBuilder<unknown>;
  signal?: SignalOf<Type>;
}

/** Rows that note when they were promised last. */
function marked<Type extends PromisedType>(
  type: Type,
  { table, key = 'id', row = key, where = () => sql`true`, signal }: Marked<Type>,
): Again {
  return {
    marks: true,
    async promise(tx, { afterMs, allSince }) {
      const before = allSince ?? new Date(tx.now.getTime() - afterMs);
      const due = await rows(tx, IdRow)`
        with due as (
          select ${sql.ref(key)} as key from ${sql.table(table)}
          where ${where(before, allSince !== null)} and promised_at < ${before}
          order by promised_at limit ${PAGE_ROWS} for update skip locked
        )
        update ${sql.table(table)} w set promised_at = ${tx.now} from due where w.${sql.ref(key)} = due.key
        returning w.${sql.ref(row)} as id`;
      if (due.length === 0) return 0;
      await promiseMissing(tx, type, {
        which: isOneOf(due),
        priority: PRIORITY.background,
        movedAt: null,
        note: NOTE,
        ...(signal === undefined ? {} : { signal }),
      });
      return due.length;
    },
  };
}

/** Rows that are few, and whose execution runs until they end. */
function open(type: PromisedType, table: string, isOpen: RawBuilder<unknown>): Again {
  return {
    marks: false,
    async promise(tx, { afterMs }) {
      const before = new Date(tx.now.getTime() - afterMs);
      const due = await rows(tx, IdRow)`
        select id from ${sql.table(table)} where ${isOpen} and created_at < ${before}
        order by created_at limit ${MAX_OPEN}`;
      if (due.length === 0) return 0;
      return promiseMissing(tx, type, { which: isOneOf(due), movedAt: null, note: NOTE });
    },
  };
}

const isOneOf = (found: readonly { id: string }[]): RawBuilder<unknown> =>
  sql`r.id = any(${found.map(({ id }) => id)}::text[])`;
