import { describe, expect, it } from '@jest/globals';
import { sql } from 'kysely';
import { rowsOf } from '../support/rows.ts';
import { databaseOfThisFile } from './database-of-this-file.ts';

const { database } = await databaseOfThisFile();

describe('the triggers of messages and conversations', () => {
  it('have no condition that PostgreSQL parses anew in each insert and update, which costs more than a call', async () => {
    const triggers = await rowsOf(
      database,
      sql<{ name: string; hasCondition: boolean }>`
        select tgname as name, tgqual is not null as "hasCondition" from pg_trigger
        where tgrelid in ('message'::regclass, 'conversation'::regclass) and not tgisinternal
          -- Triggers of deletions, and of changes of some columns alone, are left out.
          and tgtype & 20 <> 0 and tgattr = '' order by tgname`,
    );
    expect(triggers.map(({ name }) => name)).toEqual(
      expect.arrayContaining([
        'conversation_came',
        'conversation_changed',
        'conversation_touched',
        'message_came',
        'message_changed',
      ]),
    );
    expect(triggers.filter(({ hasCondition }) => hasCondition)).toEqual([]);
  });
});
