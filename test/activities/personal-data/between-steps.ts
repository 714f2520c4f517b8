import { expect } from '@jest/globals';
import { sql } from 'kysely';
import type { Database } from '../../../db/engine/database.ts';
import { ensureConversation } from '../../../db/conversations/conversation.ts';
import { SCOPE } from '../../db/a-database.ts';
import { aPerson } from '../../db/conversations/a-person.ts';
import type { People } from '../../db/conversations/a-person.ts';
import { evenly } from '../../support/depth.ts';
import { rowsOf } from '../../support/rows.ts';

/** Two people of one session. */
export type Two = Pick<People, 'phone' | 'hidden' | 'into' | 'from' | 'a' | 'b'>;

/** A happening to the two; `before` and `after` say whether they are one person then. */
export interface Happening {
  before: boolean;
  after: boolean;
  happens: (two: Two) => Promise<unknown>;
}

/** Lists what happens to two people of a session between two steps of a job. */
export function happeningsOf(database: Database, sessionId: string): Record<string, Happening> {
  const person = aPerson(database, sessionId);
  const number = ({ phone }: Two) =>
    database.transaction((tx) => person.named(tx, phone, phone.replace('1555', '1666')));
  return {
    nothing: { before: false, after: false, happens: () => Promise.resolve() },
    'a merge': { before: false, after: true, happens: (two) => person.join(two) },
    'the end of a merge': { before: true, after: false, happens: ({ from }) => person.unmerge(from) },
    'another number': { before: false, after: false, happens: number },
    'another number of one person': { before: true, after: true, happens: number },
  };
}

export const HAPPENINGS = [
  'nothing',
  'a merge',
  'the end of a merge',
  'another number',
  'another number of one person',
] as const;

/** Counts the steps of a job, and has something happen before one of them. */
export class Steps {
  taken = 0;
  hasHappened = false;
  readonly #at: number;
  readonly #happens: () => Promise<unknown>;

  constructor(at: number, happens: () => Promise<unknown>) {
    this.#at = at;
    this.#happens = happens;
  }

  async next(): Promise<void> {
    const isIt = this.taken === this.#at;
    this.taken += 1;
    if (!isIt) return;
    this.hasHappened = true;
    await this.#happens();
  }
}

let peopleMade = 0;

/** Makes two people who have written to a session, each under an own address. */
export async function twoWhoWrote(database: Database, sessionId: string): Promise<Two> {
  peopleMade += 1;
  const phone = `1555${6_200_000 + peopleMade}@c.us`;
  const hidden = phone.replace('@c.us', '@lid');
  const written = (chatId: string) =>
    database.transaction((tx) => ensureConversation(tx, { ...SCOPE, sessionId }, { chatId }));
  const [a, b] = [await written(phone), await written(hidden)];
  return { phone, hidden, into: a.contactId ?? '', from: b.contactId ?? '', a: a.id, b: b.id };
}

/**
 * Runs a job once to count its steps, and then for `most` of them at the most with something happening before it. `run`
 * begins with people of its own and asserts what must hold at the end.
 */
export async function atEachStep(most: number, run: (at: number) => Promise<Steps>): Promise<void> {
  const { taken } = await run(Number.POSITIVE_INFINITY);
  expect(taken).toBeGreaterThan(0);
  const places = Array.from({ length: taken }, (_, at) => at);
  let happened = 0;
  for (const at of evenly(places, most)) {
    const { hasHappened, taken: takenNow } = await run(at);
    // A run takes some steps fewer when more rows are ready for one batch, so it may end before a late step.
    expect([at, hasHappened || takenNow <= at]).toEqual([at, true]);
    if (hasHappened) happened += 1;
  }
  expect(happened).toBeGreaterThan(0);
}

/** Answers the conversation of a session with the person who has this address now. */
export async function conversationNow(database: Database, sessionId: string, chatId: string): Promise<string | null> {
  const [found] = await rowsOf(
    database,
    sql<{ id: string }>`select c.id from contact_alias a join conversation c on c.contact_id = a.contact_id
      where a.chat_id = ${chatId} and c.session_id = ${sessionId}`,
  );
  return found?.id ?? null;
}

/** Answers every address that the person of this one has now. */
export async function addressesNow(database: Database, chatId: string): Promise<string[]> {
  const found = await rowsOf(
    database,
    sql<{ address: string }>`select b.chat_id as address from contact_alias a
      join contact_alias b on b.contact_id = a.contact_id where a.chat_id = ${chatId} order by 1`,
  );
  return found.map(({ address }) => address);
}

export function never(): never {
  throw new Error('Nothing happens by that name.');
}
