import { beforeAll, describe, expect, it } from '@jest/globals';
import { sql } from 'kysely';
import { indexBeforeSearch } from '../../../db/conversations/search/due.ts';
import { readSearch, searchMessages } from '../../../db/conversations/search/search-messages.ts';
import type { SearchFilter } from '../../../db/conversations/search/search-messages.ts';
import { searchTerms } from '../../../domain/inbox/search-terms.ts';
import { changeRows, databaseNow, rowsOf } from '../../support/rows.ts';
import { SCOPE } from '../a-database.ts';
import { databaseOfThisFile } from '../database-of-this-file.ts';

const { database, sessionId } = await databaseOfThisFile();
const scope = { ...SCOPE, sessionId: null };
const MESSAGES = 6_000;
/** Every so manieth message says the word: from what the newest have to what the index finds months back. */
const WORDS = { daily: 3, weekly: 40, monthly: 300, rare: 2_500, never: MESSAGES + 1 } as const;
const PAGE = 7;

const all: SearchFilter = {
  sessionId: null,
  conversationIds: null,
  kind: null,
  fromMe: null,
  since: null,
  until: null,
};

/** All pages, one after the other. */
async function found(word: string, narrowed: Partial<SearchFilter>): Promise<string[]> {
  const ids: string[] = [];
  let after: { at: string; id: string } | null = null;
  do {
    const page = await database.read(async (queries) => {
      const { words } = await readSearch(queries, searchTerms(word));
      const filter = { ...all, ...narrowed };
      return searchMessages(queries, scope, { words: words ?? '', filter, after, limit: PAGE });
    });
    ids.push(...page.map(({ id }) => id));
    const last = page.at(-1);
    after = page.length === PAGE && last ? { at: last.at, id: last.id } : null;
  } while (after !== null);
  return ids;
}

const said = async (which: ReturnType<typeof sql<boolean>>): Promise<string[]> =>
  (
    await rowsOf(
      database,
      sql<{ id: string }>`select id from message where ${which} order by occurred_at desc, id desc`,
    )
  ).map(({ id }) => id);

describe('a search, page by page', () => {
  beforeAll(async () => {
    await rowsOf(
      database,
      sql<object>`insert into conversation (id, agency_id, tenant_id, session_id, chat_id)
        select 'c' || n, ${SCOPE.agencyId}, ${SCOPE.tenantId}, ${sessionId}, 'c' || n || '@g.us'
        from generate_series(0, 9) n`,
    );
    // Two years, with as many messages in the last week as in all the time before; some are of one moment.
    await rowsOf(
      database,
      sql<object>`insert into message (id, agency_id, tenant_id, session_id, conversation_id, direction, origin, kind,
          body, network_id, occurred_at, status)
        select 'm' || lpad(n::text, 6, '0'), ${SCOPE.agencyId}, ${SCOPE.tenantId}, ${sessionId}, 'c' || n % 10,
          case when n % 4 = 0 then 'out' else 'in' end, 'history', 'text',
          concat_ws(' ', 'said', ${sql.join(
            Object.entries(WORDS).map(([word, every]) => sql`case when n % ${every}::int = 0 then ${word}::text end`),
          )}), 'm' || n, now() - interval '1 hour' * (power((n / 2) * 2, 2) / 2000), 'received'
        from generate_series(0, ${MESSAGES - 1}::int) n`,
    );
    expect(await indexBeforeSearch(database)).toBe(false);
    expect(await indexBeforeSearch(database)).toBe(true);
    await changeRows(database, 'message', { revokedAt: databaseNow }, { id: ['m000120', 'm002500'] });
  });

  it.each(Object.entries(WORDS))('finds each message that says “%s”, once, the newest first', async (word, every) => {
    const everyone = sql<boolean>`revoked_at is null and substr(id, 2)::int % ${every}::int = 0`;
    expect(await found(word, {})).toEqual(await said(everyone));
    const ours = sql<boolean>`${everyone} and direction = 'out'`;
    expect(await found(word, { fromMe: true })).toEqual(await said(ours));
    const here = sql<boolean>`${everyone} and conversation_id in ('c0', 'c5')`;
    expect(await found(word, { conversationIds: ['c0', 'c5'] })).toEqual(await said(here));
  });
});
