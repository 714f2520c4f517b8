import { randomUUID } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { findKnownContact } from '../../../db/conversations/known-contact.ts';
import { ensureContact, finishContactSync, recordBlocked } from '../../../db/network/sync-contacts.ts';
import { askSession } from '../../../db/operations/ask-session.ts';
import { redispatchSessions } from '../../../db/reconcile.ts';
import { claimMessage } from '../../../db/sending/claim.ts';
import {
  endInDoubt,
  endWaiting,
  listConversationsWith,
  numberOf,
  readDrain,
} from '../../../db/sending/in-flight/end-of-session.ts';
import { resumeQueues } from '../../../db/sending/promote.ts';
import {
  findSessionById,
  findSessionInScope,
  insertSession,
  listSessions,
  makeDefault,
  recordSessionStatus,
} from '../../../db/sessions/session.ts';
import { recordDeleted } from '../../../db/sessions/delete.ts';
import { recordDeed, recordDeedDone } from '../../../db/sessions/wish.ts';
import type { SessionAct } from '../../../domain/sessions/wish.ts';
import { eventually } from '../../support/eventually.ts';
import { addRow, changeRows, countRows, databaseNow, deleteRows, findRows, fromNow, not } from '../../support/rows.ts';
import { SCOPE } from '../a-database.ts';
import { databaseOfThisFile } from '../database-of-this-file.ts';
import { aSentMessage } from '../sending/a-sent-message.ts';

const { database } = await databaseOfThisFile();
const BY = { keyId: 'key_1', actor: 'ann', reason: 'it hangs' };
const scope = { ...SCOPE, sessionId: null };

async function aSession() {
  const id = await database.transaction((tx) => insertSession(tx, SCOPE, { name: `s-${randomUUID()}` }));
  await changeRows(database, 'session', { status: 'WORKING' }, { id });
  const session = await database.read((queries) => findSessionById(queries, id ?? ''));
  if (!session) throw new Error('The session is not there.');
  return session;
}
type Session = Awaited<ReturnType<typeof aSession>>;

const ask = (session: Session, act: SessionAct) =>
  database.transaction((tx) => askSession(tx, session, { act, by: BY }));
const now = async ({ id }: Session) => {
  const found = await database.read((queries) => findSessionById(queries, id));
  if (!found) throw new Error('The session is not there.');
  return found;
};
/** The supervisor has done what was asked for last. */
const done = async (session: Session, deed: SessionAct) => {
  const { askedAt = null } = await now(session);
  await database.transaction((tx) => recordDeedDone(tx, session.id, { deed, askedAt }));
};
const promises = ({ id }: Session) => findRows(database, 'dispatch', { workflowId: `session/${id}` }, ['signal']);

/** A message that may go. */
async function aHead({ id }: Session, status = 'queued') {
  const chatId = `1555${String(Math.floor(Math.random() * 1e7)).padStart(7, '0')}@c.us`;
  const message = await aSentMessage(database, id, { chatId, networkId: randomUUID(), status });
  await changeRows(
    database,
    'message',
    { releasedAt: databaseNow, networkId: null, sentAt: null },
    { id: message.messageId },
  );
  return message;
}
const claim = (messageId: string) =>
  database.transaction((tx) =>
    claimMessage(tx, messageId, { token: randomUUID(), owner: database.wakeups.owner, chosenNetworkId: null }),
  );

describe('what somebody asks of a session', () => {
  it('is recorded with who and why, and with the promise of its supervisor', async () => {
    const session = await aSession();
    await ask(session, 'restart');
    expect(await now(session)).toMatchObject({ wish: 'running', asked: 'restart' });
    expect(await promises(session)).toContainEqual({ signal: 'statusChanged' });
    const audit = await findRows(database, 'auditEntry', { objectId: session.id }, [
      'action',
      'actor',
      'keyId',
      'reason',
      'detail',
    ]);
    expect(audit).toEqual([
      {
        action: 'restarted',
        actor: 'ann',
        keyId: 'key_1',
        reason: 'it hangs',
        detail: { act: 'restart', status: 'WORKING' },
      },
    ]);
  });

  it('keeps what is not on its way from going, until it is done', async () => {
    const session = await aSession();
    await ask(session, 'start');
    const first = await aHead(session);
    expect((await claim(first.messageId)).claim).toBe('claimed');
    await ask(session, 'restart');
    const { messageId } = await aHead(session);
    expect(await claim(messageId)).toMatchObject({ claim: 'not_now', reason: 'session_not_working' });
    await done(session, 'restart');
    expect((await claim(messageId)).claim).toBe('claimed');
  });

  it('waits for a claim that began before, and for its call', async () => {
    const session = await aSession();
    const { messageId } = await aHead(session);
    const claimed = Promise.withResolvers<void>();
    const goOn = Promise.withResolvers<void>();
    const claiming = database.transaction(async (tx) => {
      const result = await claimMessage(tx, messageId, {
        token: randomUUID(),
        owner: database.wakeups.owner,
        chosenNetworkId: null,
      });
      claimed.resolve();
      await goOn.promise;
      return result;
    });
    await claimed.promise;
    await ask(session, 'logout');
    const transaction = await database.transaction(numberOf);
    const drain = () => database.read((queries) => readDrain(queries, { sessionId: session.id, transaction }));
    expect(await drain()).toEqual({ isClear: false, inFlight: 0 });
    goOn.resolve();
    expect((await claiming).claim).toBe('claimed');
    // Transactions of other databases of the server are older, too.
    await eventually(async () => (await drain()).isClear, { what: 'older transactions to end' });
    expect(await drain()).toMatchObject({ inFlight: 1 });
  });

  it('ends as uncertain what is in doubt when the backend is about to forget it', async () => {
    const session = await aSession();
    const { messageId, conversationId } = await aHead(session);
    await claim(messageId);
    await database.transaction((tx) => endInDoubt(tx, conversationId));
    expect(await findRows(database, 'message', { id: messageId }, ['status', 'errorCode', 'errorDetail'])).toEqual([
      { status: 'uncertain', errorCode: 'outcome_unknown', errorDetail: 'session_logged_out' },
    ]);
  });

  it('is not taken back by something else that is done meanwhile', async () => {
    const session = await aSession();
    await ask(session, 'restart');
    const { askedAt } = await now(session);
    database.clock.advance(5);
    await ask(session, 'stop');
    await database.transaction((tx) => recordDeedDone(tx, session.id, { deed: 'restart', askedAt: askedAt ?? null }));
    expect(await now(session)).toMatchObject({ wish: 'stopped', asked: 'stop' });
  });

  it('has its supervisor count anew how often it brings the session back', async () => {
    const session = await aSession();
    for (let time = 0; time < 3; time += 1) {
      await database.statement((tx) => recordDeed(tx, session.id, 'recovery'));
    }
    expect((await now(session)).restarts).toBe(3);
    await ask(session, 'start');
    expect((await now(session)).restarts).toBe(0);
  });

  it('lets go at once what it has held back, also of a session that works all along', async () => {
    const session = await aSession();
    await ask(session, 'stop');
    const { messageId } = await aHead(session);
    expect(await claim(messageId)).toMatchObject({ claim: 'not_now' });
    await ask(session, 'start');
    await done(session, 'start');
    await database.transaction((tx) => resumeQueues(tx, session.id));
    const told = () => findRows(database, 'dispatch', { workflowId: `message/${messageId}` }, ['signal']);
    expect(await told()).toEqual([{ signal: expect.any(String) }]);
    await database.transaction((tx) => resumeQueues(tx, session.id));
    expect(await told()).toHaveLength(1);
  });

  it('leaves nothing that the account which was logged out has said of people', async () => {
    const session = await aSession();
    const account = { ...SCOPE, sessionId: session.id };
    const chatId = '15557654321@c.us';
    const contactId = await database.transaction((tx) => ensureContact(tx, account, [chatId]));
    await database.transaction((tx) => recordBlocked(tx, account, { contactId, isBlocked: true }));
    await database.transaction((tx) => finishContactSync(tx, account));
    await ask(session, 'restart');
    await done(session, 'restart');
    const known = () =>
      database.read((queries) => findKnownContact(queries, scope, { named: { chatId }, session: session.id }));
    expect((await known()).contact).toMatchObject({ isBlocked: true });
    await ask(session, 'logout');
    await done(session, 'logout');
    expect((await known()).contact).toMatchObject({ contactId, isBlocked: false });
    // The next account's list is its first, of which dashboards are not told one by one.
    expect(await now(session)).toMatchObject({ contactsSyncedAt: null });
  });

  it('is over for a logout once somebody has scanned the code', async () => {
    const session = await aSession();
    await ask(session, 'logout');
    await done(session, 'logout');
    expect(await now(session)).toMatchObject({ wish: 'logged_out', asked: null, chatId: null, syncedAt: null });
    const tellWorking = async () => {
      const seen = { status: 'WORKING', at: new Date(database.clock.now().getTime()), account: null, platform: null };
      await database.transaction((tx) => recordSessionStatus(tx, session.id, seen));
      return (await now(session)).wish;
    };
    // A report from before the logout comes late; nobody scans that fast.
    expect(await tellWorking()).toBe('logged_out');
    database.clock.advance(10_000);
    expect(await tellWorking()).toBe('running');
  });
});

describe('a logout whose code is scanned at once', () => {
  const SHOWN = ['STARTING', 'SCAN_QR_CODE'] as const;
  it.each([
    { title: 'before its code is shown', before: [], after: SHOWN },
    { title: 'while its code is shown', before: ['STARTING'], after: ['SCAN_QR_CODE'] },
    { title: 'after its code is shown', before: SHOWN, after: [] },
    { title: 'before its code is shown, and starts again', before: [], after: [...SHOWN, 'STARTING'] },
    { title: 'after its code is shown, and starts again', before: SHOWN, after: ['STARTING'] },
  ])('is over with the scan, and not with an earlier status, when it is done $title', async ({ before, after }) => {
    const session = await aSession();
    const tell = async (status: string) => {
      database.clock.advance(10);
      const seen = { status, at: new Date(database.clock.now().getTime()), account: null, platform: null };
      await database.transaction((tx) => recordSessionStatus(tx, session.id, seen));
      return (await now(session)).wish;
    };
    await ask(session, 'logout');
    for (const status of before) expect(await tell(status)).toBe('logged_out');
    database.clock.advance(10);
    await done(session, 'logout');
    for (const status of after) expect(await tell(status)).toBe('logged_out');
    expect(await tell('WORKING')).toBe('running');
  });

  it('is not over with a report that the account works from before it was done', async () => {
    const session = await aSession();
    await ask(session, 'logout');
    database.clock.advance(10);
    await done(session, 'logout');
    const seen = { status: 'WORKING', at: new Date(database.clock.now().getTime()), account: null, platform: null };
    await database.transaction((tx) => recordSessionStatus(tx, session.id, seen));
    expect(await now(session)).toMatchObject({ status: 'WORKING', wish: 'logged_out' });
  });

  it('is not over with a report from before it, which comes late', async () => {
    const session = await aSession();
    const report = (status: string, at: Date) =>
      database.transaction((tx) => recordSessionStatus(tx, session.id, { status, at, account: null, platform: null }));
    const before = new Date(database.clock.now().getTime());
    database.clock.advance(10);
    await ask(session, 'logout');
    await report('SCAN_QR_CODE', new Date(database.clock.now().getTime()));
    await done(session, 'logout');
    await report('WORKING', before);
    expect(await now(session)).toMatchObject({ status: 'SCAN_QR_CODE', wish: 'logged_out' });
  });
});

describe('a session that is deleted', () => {
  it("is nobody's from then on, leaves the default to the oldest of the others, and takes its keys with it", async () => {
    const [older, session] = [await aSession(), await aSession()];
    await changeRows(database, 'session', { isDefault: false });
    await changeRows(database, 'session', { isDefault: true }, { id: session.id });
    await addRow(database, 'apiKey', {
      ...SCOPE,
      id: 'key_of_deleted',
      kind: 'session',
      sessionId: session.id,
      name: 'n8n',
      digest: Buffer.from('x'),
      hint: 'x',
    });
    await ask(session, 'delete');
    const find = (named?: string) => database.read((queries) => findSessionInScope(queries, scope, named));
    expect(await find(session.id)).toBeNull();
    expect(await find(session.name)).toBeNull();
    const viewer = { named: { chatId: '15551112222@c.us' }, session: session.id };
    expect((await database.read((queries) => findKnownContact(queries, scope, viewer))).sessionId).toBeNull();
    expect((await find())?.id).not.toBe(session.id);
    expect(await find()).not.toBeNull();
    expect(older.id <= session.id).toBe(true);
    expect(
      (await database.read((queries) => listSessions(queries, scope, { after: null, limit: 100 }))).map(({ id }) => id),
    ).not.toContain(session.id);
    expect(await countRows(database, 'apiKey', { id: 'key_of_deleted', revokedAt: not(null) })).toBe(1);
    expect(await ask(session, 'start')).toBe(false);
  });

  it('leaves the default to another one, also where it was the oldest', async () => {
    const [oldest] = await database.read((queries) => listSessions(queries, scope, { after: null, limit: 1 }));
    const other = await aSession();
    if (!oldest) throw new Error('There is no session.');
    await database.transaction((tx) => makeDefault(tx, SCOPE, oldest.id));
    await ask(oldest, 'delete');
    const usual = await database.read((queries) => findSessionInScope(queries, scope));
    expect(usual?.wish).toBe('running');
    expect(await database.transaction((tx) => makeDefault(tx, SCOPE, other.id))).toBe(true);
    expect(await database.transaction((tx) => makeDefault(tx, SCOPE, oldest.id))).toBe(false);
    expect((await database.read((queries) => findSessionInScope(queries, scope)))?.id).toBe(other.id);
  });

  it('ends what waits, with the reason, and is left alone by the reconcile once it is gone', async () => {
    const session = await aSession();
    const queued = await aHead(session);
    const scheduled = await aHead(session);
    await changeRows(
      database,
      'message',
      { status: 'scheduled', scheduledAt: fromNow({ days: 1 }), releasedAt: null, chatSeq: null },
      { id: scheduled.messageId },
    );
    await ask(session, 'delete');
    const which = { sessionId: session.id, states: 'waiting', limit: 10 } as const;
    const waiting = await database.read((queries) => listConversationsWith(queries, which));
    expect(waiting.toSorted()).toEqual([queued.conversationId, scheduled.conversationId].toSorted());
    for (const id of waiting) await database.transaction((tx) => endWaiting(tx, id));
    const ids = [queued.messageId, scheduled.messageId];
    expect(await findRows(database, 'message', { id: ids }, ['status', 'errorCode'])).toEqual(
      Array(2).fill({ status: 'failed', errorCode: 'session_deleted' }),
    );
    await database.transaction((tx) => recordDeleted(tx, session.id));
    await deleteRows(database, 'dispatch');
    await database.transaction((tx) => redispatchSessions(tx, true));
    expect(await promises(session)).toEqual([]);
  });
});
