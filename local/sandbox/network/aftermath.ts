import { isGroup } from '../chat-id.ts';
import type { Person } from '../people.ts';
import { ackEvent } from '../shapes/ack.ts';
import type { Session, StoredMessage } from '../state/session.ts';
import { choiceIn } from './choice.ts';
import { accountOf, engineOf, laterIn, phoneOf } from './core.ts';
import type { Core } from './core.ts';
import { emitWhileWorking, viewOf } from './emit.ts';
import { personAt, senderOf } from './identity.ts';
import { receive } from './inbound.ts';
import type { Lifecycle } from './lifecycle.ts';
import { sendFromPhone } from './phone.ts';
import { restrict } from './restrict.ts';

/**
 * Simulates what contacts do with a message of the account. After a restart it continues what the last process left
 * undone.
 */
export class Aftermath {
  readonly #core: Core;
  readonly #lifecycle: Lifecycle;

  constructor(core: Core, lifecycle: Lifecycle) {
    this.#core = core;
    this.#lifecycle = lifecycle;
  }

  follow(session: Session, message: StoredMessage): void {
    const person = personAt(accountOf(session), message.chatId);
    this.#scheduleAcks(session, message, person);
    this.#scheduleDeed(session, message, person);
    this.#relay(session, message);
  }

  resume(session: Session): void {
    if (!session.account) return;
    const messages = [...session.account.messages.values()];
    const answered = new Set(messages.map((message) => message.answers));
    for (const message of messages) {
      if (!message.fromMe || message.source !== 'api') continue;
      const person = personAt(session.account, message.chatId);
      this.#scheduleAcks(session, message, person);
      // A message that made the backend lose its session does not do so again after a restart. Any other reaction still
      // follows, unless the message was answered.
      if (person.next !== 'session lost' && !answered.has(message.id)) this.#scheduleDeed(session, message, person);
    }
  }

  /** Gives one ack of a message. `reader` matters only in groups; without it the first member reads. */
  ack(session: Session, message: StoredMessage, ack: number, reader?: string): void {
    const { world } = this.#core;
    world.record({ kind: 'message.acked', session: session.name, id: message.id, ack });
    // WEBJS reports acks in groups only when `tagsEventsOn` is set.
    const { webjs } = session.config;
    if (engineOf(this.#core, session) === 'WEBJS' && isGroup(message.chatId) && !webjs?.tagsEventsOn) return;
    const view = viewOf(this.#core, session);
    const told = ackEvent(message, { ack, reader }, view, session.restrictedUntil);
    if (told) emitWhileWorking(this.#core, session, told.event, told.payload);
  }

  #scheduleAcks(session: Session, message: StoredMessage, person: Person): void {
    const unit = this.#core.settings.ackDelayMs;
    const base = person.acks[message.acksGiven - 1]?.after ?? 0;
    for (const step of person.acks.slice(message.acksGiven)) {
      laterIn(this.#core, session, (step.after - base) * unit, () => {
        if (step.ack === -1) restrict(this.#core, session);
        this.ack(session, message, step.ack);
      });
    }
  }

  /** Delivers the message to the session that has the recipient's number, which then is no simulated contact's. */
  #relay(session: Session, message: StoredMessage): void {
    const { settings, world } = this.#core;
    if (!settings.relay || isGroup(message.chatId)) return;
    const [account, to] = [accountOf(session), phoneOf(accountOf(session), message.chatId)];
    const there = [...world.sessions.values()].find((other) => other.linked && other.account?.id === to);
    if (!there) return;
    laterIn(this.#core, there, settings.replyDelayMs, () => {
      receive(this.#core, there, { from: account.id, text: message.body, pushName: account.pushName });
    });
  }

  #scheduleDeed(session: Session, message: StoredMessage, person: Person): void {
    const { ackDelayMs, replyDelayMs } = this.#core.settings;
    const text = `You said: ${message.body || `[${message.kind}]`}`;
    const { next } = person;
    if (next === 'hides the phone' || next === 'changes number') {
      laterIn(this.#core, session, replyDelayMs, () => {
        const sender = senderOf(accountOf(session), message.chatId, next);
        receive(this.#core, session, { ...sender, text, answers: message.id });
      });
    } else if (next === 'echo') {
      laterIn(this.#core, session, replyDelayMs, () => {
        receive(this.#core, session, { from: message.chatId, text, answers: message.id });
      });
    } else if (next === 'chooses') {
      const choice = choiceIn(message);
      if (!choice) return;
      laterIn(this.#core, session, replyDelayMs, () => {
        receive(this.#core, session, { from: message.chatId, ...choice, answers: message.id });
      });
    } else if (next === 'phone answers') {
      const own = 'I answered this one from my phone.';
      laterIn(this.#core, session, replyDelayMs, () => {
        sendFromPhone(this.#core, session, { to: message.chatId, text: own, answers: message.id });
      });
    } else if (next === 'session lost') {
      laterIn(this.#core, session, ackDelayMs, () => this.#lifecycle.force(session, 'FAILED'));
    }
  }
}
