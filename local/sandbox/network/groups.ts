import { toChatId } from '../chat-id.ts';
import { groupView, memberView } from '../shapes/group.ts';
import type { Session } from '../state/session.ts';
import { accountOf } from './core.ts';
import type { Core } from './core.ts';
import { emitWhileWorking } from './emit.ts';

export interface GroupChange {
  id: string;
  name?: string | undefined;
  come?: string[] | undefined;
  go?: string[] | undefined;
  promote?: string[] | undefined;
  demote?: string[] | undefined;
}

/** Changes a group of the account, or takes the account into it, and reports what has changed as the backend does. */
export function changeGroup(core: Core, session: Session, { id, name, ...members }: GroupChange) {
  const account = accountOf(session);
  const isNew = !account.groups.has(id);
  const timestamp = core.clock.now();
  const tell = (event: string, payload: object): void =>
    emitWhileWorking(core, session, event, { timestamp, ...payload, _data: {} });
  const changed = {
    come: (members.come ?? []).map(toChatId),
    go: (members.go ?? []).map(toChatId),
    promote: (members.promote ?? []).map(toChatId),
    demote: (members.demote ?? []).map(toChatId),
  };
  core.world.record({ kind: 'group.changed', session: session.name, chatId: id, name, ...changed });
  if (isNew) {
    tell('group.v2.join', { group: groupView(account, id) });
    return groupView(account, id);
  }
  if (name !== undefined) tell('group.v2.update', { group: { id, subject: name } });
  const types = { come: 'join', go: 'leave', promote: 'promote', demote: 'demote' } as const;
  for (const kind of ['come', 'go', 'promote', 'demote'] as const) {
    if (changed[kind].length === 0) continue;
    const participants = changed[kind].map((member) => ({
      ...memberView(account, id, member),
      ...(kind === 'go' && { role: 'left' }),
    }));
    tell('group.v2.participants', { type: types[kind], group: { id }, participants });
  }
  return groupView(account, id);
}

/** Takes the account out of a group, and reports it. */
export function leaveGroup(core: Core, session: Session, id: string): { id: string } {
  core.world.record({ kind: 'group.left', session: session.name, chatId: id });
  emitWhileWorking(core, session, 'group.v2.leave', { timestamp: core.clock.now(), group: { id }, _data: {} });
  return { id };
}
