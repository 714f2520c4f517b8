import { z } from 'zod';
import type { NetworkGroup } from '../../../domain/group.ts';
import { groupMembersOf, groupNameOf, RawMembers } from '../events/group.ts';
import type { Http } from '../http/http.ts';
import { read } from '../http/read.ts';

const RawGroup = z.looseObject({});

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
    return { name: groupNameOf(group), members: groupMembersOf(members) };
  }

  return { readGroup };
}
