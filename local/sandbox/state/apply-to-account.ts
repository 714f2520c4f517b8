import { adminKey } from './admin-key.ts';
import type { Fact } from './fact.ts';
import type { Message } from './message.ts';
import type { Account, Chat } from './session.ts';

/** Changes the messaging account of a session by a fact. */
export function applyToAccount(account: Account, fact: Fact): void {
  switch (fact.kind) {
    case 'message.added':
      addMessage(account, fact.message);
      return;
    case 'session.past':
      account.past = { chats: fact.chats, messages: fact.messages, at: fact.at };
      return;
    case 'message.acked': {
      const message = account.messages.get(fact.id);
      if (!message) return;
      message.acksGiven += 1;
      // The ack of the stored message never goes back, even when acks come out of order.
      message.ack = fact.ack === -1 ? -1 : Math.max(message.ack, fact.ack);
      return;
    }
    case 'message.changed': {
      const message = account.messages.get(fact.id);
      if (!message) return;
      message.body = fact.body;
      if (!fact.revoked) {
        message.editedAt = fact.at ?? message.timestamp * 1_000;
        return;
      }
      message.revoked = true;
      delete message.media;
      return;
    }
    case 'message.reacted': {
      const message = account.messages.get(fact.id);
      if (!message) return;
      message.reactions = { ...message.reactions, [fact.from]: fact.text };
      message.reactedAt = { ...message.reactedAt, [fact.from]: fact.at ?? message.timestamp * 1_000 };
      return;
    }
    case 'chat.read':
      chatOf(account, fact.chatId).unread = 0;
      return;
    case 'chat.labelled':
      chatOf(account, fact.chatId).labels = fact.labels;
      return;
    case 'contact.saved':
      account.contacts.set(fact.contact.id, { ...account.contacts.get(fact.contact.id), ...fact.contact });
      return;
    case 'contact.blocked':
      if (fact.blocked) account.blocked.add(fact.chatId);
      else account.blocked.delete(fact.chatId);
      return;
    case 'lid.learned':
      account.aliases.set(fact.lid, fact.pn).set(fact.pn, fact.lid);
      return;
    case 'label.saved':
      account.labels.set(fact.label.id, fact.label);
      return;
    case 'label.deleted':
      account.labels.delete(fact.id);
      for (const chat of account.chats.values()) chat.labels = chat.labels.filter((id) => id !== fact.id);
      return;
    case 'group.changed':
      changeGroup(account, fact);
      return;
    case 'group.left':
      account.groups.delete(fact.chatId);
      return;
    case 'profile.changed':
      account.pushName = fact.name ?? account.pushName;
      account.about = fact.about ?? account.about;
      if (fact.picture !== undefined) account.picture = fact.picture;
      return;
    default:
  }
}

function changeGroup(account: Account, fact: Extract<Fact, { kind: 'group.changed' }>): void {
  const { chatId, name, come, go, promote, demote } = fact;
  const stay = (account.groups.get(chatId) ?? []).filter((member) => !go.includes(member));
  account.groups.set(chatId, [...new Set([...stay, ...come])]);
  for (const member of promote) account.groupAdmins.add(adminKey(chatId, member));
  for (const member of [...demote, ...go]) account.groupAdmins.delete(adminKey(chatId, member));
  const chat = chatOf(account, chatId);
  chat.name = name ?? chat.name;
}

export function addMessage(account: Account, message: Message): void {
  const stored = { ...message, order: account.messages.size, acksGiven: 0 };
  account.messages.set(stored.id, stored);
  const chat = chatOf(account, stored.chatId);
  chat.messages.push(stored);
  if (stored.fromMe) chat.unread = 0;
  else chat.unread += 1;
}

export function chatOf(account: Account, chatId: string): Chat {
  const known = account.chats.get(chatId);
  if (known) return known;
  const chat: Chat = { id: chatId, name: account.contacts.get(chatId)?.name, messages: [], unread: 0, labels: [] };
  account.chats.set(chatId, chat);
  return chat;
}
