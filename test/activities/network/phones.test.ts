import { beforeEach, describe, expect, it } from '@jest/globals';
import { sql } from 'kysely';
import { createPhoneActivities } from '../../../activities/network/phones.ts';
import { applySessionStatus } from '../../../db/network/ingest.ts';
import { promisePhoneQuestions } from '../../../db/network/phone-questions.ts';
import { unmergeContact } from '../../../db/network/unmerge/unmerge.ts';
import { activateAgency, suspendAgency } from '../../../db/tenants/suspension.ts';
import { EngineError } from '../../../domain/error.ts';
import { askAgainAfterMs } from '../../../domain/network/phone-questions.ts';
import { anAgent } from '../../db/agent/a-turn.ts';
import { SCOPE } from '../../db/a-database.ts';
import { aPerson } from '../../db/conversations/a-person.ts';
import { databaseOfThisFile } from '../../db/database-of-this-file.ts';
import { addRow, changeRows, countRows, deleteRows, not, planOf } from '../../support/rows.ts';
import { inActivity } from '../in-activity.ts';

const { database, session, sessionId } = await databaseOfThisFile();
const agent = anAgent(database, sessionId);
const { contactOf, rowsAbout, send, stateOf, twoPeople } = aPerson(database, sessionId);

describe('askForPhones: a hidden id whose phone the network does not know yet', () => {
  beforeEach(() => changeRows(database, 'contact', { askPhoneAt: null }));

  const HOUR_MS = 3_600_000;
  const ask = (findPhone: (hidden: { lid: string }) => Promise<string | null>) =>
    inActivity(createPhoneActivities({ database, backends: { findPhone } }).askForPhones, { sessionId });
  const promised = () => countRows(database, 'dispatch', { workflowId: `phones/${sessionId}` });

  it('is asked for until it is known after six hours: one contact, one conversation, and the takeover holds', async () => {
    const people = await twoPeople(agent);
    await agent.hands(people.b, 'human_takeover');
    const begin = database.clock.now().getTime();
    const knows = async ({ lid }: { lid: string }) =>
      lid === people.hidden && database.clock.now().getTime() - begin > 6 * HOUR_MS ? people.phone : null;
    let rounds = 0;
    let before: object | undefined;
    for (let round = await ask(knows); round.nextInMs !== null; round = await ask(knows)) {
      rounds += 1;
      expect(round.nextInMs).toBeGreaterThan((askAgainAfterMs(rounds) ?? 0) - 60_000);
      database.clock.advance(round.nextInMs);
      before = await rowsAbout(people);
    }
    expect(rounds).toBe(6);
    expect(await contactOf(people.hidden)).toBe(people.into);
    expect(await stateOf(people.b)).toMatchObject({ mergedInto: people.a });
    expect(await stateOf(people.a)).toMatchObject({ mode: 'human_takeover' });

    await database.transaction((tx) => unmergeContact(tx, SCOPE.agencyId, people.from));
    expect(await rowsAbout(people)).toEqual(before);
    expect(await stateOf(people.b)).toMatchObject({ mode: 'human_takeover', mergedInto: null });

    // The network still says that it is that phone; they stay apart, and nobody asks again.
    expect(await ask(knows)).toMatchObject({ waiting: 0, nextInMs: null });
    expect(await contactOf(people.hidden)).toBe(people.from);
  });

  it('is asked for by an execution of its session, which is promised once it is overdue', async () => {
    await agent.write(agent.person().replace('@c.us', '@lid'), 'Hello?');
    await deleteRows(database, 'dispatch');
    // The other tests have moved the clock on, and the database's own time dates the question.
    await changeRows(database, 'contact', { askPhoneAt: database.clock.now() }, { askPhoneAt: not(null) });
    await database.transaction(promisePhoneQuestions);
    expect(await promised()).toBe(0);
    database.clock.advance(2 * 60_000);
    await database.transaction(promisePhoneQuestions);
    await database.transaction(promisePhoneQuestions);
    expect(await promised()).toBe(1);
  });

  it('is not counted as asked for while the session or the backend is away', async () => {
    const hidden = agent.person().replace('@c.us', '@lid');
    await agent.write(hidden, 'Hello?');
    database.clock.advance(1_000);
    expect(await ask(() => Promise.reject(new EngineError('backend_unavailable', 'It is down.')))).toMatchObject({
      asked: 0,
      waiting: 1,
      held: 'backend_unavailable',
    });
    database.clock.advance(HOUR_MS);
    await changeRows(database, 'session', { status: 'STOPPED' });
    expect(await ask(async () => null)).toMatchObject({ asked: 0, waiting: 1, held: 'session_not_ready' });
    await changeRows(database, 'session', { status: 'WORKING' });
    expect(await countRows(database, 'contact', { chatId: hidden, phoneAsks: 0 })).toBe(1);
  });

  it('wakes nobody while the session is down, and is asked for as soon as it is back', async () => {
    await agent.write(agent.person().replace('@c.us', '@lid'), 'Hello?');
    database.clock.advance(1_000);
    const status = (name: string, at: Date) =>
      database.transaction((tx) =>
        applySessionStatus(tx, session, {
          kind: 'session',
          key: `${name}:${at.getTime()}`,
          status: name,
          at: at.getTime(),
          me: null,
          platform: null,
        }),
      );
    await status('FAILED', database.clock.now());
    expect(await ask(async () => null)).toMatchObject({ waiting: 1, held: 'session_not_ready', nextInMs: null });
    await deleteRows(database, 'dispatch');
    database.clock.advance(48 * HOUR_MS);
    await database.transaction(promisePhoneQuestions);
    expect(await promised()).toBe(0);

    await status('WORKING', database.clock.now());
    database.clock.advance(2 * 60_000);
    await database.transaction(promisePhoneQuestions);
    expect(await promised()).toBe(1);
    expect(await ask(async () => null)).toMatchObject({ asked: 1, held: null });
  });

  it('is asked for again once its agency is not suspended any more', async () => {
    await agent.write(agent.person().replace('@c.us', '@lid'), 'Hello?');
    database.clock.advance(1_000);
    await database.transaction((tx) => suspendAgency(tx, SCOPE.agencyId, { keyId: 'master' }));
    expect(await ask(async () => null)).toMatchObject({ held: 'session_not_ready', nextInMs: null });
    await database.transaction((tx) => activateAgency(tx, SCOPE.agencyId, { keyId: 'master' }));
    expect(await ask(async () => null)).toMatchObject({ asked: 1, held: null });
  });

  it('does not hold the others up where the backend refuses its question, or never answers it', async () => {
    const [first, second] = [agent.person(), agent.person()].map((phone) => phone.replace('@c.us', '@lid'));
    await agent.write(first ?? '', 'Hello?');
    await agent.write(second ?? '', 'Hello?');
    await changeRows(database, 'contact', { askPhoneAt: database.clock.now() }, { askPhoneAt: not(null) });
    const failing = (code: 'backend_error' | 'backend_unavailable') =>
      ask(async ({ lid }) => {
        if (lid === first) throw new EngineError(code, 'It fails for this one.');
        return null;
      });
    expect(await failing('backend_unavailable')).toMatchObject({ asked: 0, held: 'backend_unavailable' });
    database.clock.advance(HOUR_MS);
    expect(await failing('backend_unavailable')).toMatchObject({ asked: 1, held: 'backend_unavailable' });
    database.clock.advance(HOUR_MS);
    expect(await failing('backend_error')).toMatchObject({ asked: 2, held: null });
  });

  it('is asked for where the contact was known from the list of contacts before, and where we write first', async () => {
    const [listed, fresh] = [agent.person().replace('@c.us', '@lid'), agent.person().replace('@c.us', '@lid')];
    await addRow(database, 'contact', { ...SCOPE, id: `con_${listed}`, chatId: listed });
    await addRow(database, 'contactAlias', { ...SCOPE, chatId: listed, contactId: `con_${listed}` });
    await agent.write(listed, 'Hello?');
    await send(fresh, 'Hello!');
    expect(
      await countRows(database, 'contact', { chatId: [listed, fresh], askPhoneAt: not(null), askSessionId: sessionId }),
    ).toBe(2);
  });

  it('is asked for no more once its session is deleted', async () => {
    await agent.write(agent.person().replace('@c.us', '@lid'), 'Hello?');
    await changeRows(database, 'session', { wish: 'deleted' });
    expect(await ask(async () => null)).toMatchObject({ asked: 0, waiting: 0, nextInMs: null });
    expect(await countRows(database, 'contact', { askPhoneAt: not(null) })).toBe(0);
    await changeRows(database, 'session', { wish: 'running' });
  });

  it('is given up after a week', async () => {
    await agent.write(agent.person().replace('@c.us', '@lid'), 'Hello?');
    const begin = database.clock.now().getTime();
    for (let round = await ask(async () => null); round.nextInMs !== null; round = await ask(async () => null))
      database.clock.advance(round.nextInMs);
    const days = (database.clock.now().getTime() - begin) / (24 * HOUR_MS);
    expect(days).toBeGreaterThan(6);
    expect(days).toBeLessThan(8);
  });

  it('is found by an index, however many contacts there are', async () => {
    const query = sql`select distinct ask_session_id from contact
      where ask_phone_at < now() and ask_session_id is not null`;
    expect(await planOf(database, query)).toContain('contact_ask_overdue');
  });
});
