import { describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { ensureConversation } from '../../../db/conversations/conversation.ts';
import { listMembers } from '../../../db/network/groups/members.ts';
import { recordGroup } from '../../../db/network/groups/groups.ts';
import type { GroupMember } from '../../../domain/group.ts';
import type { GroupReport, NetworkEvent } from '../../../domain/network/network-event.ts';
import { GroupEventPayload } from '../../../domain/webhooks/group-payload.ts';
import { changeRows, countRows, findRows } from '../../support/rows.ts';
import { aNetworkMessage } from '../../support/network-message.ts';
import { SCOPE } from '../a-database.ts';
import { databaseOfThisFile } from '../database-of-this-file.ts';
import { applyNetworkEvent } from './apply-event.ts';

const { database, session, sessionId } = await databaseOfThisFile();
const OWN = '15551230000@c.us';
await changeRows(database, 'session', { chatId: OWN }, { id: sessionId });

const ANNA = '123456789012345@lid';
const ANNAS_PHONE = '15559990000@c.us';
const BEN = '15557654321@c.us';
const CEM = '15557654322@c.us';
const member = (chatId: string, more: Partial<GroupMember> = {}): GroupMember => ({
  chatId,
  phoneChatId: null,
  role: 'participant',
  ...more,
});

let groups = 0;
const aGroup = (): string => `12036300000000${1_000 + (groups += 1)}@g.us`;

const report = (chatId: string, at: number, change: GroupReport): NetworkEvent => ({
  kind: 'group',
  key: `${chatId}:${at}:${change.kind}`,
  at,
  chatId,
  change,
});
async function tell(...events: NetworkEvent[]): Promise<void> {
  for (const event of events) await database.transaction((tx) => applyNetworkEvent(tx, session, event));
}
async function conversationOf(chatId: string): Promise<string> {
  const { id } = await database.transaction((tx) => ensureConversation(tx, { ...SCOPE, sessionId }, { chatId }));
  return id;
}
async function membersOf(chatId: string): Promise<string[]> {
  const conversationId = await conversationOf(chatId);
  const members = await database.read((queries) => listMembers(queries, SCOPE, { conversationId }));
  return members.map(({ chatId: who, role }) => `${who} ${role}`);
}
async function nameOf(chatId: string): Promise<string | null> {
  const [found] = await findRows(database, 'conversation', { chatId }, ['name']);
  return found?.name ?? null;
}
/** Returns the events of the group, in order. */
async function toldOf(chatId: string): Promise<z.infer<typeof GroupEventPayload>[]> {
  const told = await findRows(
    database,
    'event',
    { type: 'group.updated', conversationId: await conversationOf(chatId) },
    ['body'],
    'id',
  );
  return told.map(({ body }) => z.object({ payload: GroupEventPayload }).parse(JSON.parse(body)).payload);
}
async function read(chatId: string, given: { name: string; members: GroupMember[] }, readAt = database.clock.now()) {
  const conversationId = await conversationOf(chatId);
  await database.transaction((tx) => recordGroup(tx, { ...SCOPE, sessionId, conversationId }, { ...given, readAt }));
}

describe('a group', () => {
  it('is known from the report that the account was taken into it, which dashboards are told', async () => {
    const chatId = aGroup();
    const members = [member(OWN, { role: 'admin' }), member(ANNA, { phoneChatId: ANNAS_PHONE })];
    const joined = report(chatId, 1_000, { kind: 'joined', name: 'Team', members });
    await tell(joined, joined);
    expect(await membersOf(chatId)).toEqual([`${OWN} admin`, `${ANNA} participant`]);
    expect(await nameOf(chatId)).toBe('Team');
    expect(await toldOf(chatId)).toMatchObject([
      { chatId, name: 'Team', changed: ['joined', 'name'], participants: [], sessionId },
    ]);
  });

  it('has the name, the people and the roles of the newest reports, in whatever order they come', async () => {
    const reports = (chatId: string) => [
      report(chatId, 1_000, { kind: 'came', members: [member(BEN), member(CEM)] }),
      report(chatId, 2_000, { kind: 'promoted', members: [member(BEN)] }),
      report(chatId, 3_000, { kind: 'named', name: 'Old name' }),
      report(chatId, 4_000, { kind: 'gone', members: [member(CEM)] }),
      report(chatId, 5_000, { kind: 'named', name: 'New name' }),
    ];
    const [first, second] = [aGroup(), aGroup()];
    await tell(...reports(first));
    await tell(...reports(second).toReversed());
    for (const chatId of [first, second]) {
      expect(await membersOf(chatId)).toEqual([`${BEN} admin`]);
      expect(await nameOf(chatId)).toBe('New name');
    }
  });

  it('tells who has come, has left and has another role, once, with those who are contacts', async () => {
    const chatId = aGroup();
    const { contactId } = await database.transaction((tx) =>
      ensureConversation(tx, { ...SCOPE, sessionId }, { chatId: ANNAS_PHONE, pushName: 'Anna' }),
    );
    const came = report(chatId, 1_000, { kind: 'came', members: [member(ANNA, { phoneChatId: ANNAS_PHONE })] });
    const promoted = report(chatId, 2_000, { kind: 'promoted', members: [member(ANNA)] });
    // The network names her by her phone this time.
    const gone = report(chatId, 3_000, { kind: 'gone', members: [member(ANNAS_PHONE)] });
    await tell(came, came, promoted, promoted, gone, gone);
    const anna = { chatId: ANNA, phone: '15559990000', contactId, name: 'Anna' };
    expect((await toldOf(chatId)).map(({ changed, participants }) => ({ changed, participants }))).toEqual([
      { changed: ['participants'], participants: [{ ...anna, role: 'participant', change: 'joined' }] },
      { changed: ['participants'], participants: [{ ...anna, role: 'admin', change: 'role' }] },
      { changed: ['participants'], participants: [{ ...anna, role: 'admin', change: 'left' }] },
    ]);
    expect(await membersOf(chatId)).toEqual([]);
  });

  it('that the account has left is told, and the others stay as they were last known', async () => {
    const chatId = aGroup();
    const members = [member(OWN), member(BEN)];
    await tell(report(chatId, 1_000, { kind: 'joined', name: null, members }));
    await tell(report(chatId, 2_000, { kind: 'left' }), report(chatId, 2_000, { kind: 'left' }));
    expect(await membersOf(chatId)).toEqual([`${BEN} participant`]);
    expect((await toldOf(chatId)).map(({ changed }) => changed)).toEqual([['joined'], ['left']]);
    // A report of before comes late.
    await tell(report(chatId, 1_500, { kind: 'joined', name: null, members: null }));
    expect(await membersOf(chatId)).toEqual([`${BEN} participant`]);
  });

  it('is told when a reading finds what no report has told, but not by the first reading', async () => {
    const chatId = aGroup();
    await read(chatId, { name: 'Team', members: [member(OWN), member(BEN)] });
    expect(await toldOf(chatId)).toEqual([]);
    database.clock.advance(1_000);
    await read(chatId, { name: 'Team', members: [member(OWN), member(BEN)] });
    expect(await toldOf(chatId)).toEqual([]);
    database.clock.advance(1_000);
    await read(chatId, { name: 'Sales', members: [member(OWN), member(CEM)] });
    expect(await toldOf(chatId)).toMatchObject([
      {
        changed: ['name', 'participants'],
        participants: [
          { chatId: BEN, change: 'left' },
          { chatId: CEM, change: 'joined' },
        ],
      },
    ]);
    expect(await membersOf(chatId)).toEqual([`${OWN} participant`, `${CEM} participant`].toSorted());
  });

  it('keeps what was reported while a reading was under way', async () => {
    const chatId = aGroup();
    await read(chatId, { name: 'Team', members: [member(BEN)] });
    database.clock.advance(1_000);
    const readAt = database.clock.now();
    database.clock.advance(1_000);
    await tell(report(chatId, database.clock.now().getTime(), { kind: 'gone', members: [member(BEN)] }));
    database.clock.advance(1_000);
    await read(chatId, { name: 'Team', members: [member(BEN)] }, readAt);
    expect(await membersOf(chatId)).toEqual([]);
  });

  it('is never taken for a person, and nobody becomes a contact by being in it or writing in it', async () => {
    const chatId = aGroup();
    const contacts = () => countRows(database, 'contact');
    const before = await contacts();
    await tell(report(chatId, 1_000, { kind: 'came', members: [member('999888777666555@lid'), member(CEM)] }));
    const message = aNetworkMessage({
      networkId: `3A${chatId.slice(0, 18)}`,
      chatId,
      timestamp: 1_772_000_000,
      participant: '999888777666555@lid',
      aliases: ['15550001111@c.us'],
      pushName: 'Somebody',
    });
    await tell({ kind: 'message', key: message.networkId, message });
    expect(await contacts()).toBe(before);
    expect(await countRows(database, 'contactAlias', { chatId })).toBe(0);
    expect(await findRows(database, 'conversation', { chatId }, ['contactId'])).toEqual([{ contactId: null }]);
    // The phone of the message identifies the author.
    const [told] = await findRows(
      database,
      'event',
      { type: 'message', conversationId: await conversationOf(chatId) },
      ['body'],
    );
    expect(JSON.parse(told?.body ?? '')).toMatchObject({ payload: { from: '15550001111', contactId: null } });
  });
});
