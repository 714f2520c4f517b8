import { isGroup, userOf } from '../chat-id.ts';
import type { Contact, Engine } from '../state/fact.ts';
import type { Account } from '../state/session.ts';

/** Shows a contact: NOWEB and GOWS give few fields, WEBJS gives many, also about a stranger. */
export function contactView(account: Account, engine: Engine, id: string) {
  const contact: Contact = account.contacts.get(id) ?? { id };
  const { pushname, lid } = contact;
  // A contact outside the address book has an empty name.
  const name = contact.name || undefined;
  if (engine !== 'WEBJS') return { id, name, pushname, lid };
  return {
    id,
    number: userOf(id),
    name,
    pushname,
    shortName: name?.split(' ')[0],
    isMe: id === account.id,
    isGroup: isGroup(id),
    isWAContact: true,
    isMyContact: name !== undefined,
    isBlocked: account.blocked.has(id),
  };
}
