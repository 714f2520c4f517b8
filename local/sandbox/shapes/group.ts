import { adminKey } from '../state/admin-key.ts';
import type { Account } from '../state/session.ts';

/** A group as the backend shows it: the account has made it, and the others are members. */
export function groupView(account: Account, id: string) {
  const members = account.groups.get(id) ?? [];
  return {
    id,
    subject: account.chats.get(id)?.name,
    participants: [account.id, ...members].map((member) => memberView(account, id, member)),
  };
}

export function memberView(account: Account, group: string, id: string) {
  const isAdmin = id === account.id || account.groupAdmins.has(adminKey(group, id));
  return { id, pn: account.aliases.get(id), role: isAdmin ? 'admin' : 'participant' };
}
