import { z } from 'zod';
import type { NetworkGroup } from '../../../domain/group.ts';
import type { NetworkGroupEvent } from '../../../domain/network/network-event.ts';
import type { TenantScope } from '../../../domain/scope.ts';
import type { GroupChange } from '../../../domain/webhooks/group-payload.ts';
import { ensureConversation, lockConversation } from '../../conversations/conversation.ts';
import { one, row } from '../../engine/rows.ts';
import type { Tx } from '../../engine/tx.ts';
import { insertGroupNotice } from '../notices/notice.ts';
import { listMembers, recordMembers } from './members.ts';
import type { MemberChange, SaidMember } from './members.ts';
import type { EventSession } from '../network-message.ts';

/** The changed facts of a group: its name and its members. */
interface Changes {
  isRenamed: boolean;
  members: readonly MemberChange[];
}

/** The conversation of a group, with its session. */
type GroupPlace = TenantScope & { sessionId: string; conversationId: string };

/** Applies a report of the backend about a group. Safe to repeat, and an older report changes nothing. */
export async function applyGroup(tx: Tx, session: EventSession, event: NetworkGroupEvent): Promise<void> {
  const { agencyId, tenantId, id: sessionId } = session;
  const scope = { agencyId, tenantId, sessionId };
  const { chatId, change, at } = event;
  const toldAt = new Date(at);
  const { id: conversationId } = await ensureConversation(tx, scope, { chatId });
  const place = { ...scope, conversationId };
  const name = 'name' in change ? change.name : null;
  const isRenamed = name !== null && (await recordToldName(tx, conversationId, { name, toldAt }));
  const said = await saidBy(tx, sessionId, change);
  const isWhole = change.kind === 'joined' && change.members !== null;
  const members = said.length === 0 ? [] : await recordMembers(tx, conversationId, { said, isWhole, news: { toldAt } });
  if (isWhole) await noteMembersRead(tx, conversationId);
  await tellGroup(tx, place, { isRenamed, members });
}

/**
 * Records what the network has answered of a group: its name, and who is in it now. `readAt` is when the question was
 * asked. Takes the conversation's lock. The first answer is not told to dashboards.
 */
export async function recordGroup(
  tx: Tx,
  { conversationId: given, ...scope }: GroupPlace,
  { name, members, readAt }: NetworkGroup & { readAt: Date },
): Promise<void> {
  const conversationId = await lockConversation(tx, given);
  const said = members.map((member) => ({ ...member, isMember: true }));
  const isRenamed = name !== null && (await recordReadName(tx, conversationId, name));
  const changed = await recordMembers(tx, conversationId, { said, isWhole: true, news: { readAt } });
  const isFirst = await noteMembersRead(tx, conversationId);
  if (!isFirst) await tellGroup(tx, { ...scope, conversationId }, { isRenamed, members: changed });
}

async function saidBy(tx: Tx, sessionId: string, change: NetworkGroupEvent['change']): Promise<SaidMember[]> {
  switch (change.kind) {
    case 'named':
      return [];
    case 'left':
      return ownMembers(await readOwn(tx, sessionId), { isMember: false });
    case 'joined':
      return change.members === null
        ? ownMembers(await readOwn(tx, sessionId), { isMember: true })
        : change.members.map((member) => ({ ...member, isMember: true }));
    case 'gone':
      return change.members.map((member) => ({ ...member, role: null, isMember: false }));
    case 'came':
      return change.members.map((member) => ({ ...member, isMember: true }));
    case 'promoted':
      // Some engines tell the role of before.
      return change.members.map((member) => ({
        ...member,
        role: member.role === 'participant' ? 'admin' : member.role,
        isMember: true,
      }));
    case 'demoted':
      return change.members.map((member) => ({ ...member, role: 'participant', isMember: true }));
  }
}

const Own = z.object({ chatId: z.string().nullable(), lid: z.string().nullable() });
type Own = z.output<typeof Own>;

function readOwn(tx: Tx, sessionId: string): Promise<Own> {
  return one(tx, Own)`select chat_id as "chatId", lid from session where id = ${sessionId}`;
}

function ownMembers({ chatId, lid }: Own, { isMember }: { isMember: boolean }): SaidMember[] {
  const address = lid ?? chatId;
  return address === null ? [] : [{ chatId: address, phoneChatId: lid && chatId, role: null, isMember }];
}

const Renamed = z.object({ id: z.string() });

async function recordToldName(
  tx: Tx,
  conversationId: string,
  { name, toldAt }: { name: string; toldAt: Date },
): Promise<boolean> {
  const told = await row(tx, Renamed)`
    update conversation c set name = ${name}, name_told_at = ${toldAt}
    from (select id, name from conversation where id = ${conversationId}) was
    where c.id = was.id and coalesce(c.name_told_at, '-infinity') <= ${toldAt}::timestamptz
    returning case when was.name is distinct from c.name then c.id else '' end as id`;
  return told !== undefined && told.id !== '';
}

async function recordReadName(tx: Tx, conversationId: string, name: string): Promise<boolean> {
  const renamed = await row(tx, Renamed)`
    update conversation set name = ${name} where id = ${conversationId} and name is distinct from ${name} returning id`;
  return renamed !== undefined;
}

const FirstRead = z.object({ isFirst: z.boolean() });

/** Notes that it is known who is in the group; answers whether it was not before. */
async function noteMembersRead(tx: Tx, conversationId: string): Promise<boolean> {
  const { isFirst } = await one(tx, FirstRead)`
    update conversation c set members_at = ${tx.now}
    from (select id, members_at from conversation where id = ${conversationId}) was where c.id = was.id
    returning was.members_at is null as "isFirst"`;
  return isFirst;
}

const Named = z.object({ chatId: z.string(), name: z.string().nullable() });

/** Tells dashboards what is other than before, where anything is. */
async function tellGroup(tx: Tx, place: GroupPlace, { isRenamed, members }: Changes): Promise<void> {
  if (!isRenamed && members.length === 0) return;
  const { agencyId, tenantId, sessionId, conversationId } = place;
  const own = await readOwn(tx, sessionId);
  const isOwn = ({ chatId, phoneChatId }: MemberChange): boolean =>
    [chatId, phoneChatId].some((address) => address !== null && (address === own.chatId || address === own.lid));
  const ofAccount = members.find((member) => isOwn(member) && member.change !== 'role')?.change ?? null;
  const others = ofAccount === 'joined' ? [] : members.filter((member) => !isOwn(member) || member.change === 'role');
  const changed: GroupChange[] = [
    ...(ofAccount === 'joined' || ofAccount === 'left' ? [ofAccount] : []),
    ...(isRenamed ? (['name'] as const) : []),
    ...(others.length > 0 ? (['participants'] as const) : []),
  ];
  if (changed.length === 0) return;
  const { chatId, name } = await one(tx, Named)`
    select chat_id as "chatId", name from conversation where id = ${conversationId}`;
  const changeOf = new Map(others.map((member) => [member.chatId, member.change]));
  const known =
    others.length === 0 ? [] : await listMembers(tx, place, { conversationId, chatIds: [...changeOf.keys()] });
  const timestamp = Math.floor(tx.now.getTime() / 1_000);
  await insertGroupNotice(
    tx,
    { id: conversationId, chatId, contactId: null },
    {
      changed,
      name,
      participants: others.map((member) => ({ chatId: member.chatId, change: member.change })),
    },
  );
  tx.emit({
    event: 'group.updated',
    agencyId,
    tenantId,
    sessionId,
    conversationId,
    payload: {
      sessionId,
      conversationId,
      chatId,
      name,
      changed,
      participants: known.map(({ phoneChatId: _known, ...member }) => ({
        ...member,
        change: changeOf.get(member.chatId) ?? 'role',
      })),
      timestamp,
    },
  });
}
