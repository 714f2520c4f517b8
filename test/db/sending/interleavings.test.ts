import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { updateSettings } from '../../../db/tenants/settings.ts';
import { SCOPE } from '../a-database.ts';
import { databaseOfThisFile } from '../database-of-this-file.ts';
import { faultsOf, listSequenceFaults, listTold, queueFaultsOf } from '../../activities/webhooks/delivery-truth.ts';
import { inEveryOrder } from '../interleave.ts';
import { aScene, leave, RIVALS } from '../rivals.ts';
import type { Beginning, Rival } from '../rivals.ts';
import { withBoundaries } from './boundaries.ts';
import { stepped } from './stepped.ts';
import { someOf } from '../../support/depth.ts';

const MOVES: Rival[] = ['accept', 'takeOver', 'due', 'comeBack'];
/** The rivals at a waiting message, and those at a claimed one. */
const AT_WAITING: Rival[] = [...MOVES, 'claim', 'cancel', 'putOff', 'expire'];
const AT_CLAIMED: Rival[] = [...MOVES, 'cancelNext', 'sent', 'uncertain', 'giveBack'];

/** Each with each, and with another of its kind. */
function pairsOf(rivals: readonly Rival[]): Rival[][] {
  return rivals.flatMap((one, index) => rivals.slice(index).map((other) => [one, other]));
}

const OUTCOMES: Rival[] = ['sent', 'uncertain', 'giveBack'];
const WITHOUT_PACE = [
  ...pairsOf(AT_WAITING).map((rivals) => ({ first: 'waiting' as const, rivals })),
  ...pairsOf(AT_CLAIMED)
    .filter((rivals) => rivals.some((rival) => OUTCOMES.includes(rival)))
    .map((rivals) => ({ first: 'claimed' as const, rivals })),
  // If nothing else waits, only these two release a new message.
  ...(['accept', 'due'] satisfies Rival[]).flatMap((comes) => [
    ...OUTCOMES.map((rival) => ({ first: 'claimed alone' as const, rivals: [comes, rival] })),
    { first: 'waiting alone' as const, rivals: [comes, 'cancel'] satisfies Rival[] },
  ]),
  { first: 'waiting' as const, rivals: ['claim', 'cancel', 'accept'] satisfies Rival[] },
  { first: 'claimed' as const, rivals: ['giveBack', 'takeOver', 'due'] satisfies Rival[] },
];
/** Cases that a pace adds: the releaser interferes, and a slot is given back. */
const WITH_PACE = [
  ...(['release', ...AT_WAITING] satisfies Rival[]).map((rival) => ({
    first: 'waiting' as const,
    rivals: ['release', rival] satisfies Rival[],
  })),
  ...pairsOf(['release', ...AT_CLAIMED])
    .filter((rivals) => rivals.includes('giveBack') || rivals.includes('release'))
    .map((rivals) => ({ first: 'claimed' as const, rivals })),
  { first: 'waiting' as const, rivals: ['release', 'cancel', 'accept'] satisfies Rival[] },
  { first: 'claimed' as const, rivals: ['release', 'giveBack', 'cancelNext'] satisfies Rival[] },
];

/** `npm run faults` runs them all. */
const RACES_OF_A_PACE = 10;

const { database, sessionId } = await databaseOfThisFile();
await withBoundaries(database);

describe.each([
  { pace: 'without a pace', isPaced: false, races: WITHOUT_PACE },
  { pace: 'with a pace', isPaced: true, races: WITH_PACE },
])('transactions that meet at one conversation, $pace', ({ isPaced, races }) => {
  beforeAll(async () => {
    const pace = { perMinute: 6_000, burst: 1_000, firstContactsPerDay: 0 };
    if (isPaced) await database.transaction((tx) => updateSettings(tx, SCOPE, { pace }));
  });
  afterAll(async () => {
    expect(await listSequenceFaults(database)).toEqual([]);
  });

  /** Runs them in every order, and looks at the conversation after each. Returns which answers there were. */
  async function race(first: Beginning, rivals: Rival[]): Promise<Set<string>> {
    const answers = new Set<string>();
    await inEveryOrder(rivals.length === 2 && rivals.includes('claim') ? 2 : 1, async () => {
      const scene = await aScene(database, sessionId, first);
      const transactions = rivals.map((rival) => stepped<unknown>(database, (tx) => RIVALS[rival](tx, scene)));
      return {
        transactions,
        async check(order) {
          const results = await Promise.all(transactions.map(({ result }) => result));
          const messages = await listTold(database, [scene.conversationId]);
          const faults = [...messages.flatMap(faultsOf), ...queueFaultsOf(messages, { isPaced })];
          expect({ rivals, order, faults }).toEqual({ rivals, order, faults: [] });
          answers.add(JSON.stringify(results));
          await leave(database);
        },
      };
    });
    return answers;
  }

  it.each(someOf(races, RACES_OF_A_PACE).map(({ first, rivals }) => [rivals.join(' and '), first, rivals] as const))(
    '%s, the first message %s',
    async (_names, first, rivals) => {
      const answers = await race(first, [...rivals]);
      // If only one rival can win, each has won once.
      if (!isPaced && rivals.every((rival) => rival === 'claim' || rival === 'cancel')) expect(answers.size).toBe(2);
    },
  );
});
