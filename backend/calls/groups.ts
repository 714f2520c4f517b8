import { z } from 'zod';
import { GROUP_ROLES } from '../../domain/network/group.ts';
import type { GroupMember, NetworkGroup } from '../../domain/network/group.ts';
import { addressOf } from '../events/message-id.ts';
import { Address, Text } from '../events/raw.ts';
import type { Http } from '../http/http.ts';
import { read } from '../http/read.ts';

const RawGroup = z.object({ subject: Text, name: Text, Name: Text });

/** An engine that names another role means an ordinary member. */
const Role = z.enum([...GROUP_ROLES, 'left']).catch('participant');
const RawMembers = z.array(z.object({ id: Address, pn: Address.optional(), role: Role }));

/** A reader waits for this answer and is shown what is stored without it. */
const TIMEOUT_MS = 5_000;

/** Asks the backend about groups. */
export function createGroupCalls(http: Http) {
  /** Returns a group's name and who is in it. Throws when the backend does not know the group or gives no answer. */
  async function readGroup({ session, chatId }: { session: string; chatId: string }): Promise<NetworkGroup> {
    const path = `/api/${encodeURIComponent(session)}/groups/${encodeURIComponent(chatId)}`;
    const ask = { method: 'GET' as const, timeoutMs: TIMEOUT_MS, doing: 'read the group' };
    const [group, members] = await Promise.all([
      read(http, RawGroup, { ...ask, path }),
      read(http, RawMembers, { ...ask, path: `${path}/participants/v2` }),
    ]);
    return { name: group.subject ?? group.name ?? group.Name, members: members.flatMap(memberOf) };
  }

  return { readGroup };
}

function memberOf({ id, pn, role }: z.output<typeof RawMembers>[number]): GroupMember[] {
  const chatId = addressOf(id);
  if (chatId === null || role === 'left') return [];
  return [{ chatId, phoneChatId: addressOf(pn ?? null), role }];
}
