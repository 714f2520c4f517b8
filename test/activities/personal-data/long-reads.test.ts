import { describe, expect, it } from '@jest/globals';
import { sql } from 'kysely';
import { openGaps } from '../../../db/sessions/gaps.ts';
import type { NetworkMessage } from '../../../domain/network/network-event.ts';
import { databaseOfThisFile } from '../../db/database-of-this-file.ts';
import { howMany } from '../../support/depth.ts';
import { changeRows, databaseNow, findRows, rowsOf } from '../../support/rows.ts';
import { anAccount, talk } from '../sessions/an-account.ts';
import { sessionsUnheard } from '../sessions/a-session-unheard.ts';
import { atEachStep, conversationNow, HAPPENINGS, happeningsOf, never, Steps, twoWhoWrote } from './between-steps.ts';
import type { Two } from './between-steps.ts';

const HOUR_MS = 3_600_000;
const { database } = await databaseOfThisFile();
const aSession = sessionsUnheard(database);

/**
 * Every message of the two is there once, in the conversation of the person whose address it came from, and nothing
 * else is.
 */
async function expectEach(at: number, sessionId: string, said: Map<string, readonly NetworkMessage[]>): Promise<void> {
  const found = await rowsOf(
    database,
    sql<{ networkId: string; conversationId: string }>`select m.network_id as "networkId",
      case when m.contact_id = c.contact_id then m.conversation_id end as "conversationId"
      from message m join conversation c on c.id = m.conversation_id where m.session_id = ${sessionId} and m.network_id is not null`,
  );
  const faults = { missing: 0, elsewhere: 0, more: found.length };
  for (const [chatId, messages] of said) {
    const conversationId = await conversationNow(database, sessionId, chatId);
    for (const { networkId } of messages) {
      const here = found.filter((each) => each.networkId === networkId);
      if (here.length === 0) faults.missing += 1;
      if (here.some((each) => each.conversationId !== conversationId)) faults.elsewhere += 1;
      faults.more -= Math.min(1, here.length);
    }
  }
  expect([at, faults]).toEqual([at, { missing: 0, elsewhere: 0, more: 0 }]);
}

/** Its steps: before each question to the backend, and between its answer and the transaction that writes that. */
describe('a read of the history', () => {
  for (const name of HAPPENINGS)
    it(`has every message once, with its person, with ${name} between any two steps`, async () => {
      await atEachStep(howMany({ few: 3, all: 1_000 }), async (at) => {
        const account = await anAccount(database);
        const { before, happens } = happeningsOf(database, account.sessionId)[name] ?? never();
        const two = await twoWhoWrote(database, account.sessionId);
        const said = new Map([two.phone, two.hidden].map((chatId) => [chatId, talk(chatId, 130)]));
        for (const [chatId, messages] of said) account.chats.set(chatId, messages);
        if (before) await happeningsOf(database, account.sessionId)['a merge']?.happens(two);
        const steps = new Steps(at, () => happens(two));
        account.betweenCalls(() => steps.next());
        expect(await account.run('first')).toMatchObject({ more: false, outcome: 'done', chatsLeft: 0 });
        expect(await account.view()).toMatchObject({ state: 'done', isBounded: false, importedInAll: 260 });
        await expectEach(at, account.sessionId, said);
        return steps;
      });
    });
});

const LOOKS: Record<string, (session: Awaited<ReturnType<typeof aSession>>) => Promise<void>> = {
  'a gap': async ({ id, carryOut }) => {
    const [from, to] = [44, 0.5].map((hours) => new Date(database.clock.now().getTime() - hours * HOUR_MS));
    if (from && to) await database.transaction((tx) => openGaps(tx, [id], { cause: 'engine_down', from, to }));
    await carryOut();
  },
  'an audit': async ({ id, look, carryOut }) => {
    await changeRows(database, 'session', { comparedAt: databaseNow }, { id });
    await look();
    await carryOut();
  },
};

/** Their steps: as above, for each chat of the gap. */
describe('the comparison of', () => {
  for (const [path, compare] of Object.entries(LOOKS))
    for (const name of HAPPENINGS)
      it(`${path} brings in every message once, to its person, with ${name} between any two steps`, async () => {
        await atEachStep(howMany({ few: 3, all: 1_000 }), async (at) => {
          const session = await aSession();
          const since = new Date(database.clock.now().getTime() - 6 * 24 * HOUR_MS);
          await changeRows(database, 'session', { statusChangedAt: since, comparedAt: null }, { id: session.id });
          const { before, happens } = happeningsOf(database, session.id)[name] ?? never();
          const two: Two = await twoWhoWrote(database, session.id);
          if (before) await happeningsOf(database, session.id)['a merge']?.happens(two);
          const first = session.shows(two.phone, 'told', 41 * HOUR_MS);
          await session.tells(first);
          const said = new Map(
            [two.phone, two.hidden].map((chatId) => [
              chatId,
              [40, 38].map((hours) => session.shows(chatId, `${hours} hours ago`, hours * HOUR_MS)),
            ]),
          );
          const steps = new Steps(at, () => happens(two));
          session.betweenCalls(() => steps.next());
          await compare(session);
          said.set(two.phone, [first, ...(said.get(two.phone) ?? [])]);
          await expectEach(at, session.id, said);
          const told = (await session.events()).filter(({ type }) => type === 'message').map(({ what }) => what);
          expect([at, told.toSorted()]).toEqual([
            at,
            ['38 hours ago', '38 hours ago', '40 hours ago', '40 hours ago', 'told'],
          ]);
          const gaps = await findRows(
            database,
            'gap',
            { sessionId: session.id },
            { state: 'state', recovered: 'recovered', unknown: 'leftUnknown' },
          );
          expect([at, gaps]).toEqual([at, [{ state: 'closed', recovered: 4, unknown: [] }]]);
          return steps;
        });
      });
});
