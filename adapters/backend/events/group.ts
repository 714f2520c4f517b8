import { z } from 'zod';
import { GROUP_ROLES } from '../../../domain/group.ts';
import type { GroupMember } from '../../../domain/group.ts';
import { addressOf } from './message-id.ts';
import { Address, Text } from './raw.ts';

/** An engine that names another role means an ordinary member. */
const Role = z.enum([...GROUP_ROLES, 'left']).catch('participant');

export const RawMembers = z.array(z.object({ id: Address, pn: Address.optional(), role: Role }));

const RawName = z.object({ subject: Text, name: Text, Name: Text });

/** Reads the name of a group, which each engine calls otherwise; null where it is not told. */
export function groupNameOf(raw: unknown): string | null {
  const parsed = RawName.safeParse(raw);
  return parsed.success ? (parsed.data.subject ?? parsed.data.name ?? parsed.data.Name) : null;
}

/** Reads the members of a group; one without an address is left out, and so is one who has left unless asked for. */
export function groupMembersOf(raw: z.output<typeof RawMembers>, withLeft?: 'with_left'): GroupMember[] {
  return raw.flatMap(({ id, pn, role }) => {
    const chatId = addressOf(id);
    if (chatId === null || (role === 'left' && withLeft === undefined)) return [];
    return [{ chatId, phoneChatId: addressOf(pn ?? null), role: role === 'left' ? 'participant' : role }];
  });
}
