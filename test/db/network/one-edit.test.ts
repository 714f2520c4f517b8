import { describe, expect, it } from '@jest/globals';
import { sql } from 'kysely';
import { editIds } from '../../../adapters/backend/events/changes/edit.ts';
import { databaseOfThisFile } from '../database-of-this-file.ts';
import { aPerson } from '../conversations/a-person.ts';
import { findRows, rowsOf } from '../../support/rows.ts';

const { database, sessionId } = await databaseOfThisFile();
const person = aPerson(database, sessionId);
let phones = 15_550_179_100;

/** Tells a message of these edits in their order, and returns what it has said so far. */
async function versionsAfter(...edits: { body: string; editId?: string; atMs: number }[]): Promise<string[]> {
  phones += 1;
  const { messageId } = await person.send(`${phones}@c.us`, 'first');
  for (const { body, editId = null, atMs } of edits) {
    const at = new Date(Date.now() + atMs).toISOString();
    await rowsOf(
      database,
      sql<object>`select edit_message(${messageId}, ${JSON.stringify({ ...editIds(editId, body), body, at, toldAt: at, lineLength: 100 })}::jsonb, now())`,
    );
  }
  const said = await findRows(database, 'messageVersion', { messageId }, ['body'], ['at', 'toldAt']);
  return said.map(({ body }) => body);
}

describe('edit_message: an edit that a list of the network shows without its id', () => {
  it('is one with its report, whichever comes first', async () => {
    const report = { body: 'second', editId: 'EDIT1', atMs: 2_000 };
    const list = { body: 'second', atMs: 1_000 };
    expect(await versionsAfter(report, list)).toEqual(['first', 'second']);
    expect(await versionsAfter(list, report)).toEqual(['first', 'second']);
    expect(await versionsAfter(report, list, report, list)).toEqual(['first', 'second']);
  });

  it('is kept where nothing else tells of it, and so is one back to earlier words', async () => {
    expect(await versionsAfter({ body: 'second', atMs: 1_000 }, { body: 'third', atMs: 2_000 })).toEqual([
      'first',
      'second',
      'third',
    ]);
    const there = { body: 'second', editId: 'EDIT2', atMs: 1_000 };
    const back = { body: 'first', editId: 'EDIT3', atMs: 2_000 };
    expect(await versionsAfter(there, back, { ...there, editId: 'EDIT4', atMs: 3_000 })).toEqual([
      'first',
      'second',
      'first',
      'second',
    ]);
  });
});
