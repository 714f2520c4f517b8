import { toChatId } from '../chat-id.ts';
import { newPhoneMessageId } from '../ids.ts';
import { nameOn } from '../shapes/lone-content.ts';
import type { Message, MessageMedia } from '../state/message.ts';
import type { Session, StoredMessage } from '../state/session.ts';
import { accountOf, laterIn } from './core.ts';
import type { Core } from './core.ts';
import { emitMessage } from './emit.ts';
import { mediaOf } from './media.ts';
import type { GivenMedia } from './media.ts';
import { storedMessage } from './stored-message.ts';

export interface Inbound {
  /** A phone or a chat id. */
  from: string;
  text: string;
  /** A group's id; without it the message arrives in the direct chat. */
  chatId?: string | undefined;
  pushName?: string | undefined;
  /** The sender's hidden id, under which the chat is then reported. */
  lid?: string | undefined;
  id?: string | undefined;
  /** Unix seconds. */
  timestamp?: number | undefined;
  media?: GivenMedia | undefined;
  replyTo?: string | undefined;
  selected?: Message['selected'];
  answers?: string | undefined;
  viewOnce?: boolean | undefined;
  /** One of these in place of words. */
  location?: Message['location'];
  vcards?: Message['vcards'];
  poll?: Message['poll'];
}

/** Lets a message from a contact arrive at the account. */
export function receive(core: Core, session: Session, inbound: Inbound): StoredMessage {
  const account = accountOf(session);
  const known = inbound.id === undefined ? undefined : account.messages.get(inbound.id);
  // The network drops the repetition of an id.
  if (known) return known;
  const sender = learnSender(core, session, inbound);
  const chatId = inbound.chatId ?? sender;
  const id = inbound.id ?? newPhoneMessageId();
  const media = inbound.media && mediaOf(`false_${chatId}_${id}`, inbound.media);
  const message: Message = {
    id,
    chatId,
    fromMe: false,
    source: 'app',
    timestamp: inbound.timestamp ?? core.clock.nowS(),
    ...contentOf(inbound, media),
    ack: 2,
    pushName: inbound.pushName ?? account.contacts.get(sender)?.pushname,
    participant: inbound.chatId === undefined ? undefined : sender,
    media,
    replyTo: inbound.replyTo,
    selected: inbound.selected,
    answers: inbound.answers,
  };
  core.world.record({ kind: 'message.added', session: session.name, message });
  return announce(core, session, id);
}

function learnSender(core: Core, session: Session, { from, lid, pushName }: Inbound): string {
  const account = accountOf(session);
  const sender = toChatId(from);
  if (!account.contacts.has(sender) || pushName !== undefined) {
    const contact = { id: sender, pushname: pushName ?? `Person ${sender.split('@')[0]?.slice(-4)}` };
    core.world.record({ kind: 'contact.saved', session: session.name, contact });
  }
  if (lid === undefined) return sender;
  const hidden = lid.includes('@') ? lid : `${lid}@lid`;
  if (sender !== hidden && account.aliases.get(hidden) !== sender) {
    core.world.record({ kind: 'lid.learned', session: session.name, lid: hidden, pn: sender });
  }
  return hidden;
}

/** Returns the content of a message; without words, its body is the text of the sandbox's own page. */
function contentOf(
  { text, viewOnce, location, vcards, poll }: Inbound,
  media: MessageMedia | undefined,
): Pick<Message, 'kind' | 'body' | 'viewOnce' | 'location' | 'vcards' | 'poll'> {
  if (location) return { kind: 'location', body: location.title, location };
  if (vcards) return { kind: 'contact', body: vcards.map(nameOn).join(', '), vcards };
  if (poll) return { kind: 'poll', body: poll.name, poll };
  return { kind: kindOf(media), body: text, viewOnce };
}

function kindOf(media: MessageMedia | undefined): Message['kind'] {
  if (!media) return 'text';
  if (media.mimetype.startsWith('image/')) return 'image';
  if (media.mimetype.startsWith('video/')) return 'video';
  return media.mimetype.startsWith('audio/') ? 'voice' : 'file';
}

function announce(core: Core, session: Session, id: string): StoredMessage {
  const stored = storedMessage(session, id);
  // The backend downloads media before it reports the message, so later texts overtake it.
  if (stored.media) laterIn(core, session, core.settings.replyDelayMs, () => emitMessage(core, session, stored));
  else emitMessage(core, session, stored);
  return stored;
}
