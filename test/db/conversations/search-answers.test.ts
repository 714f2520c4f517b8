import { beforeAll, describe, expect, it } from '@jest/globals';
import { indexBeforeSearch } from '../../../db/conversations/search/due.ts';
import { readSearch, searchMessages } from '../../../db/conversations/search/search-messages.ts';
import type { SearchFilter } from '../../../db/conversations/search/search-messages.ts';
import { searchTerms } from '../../../domain/inbox/search-terms.ts';
import { addRows, changeRows, databaseNow, findRows } from '../../support/rows.ts';
import type { Where } from '../../support/rows.ts';
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

/** The messages that say a word, the newest first: one in so many says it. */
async function said(every: number, which: Where<'message'> = {}): Promise<string[]> {
  const all = await findRows(database, 'message', { ...which, revokedAt: null }, ['id'], ['occurredAt', 'id']);
  return all
    .map(({ id }) => id)
    .filter((id) => Number(id.slice(1)) % every === 0)
    .toReversed();
}

describe('a search, page by page', () => {
  beforeAll(async () => {
    await addRows(database, 'conversation', 10, (n) => ({
      ...SCOPE,
      id: `c${n - 1}`,
      sessionId,
      chatId: `c${n - 1}@g.us`,
    }));
    // Two years, with as many messages in the last week as in all the time before; some are of one moment.
    const begun = database.clock.now().getTime();
    await addRows(database, 'message', MESSAGES, (place) => {
      const n = place - 1;
      const words = Object.entries(WORDS).flatMap(([word, every]) => (n % every === 0 ? [word] : []));
      const ageMs = ((n - (n % 2)) ** 2 / 2_000) * 3_600_000;
      return {
        ...SCOPE,
        id: `m${String(n).padStart(6, '0')}`,
        sessionId,
        conversationId: `c${n % 10}`,
        direction: n % 4 === 0 ? 'out' : 'in',
        origin: 'history',
        kind: 'text',
        body: ['said', ...words].join(' '),
        networkId: `m${n}`,
        occurredAt: new Date(begun - ageMs),
        status: 'received',
      };
    });
    expect(await indexBeforeSearch(database)).toBe(false);
    expect(await indexBeforeSearch(database)).toBe(true);
    await changeRows(database, 'message', { revokedAt: databaseNow }, { id: ['m000120', 'm002500'] });
  });

  it.each(Object.entries(WORDS))('finds each message that says “%s”, once, the newest first', async (word, every) => {
    expect(await found(word, {})).toEqual(await said(every));
    expect(await found(word, { fromMe: true })).toEqual(await said(every, { direction: 'out' }));
    const conversationIds = ['c0', 'c5'];
    expect(await found(word, { conversationIds })).toEqual(await said(every, { conversationId: conversationIds }));
  });
});
