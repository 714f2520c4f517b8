import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { createReconcileActivities } from '../../../activities/reconcile.ts';
import { settle } from '../../../activities/sending/settle.ts';
import { acceptSend } from '../../../db/sending/accept.ts';
import { claimMessage, returnClaim } from '../../../db/sending/claim.ts';
import type { Claimed } from '../../../db/sending/claim.ts';
import { lockConversation } from '../../../db/conversations/conversation.ts';
import type { Database } from '../../../db/engine/database.ts';
import { applyOverlookedAcks } from '../../../db/network/ingest.ts';
import { applyNetworkEvent } from '../../db/network/apply-event.ts';
import { endMessage, markLost, recordSent } from '../../../db/sending/outcome.ts';
import { adoptOwnMessages } from '../../../db/network/adopt-own-messages.ts';
import { takeDueSessions } from '../../../db/sending/release/due.ts';
import { releaseHeads } from '../../../db/sending/pace.ts';
import { resolveMessage } from '../../../db/sending/resolve.ts';
import { queueScheduled } from '../../../db/sending/scheduled.ts';
import { findSessionById } from '../../../db/sessions/session.ts';
import type { Session } from '../../../db/sessions/session.ts';
import { changeMessage, cancelMessages, lockRequest } from '../../../db/sending/waiting.ts';
import type { AckLevel } from '../../../domain/network/ack.ts';
import { rowsOf } from '../../support/rows.ts';
import { SCOPE } from '../../db/a-database.ts';
import { listTold } from './delivery-truth.ts';
import type { Told } from './delivery-truth.ts';
import { asOwnMessage, SimulatedNetwork } from '../../db/sending/simulated-network.ts';
import type { Sending } from '../../db/sending/simulated-network.ts';
import { nobodyKnows } from '../../support/nobody-knows.ts';

/** The end of a call to the backend. */
export type Fate =
  'accepted' | 'refused' | 'not_now' | 'lost_after' | 'lost_before' | 'late' | 'crash_after' | 'crash_before';

interface Call {
  claim: Claimed;
  token: string;
  fate: Fate;
  networkId: string;
}

/** No process has this lock, so its claims are a dead one's. */
const DEAD_OWNER = '7';
const PEOPLE = 4;
/** As in production. */
const SETTLE_DELAYS = {
  afterErrorAnswerMs: 10_000,
  afterBrokenConnectionMs: 150_000,
  longestFileCallMs: 180_000,
  giveUpAfterMs: 300_000,
};

/** Delivery over the real database, with everything else at hand: the calls, the network, and the time. */
export class SimulatedDelivery {
  readonly network: SimulatedNetwork;
  readonly #database: Database;
  readonly #sessionId: string;
  readonly #calls: Call[] = [];
  #accepted = 0;
  #conversations = new Set<string>();

  constructor(database: Database, sessionId: string) {
    this.#database = database;
    this.#sessionId = sessionId;
    this.network = new SimulatedNetwork(() => database.clock.now());
  }

  get calls(): readonly Call[] {
    return this.#calls;
  }

  messages(): Promise<Told[]> {
    return listTold(this.#database, [...this.#conversations]);
  }

  async accept(
    to: number,
    what: { attachment: boolean; person: boolean; inMs: number; expiresMs: number },
  ): Promise<void> {
    this.#accepted += 1;
    const body = `message ${this.#accepted}`;
    const { attachment, person, inMs, expiresMs } = what;
    const file = { kind: 'image' as const, body: `picture ${this.#accepted}` };
    await this.#database.transaction(async (tx) => {
      const accepted = await acceptSend(
        tx,
        { ...SCOPE, sessionId: this.#sessionId },
        {
          recipient: { chatId: `1555${3_000_000 + (to % PEOPLE)}@c.us` },
          parts: [{ kind: 'text', body }, ...(attachment ? [file] : [])],
          origin: person ? 'person' : 'api',
          bulk: !person && this.#accepted % 3 === 0,
          ...(inMs > 0 ? { sendAt: new Date(tx.now.getTime() + inMs) } : {}),
          expires: { afterMs: expiresMs },
        },
      );
      if (accepted.outcome === 'accepted') this.#conversations.add(accepted.conversationId);
    });
  }

  /** One attempt as `send` makes it, up to the call; whatever state the message is in. */
  async begin(messageId: string, fate: Fate, chooses: boolean): Promise<void> {
    const token = randomUUID();
    const fresh = `NET${randomUUID().slice(0, 8)}`;
    const crashes = fate.startsWith('crash');
    const owner = crashes ? DEAD_OWNER : this.#database.wakeups.owner;
    const claim = await this.#database.transaction((tx) =>
      claimMessage(tx, messageId, { token, owner, chosenNetworkId: chooses ? fresh : null }),
    );
    if (claim.claim === 'refused') {
      const { conversationId, status, reason } = claim;
      await this.#database.transaction(async (tx) => {
        await lockConversation(tx, conversationId);
        await endMessage(tx, messageId, { status, reason, detail: null, byWorkflow: true });
      });
    }
    if (claim.claim !== 'claimed') return;
    const networkId = claim.networkId ?? fresh;
    const reaches = fate === 'accepted' || fate.endsWith('after') || fate === 'late';
    if (reaches) {
      const at = new Date(this.#database.clock.now().getTime() + (fate === 'late' ? 60_000 : 0));
      const { chatId, kind, text: body } = claim;
      this.network.take({ messageId, chatId, kind, body, networkId, at });
    }
    if (!crashes) this.#calls.push({ claim, token, fate, networkId });
  }

  /** The backend answers one of the calls, or its connection breaks. */
  async answer(index: number): Promise<void> {
    const [call] = this.#calls.splice(index % this.#calls.length, 1);
    if (!call) return;
    const { claim, token, fate, networkId } = call;
    const { messageId, conversationId } = claim;
    await this.#database.transaction(async (tx) => {
      switch (fate) {
        case 'accepted':
          await recordSent(tx, { messageId, conversationId, token, networkId });
          return;
        case 'refused':
          await lockConversation(tx, conversationId);
          await endMessage(tx, messageId, { status: 'failed', reason: 'backend_refused', detail: null, token });
          return;
        case 'not_now':
          await returnClaim(tx, claim, token, 'session_not_working');
          return;
        default:
          await markLost(tx, messageId, token, fate === 'late' ? 'timeout' : 'broken_connection');
      }
    });
  }

  /** As the worker does with a send whose outcome is open, once it has no call for it. */
  async settle(messageId: string): Promise<void> {
    if (this.#calls.some(({ claim }) => claim.messageId === messageId)) return;
    await settle({ database: this.#database, backends: this.network.backends, settleDelays: SETTLE_DELAYS }, messageId);
  }

  async ack(
    { networkId, chatId }: Pick<Sending, 'networkId' | 'chatId'>,
    level: AckLevel,
    code = '500',
  ): Promise<void> {
    const error = level === -1 ? { code, reason: 'refused' } : null;
    await this.#hear({ kind: 'ack', key: `ack:${networkId}:${level}`, networkId, chatId, level, error });
  }

  async echo(sending: Sending): Promise<void> {
    await this.#hear({ kind: 'message', key: `message:out:${sending.networkId}`, message: asOwnMessage(sending) });
  }

  async hearFrom(to: number): Promise<void> {
    const sending = { chatId: `1555${3_000_000 + (to % PEOPLE)}@c.us`, kind: 'text', messageId: '', body: 'hello' };
    const message = { ...asOwnMessage({ ...sending, networkId: `IN${randomUUID()}`, at: this.#now() }), fromMe: false };
    await this.#hear({ kind: 'message', key: `message:in:${message.networkId}`, message });
  }

  async turn(status: 'WORKING' | 'FAILED'): Promise<void> {
    await this.#hear({
      kind: 'session',
      key: `status:${status}`,
      status,
      at: this.#now().getTime(),
      me: null,
      platform: null,
    });
  }

  async isWorking(): Promise<boolean> {
    return (await this.#session()).status === 'WORKING';
  }

  async cancel(messageId: string): Promise<void> {
    await this.#database.transaction(async (tx) => {
      const locked = await lockRequest(tx, { ...SCOPE, sessionId: null }, messageId);
      if (locked?.waiting.includes(locked.message)) await cancelMessages(tx, [locked.message], 'somebody');
    });
  }

  async putOff(messageId: string, ms: number): Promise<void> {
    await this.#database.transaction(async (tx) => {
      const locked = await lockRequest(tx, { ...SCOPE, sessionId: null }, messageId);
      if (!locked?.waiting.includes(locked.message) || locked.waiting.some(({ isReleased }) => isReleased)) return;
      const sendAt = new Date(tx.now.getTime() + ms);
      await changeMessage(tx, locked.message, locked.waiting, { sendAt }, 'somebody');
    });
  }

  /** An operator has looked into the chat, and says what is so. */
  async resolve(messageId: string, again: boolean): Promise<void> {
    const outcome = this.network.countOf(messageId) > 0 ? 'sent' : again ? 'resend' : 'failed';
    await this.#database.transaction((tx) =>
      resolveMessage(tx, messageId, { outcome, actor: 'operator', reason: 'looked' }, { byWorkflow: again }),
    );
  }

  pass(ms: number): void {
    this.#database.clock.advance(ms);
  }

  /** Everything that runs by the clock. */
  async tick(): Promise<void> {
    const database = this.#database;
    await createReconcileActivities({ database }).reconcileRows({ all: false });
    await database.transaction((tx) => queueScheduled(tx));
    await rowsOf(database, sql<object>`update parked_own_message set parked_at = parked_at - interval '1 minute'`);
    await adoptOwnMessages(database, nobodyKnows);
    await database.transaction((tx) => applyOverlookedAcks(tx, 100));
    await this.release();
  }

  async release(): Promise<void> {
    const { sessions } = await this.#database.statement(takeDueSessions);
    for (const id of sessions) await this.#database.statement((tx) => releaseHeads(tx, id));
  }

  /** Counts heads that a check would release and no releaser takes, because the session is not due. */
  async countOverlooked(): Promise<number> {
    let overlooked = 0;
    const onlyTried = new Error('It was only tried.');
    const tried = this.#database.transaction(async (tx) => {
      const { rows } = await sql<object>`select 1 from session_pace where release_at <= ${tx.now}`.execute(tx.sql);
      if (rows.length === 0) overlooked = (await releaseHeads(tx, this.#sessionId)).released;
      throw onlyTried;
    });
    await tried.catch((error: unknown) => {
      if (error !== onlyTried) throw error;
    });
    return overlooked;
  }

  #now(): Date {
    return this.#database.clock.now();
  }

  async #session(): Promise<Session> {
    const session = await this.#database.read((queries) => findSessionById(queries, this.#sessionId));
    if (!session) throw new Error('The session is not there.');
    return session;
  }

  async #hear(event: Parameters<typeof applyNetworkEvent>[2]): Promise<void> {
    const session = await this.#session();
    await this.#database.transaction((tx) => applyNetworkEvent(tx, session, event));
  }
}
