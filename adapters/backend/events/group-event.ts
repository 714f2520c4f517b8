import { z } from 'zod';
import { chatKind } from '../../../domain/network/chat-id.ts';
import type { GroupReport, NetworkEvent } from '../../../domain/network/network-event.ts';
import type { Envelope } from './envelope.ts';
import { envelopeId } from './envelope.ts';
import { eventKeys } from './event-keys.ts';
import { groupMembersOf, groupNameOf, RawMembers } from './group.ts';
import { addressOf } from './message-id.ts';
import { Address, Anything, pastMilliseconds, Text } from './raw.ts';

const RawGroupEvent = z.object({
  type: Text,
  group: z.looseObject({ id: Address, participants: Anything }),
  participants: Anything,
});
type RawGroupEvent = z.output<typeof RawGroupEvent>;

/** The backend's words for changes of members. */
const MEMBERS_CHANGE = { join: 'came', leave: 'gone', promote: 'promoted', demote: 'demoted' } as const;
const MembersChange = z.enum(['join', 'leave', 'promote', 'demote']);

/** Reads `group.v2.join`, `group.v2.leave`, `group.v2.participants` and `group.v2.update`. */
export function readGroupEvent(envelope: Envelope, rawBody: string): NetworkEvent {
  const id = envelopeId(envelope, rawBody);
  const parsed = RawGroupEvent.safeParse(envelope.payload);
  const chatId = parsed.success ? addressOf(parsed.data.group.id) : null;
  const change = parsed.success ? changeOf(envelope.event, parsed.data) : null;
  // Nothing is lost by an odd report of a group, because the network is asked who is in it when somebody wants to know.
  if (chatId === null || chatKind(chatId) !== 'group' || change === null) {
    return { kind: 'ignored', key: eventKeys.ignored({ eventName: envelope.event, id }), reason: 'group' };
  }
  return { kind: 'group', key: eventKeys.group({ id }), at: pastMilliseconds(envelope.timestamp ?? 0), chatId, change };
}

function changeOf(event: string, { type, group, participants }: RawGroupEvent): GroupReport | null {
  const name = groupNameOf(group);
  if (event === 'group.v2.join') {
    const listed = RawMembers.safeParse(group.participants);
    return { kind: 'joined', name, members: listed.success ? groupMembersOf(listed.data) : null };
  }
  if (event === 'group.v2.leave') return { kind: 'left' };
  if (event === 'group.v2.update') return name === null ? null : { kind: 'named', name };
  const kind = MembersChange.safeParse(type);
  const members = RawMembers.safeParse(participants);
  if (!kind.success || !members.success) return null;
  return { kind: MEMBERS_CHANGE[kind.data], members: groupMembersOf(members.data, 'with_left') };
}
