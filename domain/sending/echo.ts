import { outgoingKindOf } from './content.ts';
import type { Buttons, List, MessageContent } from './content.ts';
import { asNumberedText } from './interactive.ts';
import type { NetworkKind, NetworkMessage } from '../network/network-event.ts';

/** A message that the network shows is taken for the send when the two clocks differ by this much at most. */
export const SURE_SLACK_S = 5;
/** A message may be the send when the two clocks differ by this much at most; nobody can then call the send absent. */
export const POSSIBLE_SLACK_S = 15 * 60;

/** The parts of a send that its echo is compared with. */
export interface Sent {
  kind: string;
  body: string;
  content: MessageContent | null;
}

/** The kinds whose calls carry the chosen id by the backend's own description. */
const UNDER_THEIR_ID: ReadonlySet<string | null> = new Set(['text', 'location', 'contact', 'poll', 'forward']);

/**
 * True where the send certainly went under the id that was chosen for it, so no message with another id can be this
 * send. Files and native interactive messages may go under an id that the backend chooses.
 */
export function goesUnderItsId({
  kind,
  content,
  chosenNetworkId,
}: {
  kind: string;
  content?: MessageContent | null | undefined;
  chosenNetworkId?: string | null | undefined;
}): boolean {
  return UNDER_THEIR_ID.has(outgoingKindOf(kind, content)) && typeof chosenNetworkId === 'string';
}

/** A send whose outcome is open, with the facts that an own message of unknown id is compared with. */
export interface OpenSend extends Sent {
  conversationId: string;
  chosenNetworkId: string | null;
  /** True when the session has worked without a break since the claim, so the backend still remembers the send. */
  isRemembered: boolean;
}

/**
 * Tells whether an own message of unknown id in this conversation may be the send. If it may not, a person wrote the
 * message. The message's `source` is trusted only while the send is remembered: after a restart of its session a
 * backend says of our sends, too, that a person wrote them.
 */
export function mayBeEchoOf(
  own: Pick<NetworkMessage, 'networkId' | 'source' | 'kind' | 'body'>,
  conversationId: string,
  send: OpenSend,
): boolean {
  if (own.networkId === send.chosenNetworkId) return true;
  if (goesUnderItsId(send) || (own.source === 'app' && send.isRemembered)) return false;
  // An echo may come under another address of the chat than the send went to. Messages without words look alike, so the
  // echo must be of the same conversation.
  return canBeEchoOf(own, send) && (send.conversationId === conversationId || isToldByWords(own, send));
}

/** True where words tell the send from others of its kind, so that a message with them is known in any chat. */
export function isToldByWords(own: Pick<NetworkMessage, 'body'>, send: LooselyTold): boolean {
  return own.body !== '' && !isShownInOtherWords(send);
}

interface LooselyTold {
  kind: string;
  content?: MessageContent | null | undefined;
}

/** True for the kinds that engines show in words of their own, or without any. */
function isShownInOtherWords({ kind, content }: LooselyTold): boolean {
  return content?.forward !== undefined || content?.poll !== undefined || kind === 'location' || kind === 'contact';
}

/**
 * The other kinds as which the network may show a file: engines send some files as documents, and tell some kinds by
 * the file's type alone.
 */
const FILE_SHOWN_AS: Partial<Record<string, readonly NetworkKind[]>> = {
  image: ['sticker', 'document', 'other'],
  video: ['document', 'other'],
  audio: ['document', 'other'],
  document: ['other'],
};

/**
 * Tells by kind and words whether an own message that the network shows can be this send. The network shows some sends
 * under another kind than they were sent as. The caller has compared chat, time and id before.
 */
export function canBeEchoOf(own: Pick<NetworkMessage, 'kind' | 'body'>, { kind, body, content }: Sent): boolean {
  const interactive = content?.buttons ?? content?.list;
  if (interactive !== undefined) {
    if (own.kind === 'other') return true;
    // Engines add words of their own to native messages, but the words that we wrote are among them.
    return own.kind === 'text' && own.body.includes(firstWords(body, interactive));
  }
  if (isShownInOtherWords({ kind, content })) return canShow(own, { kind, content });
  return own.body === body && (own.kind === kind || (FILE_SHOWN_AS[kind]?.includes(own.kind) ?? false));
}

/**
 * Tells whether a message may be a location, a contact, a poll or a forward. Engines show these without words or with
 * other words than ours, so the kind decides: a send that may be shown must not be taken for absent.
 */
function canShow(own: Pick<NetworkMessage, 'kind' | 'body'>, { kind, content }: LooselyTold): boolean {
  if (own.kind === 'other') return true;
  const question = content?.poll?.name;
  if (question !== undefined) return own.kind === 'poll' || (own.kind === 'text' && own.body.includes(question));
  const shown = content?.forward?.kind ?? kind;
  return own.kind === shown || (FILE_SHOWN_AS[shown]?.includes(own.kind) ?? false);
}

/** Picks words of ours that an engine shows in any case: the text, or without a text the title or a choice. */
function firstWords(body: string, interactive: Buttons | List): string {
  if (body !== '') return body;
  if ('title' in interactive) return interactive.title;
  return interactive.header ?? interactive.buttons[0]?.text ?? '';
}

/**
 * Tells from the message that the network shows whether an interactive message went natively or as text; null for other
 * messages.
 */
export function shownAs(own: Pick<NetworkMessage, 'kind' | 'body'>, { body, content }: Sent): 'native' | 'text' | null {
  const interactive = content?.buttons ?? content?.list;
  if (interactive === undefined) return null;
  return own.kind === 'text' && own.body.includes(asNumberedText(body, interactive)) ? 'text' : 'native';
}
