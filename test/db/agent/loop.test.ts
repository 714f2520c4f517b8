import { describe, expect, it } from '@jest/globals';
import { readAgentDesk } from '../../../db/agent/desk.ts';
import { ensureConversation } from '../../../db/conversations/conversation.ts';
import { defaultPersona } from '../../../domain/agent/sales-agent.ts';
import { newId } from '../../../db/engine/new-id.ts';
import { isLoop } from '../../../domain/agent/loop.ts';
import { SCOPE } from '../a-database.ts';
import { databaseOfThisFile } from '../database-of-this-file.ts';
import { addRow } from '../../support/rows.ts';

type By = 'contact' | 'agent' | 'person';
/** A line: its author, the seconds since the previous line, and its text. */
type Line = [By, number, string];

const LONG = 'We are closed now and will come back to you about request';

const { database, sessionId } = await databaseOfThisFile();

describe('the loop detector', () => {
  let people = 0;

  /** After how many of the contact's messages it is taken for a program; null for never. */
  async function detectedAt(lines: readonly Line[]): Promise<number | null> {
    people += 1;
    const chat = { chatId: `1555${4_100_000 + people}@c.us` };
    const { id } = await database.transaction((tx) => ensureConversation(tx, { ...SCOPE, sessionId }, chat));
    let at = database.clock.now().getTime();
    let received = 0;
    for (const [by, afterS, text] of lines) {
      at += afterS * 1_000;
      await say(id, by, new Date(at), text);
      if (by !== 'contact') continue;
      received += 1;
      const desk = await database.read((queries) =>
        readAgentDesk(queries, id, { running: null, budgets: defaultPersona('model') }),
      );
      if (isLoop(desk?.said ?? [], at)) return received;
    }
    return null;
  }

  async function say(conversationId: string, by: By, at: Date, text: string): Promise<void> {
    const inbound = by === 'contact';
    const origin = inbound ? 'network' : by === 'agent' ? 'ai' : 'person';
    await addRow(database, 'message', {
      id: newId('msg'),
      agencyId: SCOPE.agencyId,
      tenantId: SCOPE.tenantId,
      sessionId,
      conversationId,
      direction: inbound ? 'in' : 'out',
      origin,
      kind: 'text',
      body: text,
      occurredAt: at,
      claimedAt: inbound ? null : at,
      status: inbound ? 'received' : 'sending',
    });
  }

  /** Returns this number of exchanges: the agent's answer after two seconds, and the contact's after the given time. */
  const exchanges = (count: number, afterS: (index: number) => number, text: (index: number) => string): Line[] =>
    Array.from({ length: count }, (_, index): Line[] => [
      ['contact', index === 0 ? 0 : afterS(index), text(index)],
      ['agent', 2, `Answer ${index}`],
    ]).flat();
  const word = (index: number): string => 'abcdefghijklmnopqrstuvwxyz'.charAt(index % 26);

  it('stops a program that answers faster than anybody types, with its seventh message', async () => {
    expect(await detectedAt(exchanges(20, () => 0.2, word))).toBe(7);
    const essays = exchanges(
      20,
      (index) => 8 + (index % 3),
      (index) => word(index).repeat(120),
    );
    expect(await detectedAt(essays)).toBe(7);
  });

  it('stops a program that takes its time and is even like a clock', async () => {
    expect(await detectedAt(exchanges(20, (index) => 12 + (index % 4), word))).toBe(11);
  });

  it('stops texts that answer by themselves when they come the third time, also two that take turns', async () => {
    const seldom = (index: number): number => 60 + (index % 5) * 20;
    expect(await detectedAt(exchanges(9, seldom, (index) => `${LONG} #${index}`))).toBe(3);
    const pair = (index: number): string =>
      index % 2 === 0 ? `${LONG} ${index}` : `Please choose from the menu: ${index}`;
    expect(await detectedAt(exchanges(9, seldom, pair))).toBe(5);
  });

  it.each([
    ['answers quickly now and then', exchanges(30, (index) => (index % 6 === 5 ? 25 : 1), word)],
    ['takes a different while each time', exchanges(30, (index) => [4, 20, 9, 28, 3, 14, 6][index % 7] ?? 5, word)],
    [
      'says yes to everything',
      exchanges(
        30,
        (index) => [5, 21, 9][index % 3] ?? 5,
        () => 'Yes',
      ),
    ],
    [
      'comes back with the same words another day',
      exchanges(
        5,
        () => 86_400,
        () => LONG,
      ),
    ],
    ['is not answered and says it again', Array.from({ length: 9 }, (): Line => ['contact', 30, LONG])],
    [
      'is talked with by a person in between',
      exchanges(30, () => 0.2, word).flatMap((line, index): Line[] =>
        index % 8 === 0 ? [line, ['person', 1, 'Hello']] : [line],
      ),
    ],
  ])('leaves somebody alone who %s', async (_who, lines) => {
    expect(await detectedAt(lines)).toBeNull();
  });
});
