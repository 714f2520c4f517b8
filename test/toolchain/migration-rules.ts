/** Tables that are never small: whatever reads or locks all of one stands in the way of everybody (db/migrations/README.md). */
const BIG = new Set([
  'ai_turn',
  'backend_event',
  'contact',
  'contact_alias',
  'conversation',
  'delivery',
  'delivery_attempt',
  'dispatch',
  'event',
  'handover',
  'idempotency',
  'message',
  'message_history',
  'parked_own_message',
  'request_log',
]);

const CONTRACT = /^\d{4}-contract-/;
const TAKES_AWAY = /^(drop (column )?(?!constraint|not null|default)|rename )|^alter (column )?\w+ (set data )?type /;
const NEEDS_A_VALUE = /^add (column )?(?!constraint|primary|unique|check|foreign).* not null/;
const CHANGES = /\b(?:update|delete from) (?:only )?(\w+)/g;
const LOCKS_NOTHING = /^(set|select|update|delete|with) /;
const HAS_A_VALUE = / default | generated /;

/** Returns a sentence for each statement that would break the previous release on the same database. */
export function refusals(file: string, source: string): string[] {
  const statements = statementsOf(source);
  const isNew = new Set(statements.flatMap((statement) => /^create table (\w+)/.exec(statement)?.[1] ?? []));
  return statements.flatMap((statement, place) => [
    ...indexRefusals(statement, isNew),
    ...changeRefusals(statement, statements.slice(0, place), isNew),
    ...(CONTRACT.test(file) ? [] : expandRefusals(statement, isNew)),
  ]);
}

function indexRefusals(statement: string, isNew: ReadonlySet<string>): string[] {
  const [, , name = '', table = ''] =
    /^create (unique )?index (?:if not exists )?(\w+) on (?:only )?(\w+)/.exec(statement) ?? [];
  if (BIG.has(table) && !isNew.has(table))
    return [`${name} is built while writers of ${table} wait: list it in db/indexes/indexes.sql`];
  return statement.startsWith('drop index ')
    ? [`"${statement}" locks readers out: list it in db/indexes/indexes.sql`]
    : [];
}

/** Whatever is locked by then is locked until all its rows are read: each send, and each event of the backend, waits. */
function changeRefusals(statement: string, before: readonly string[], isNew: ReadonlySet<string>): string[] {
  if (before.every((earlier) => LOCKS_NOTHING.test(earlier))) return [];
  const changed = [...statement.matchAll(CHANGES)].flatMap(([, table = '']) => table);
  return changed
    .filter((table) => BIG.has(table) && !isNew.has(table))
    .map((table) => `"${statement}" reads ${table} while locks are held: say it first, or fill it by the reconcile`);
}

function expandRefusals(statement: string, isNew: ReadonlySet<string>): string[] {
  if (/^drop (table|view|type|schema) /.test(statement)) return [takesAway(statement)];
  const [, table = '', actions = ''] = /^alter table (?:if exists )?(?:only )?(\w+) (.+)$/.exec(statement) ?? [];
  if (isNew.has(table)) return [];
  return clausesOf(actions).flatMap((action) => {
    if (TAKES_AWAY.test(action)) return [takesAway(`alter table ${table} ${action}`)];
    if (
      /^alter (column )?\w+ set not null/.test(action) ||
      (NEEDS_A_VALUE.test(action) && !HAS_A_VALUE.test(`${action} `))
    ) {
      return [`"alter table ${table} ${action}" refuses the rows that the previous release writes: give it a default`];
    }
    return [];
  });
}

const takesAway = (what: string): string =>
  `"${what}" takes away what the previous release uses: leave it to a contract migration of a later release`;

/** Without comments and bodies of functions, each on one line in lower case. */
function statementsOf(source: string): string[] {
  return source
    .replaceAll(/--.*$/gm, '')
    .replaceAll(/\$(\w*)\$[\s\S]*?\$\1\$/g, "''")
    .split(';')
    .map((statement) => statement.replaceAll(/\s+/g, ' ').trim().toLowerCase())
    .filter((statement) => statement !== '');
}

/** At its commas, but for those in parentheses. */
function clausesOf(actions: string): string[] {
  const clauses = [''];
  let depth = 0;
  for (const letter of actions) {
    depth += letter === '(' ? 1 : letter === ')' ? -1 : 0;
    if (letter === ',' && depth === 0) clauses.push('');
    else clauses.push(`${clauses.pop() ?? ''}${letter}`);
  }
  return clauses.map((clause) => clause.trim());
}
