import { EngineFailure } from '../http/failures.ts';
import { isLid, toJid } from '../chat-id.ts';
import { newMessageId } from '../ids.ts';
import type { Answer, Person } from '../people.ts';
import type { Engine } from '../state/fact.ts';
import type { Kind, Message, Option } from '../state/message.ts';
import type { Account, Session, StoredMessage } from '../state/session.ts';
import type { Aftermath } from './aftermath.ts';
import { accountOf, engineOf, phoneOf } from './core.ts';
import type { Core } from './core.ts';
import { emitMessage } from './emit.ts';
import { personAt } from './identity.ts';
import { mediaOf } from './media.ts';
import type { GivenMedia } from './media.ts';
import { restrict } from './restrict.ts';
import { storedMessage } from './stored-message.ts';

export interface Draft {
  kind: Kind;
  chatId: string;
  body: string;
  chosenId: string | null;
  replyTo?: string | undefined;
  media?: GivenMedia | undefined;
  options?: Option[] | undefined;
  relayed?: boolean | undefined;
  location?: Message['location'];
  vcards?: Message['vcards'];
  poll?: Message['poll'];
  /** The message that is repeated. */
  forwards?: Message | undefined;
}

export interface Sent {
  message: StoredMessage;
  /** The way in which the HTTP call has to end. */
  answer: Answer;
}

/** Puts a message of the account on the network, or throws when it is refused before. */
export function send(core: Core, aftermath: Aftermath, session: Session, draft: Draft, seq: number | undefined): Sent {
  const account = accountOf(session);
  const engine = engineOf(core, session);
  const phone = phoneOf(account, draft.chatId);
  const person = personAt(account, draft.chatId);
  refuse(core, session, person, engine, phone);
  // WEBJS ignores a chosen id.
  const id = (engine === 'WEBJS' ? null : draft.chosenId) ?? newMessageId();
  const known = account.messages.get(id);
  if (known) {
    // The backend keeps no table of ids and answers as if it had sent; the network drops the repetition.
    if (seq !== undefined) core.world.record({ kind: 'send.duplicate', seq, id });
    return { message: known, answer: person.answer };
  }
  const { hidesSends, shownAfter } = person;
  const message: Message = {
    ...compose(account, engine, draft, { id, timestamp: core.clock.nowS() }),
    ...(hidesSends ? { relayed: true } : {}),
    ...(shownAfter === undefined ? {} : { shownFrom: Date.now() + shownAfter * core.settings.ackDelayMs }),
  };
  core.world.record({ kind: 'message.added', session: session.name, message, send: seq });
  const stored = storedMessage(session, id);
  if (!stored.relayed && stored.shownFrom === undefined) emitMessage(core, session, stored);
  aftermath.follow(session, stored);
  return { message: stored, answer: person.answer };
}

/** Throws in the cases that some engines report by an exception instead of by an ack. */
function refuse(core: Core, session: Session, person: Person, engine: Engine, phone: string): void {
  if (!person.sent) throw new EngineFailure('Timed Out');
  if (engine === 'GOWS' && person.next === 'account restricted') {
    restrict(core, session);
    throw new EngineFailure('server returned error 463');
  }
  if (person.onNetwork || engine === 'NOWEB') return;
  if (engine === 'WEBJS') throw new EngineFailure('No LID for user');
  throw new EngineFailure(`no LID found for ${toJid(phone)} from server`);
}

function compose(
  account: Account,
  engine: Engine,
  draft: Draft,
  { id, timestamp }: { id: string; timestamp: number },
): Message {
  const alias = account.aliases.get(draft.chatId);
  // GOWS addresses people by their hidden id as soon as it knows one.
  const chatId = engine === 'GOWS' && alias && isLid(alias) ? alias : draft.chatId;
  return {
    id,
    chatId,
    fromMe: true,
    source: 'api',
    timestamp,
    kind: draft.kind,
    body: draft.body,
    ack: 0,
    media: draft.media && mediaOf(`true_${chatId}_${id}`, draft.media),
    replyTo: draft.replyTo,
    options: draft.options,
    relayed: draft.relayed,
    location: draft.location,
    vcards: draft.vcards,
    poll: draft.poll,
    ...(draft.forwards ? repeated(draft.forwards) : {}),
  };
}

function repeated({ media, location, vcards, poll }: Message): Partial<Message> {
  return { media, location, vcards, poll, forwarded: true };
}
