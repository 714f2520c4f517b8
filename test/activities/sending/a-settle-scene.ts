import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { settle } from '../../../activities/sending/settle.ts';
import { acceptSend } from '../../../db/sending/accept.ts';
import { claimMessage } from '../../../db/sending/claim.ts';
import type { Database } from '../../../db/engine/database.ts';
import { applyNetworkEvent } from '../../db/network/apply-event.ts';
import { findMessageById } from '../../../db/conversations/message.ts';
import { markLost, recordSent } from '../../../db/sending/outcome.ts';
import { findSessionById } from '../../../db/sessions/session.ts';
import type { Session } from '../../../db/sessions/session.ts';
import type { AckLevel } from '../../../domain/network/ack.ts';
import type { MessageContent } from '../../../domain/sending/content.ts';
import type { NetworkMessage } from '../../../domain/network/network-event.ts';
import { everywhere } from '../../adapters/backend/only-backend.ts';
import { aDatabase, aWorkingSession, SCOPE } from '../../db/a-database.ts';
import { aNetworkMessage } from '../../support/network-message.ts';

export interface ClaimedSend {
  messageId: string;
  conversationId: string;
  chatId: string;
  token: string;
}

export interface SendAsked {
  chosen?: string;
  content?: MessageContent;
  kind?: 'image';
  owner?: string;
  chatId?: string;
}

const SETTLE_DELAYS = {
  afterErrorAnswerMs: 1_000,
  afterBrokenConnectionMs: 30_000,
  longestFileCallMs: 150_000,
  giveUpAfterMs: 300_000,
};
/** Past this the looks for a lost send, with a file or without, have come to an end. */
export const DOUBT_IS_OVER_MS = 200_000;
const LOOKS_ARE_OVER_MS = 5 * 60_000;

/** A session whose sends are lost, and a backend that shows what a test puts into it. */
export async function aSettleScene() {
  const database = await aDatabase();
  const sessionId = await aWorkingSession(database);
  await database.read((queries) =>
    sql`update session set status_changed_at = status_changed_at - interval '1 day'`.execute(queries.sql),
  );
  const found = await database.read((queries) => findSessionById(queries, sessionId));
  if (!found) throw new Error('The session is not there.');
  return new SettleScene(database, found);
}

export class SettleScene {
  readonly database: Database;
  readonly session: Session;
  /** The messages that the backend shows of each chat. */
  shown: NetworkMessage[] = [];
  /** The lead of the backend's clock over ours. Null if it does not report the time. */
  aheadMs: number | null = 0;
  /** Runs once, while the backend answers that question. */
  meanwhile: { chats?: () => Promise<void>; clock?: () => Promise<void> } = {};
  #phone = 15_550_400_000;

  constructor(database: Database, session: Session) {
    this.database = database;
    this.session = session;
  }

  async aClaimedSend(text: string, asked: SendAsked = {}): Promise<ClaimedSend> {
    const { chosen = null, content, owner = this.database.wakeups.owner, chatId = this.aChatId() } = asked;
    const kind = content?.buttons ? ('buttons' as const) : content?.list ? ('list' as const) : (asked.kind ?? 'text');
    const accepted = await this.database.statement((tx) =>
      acceptSend(
        tx,
        { ...SCOPE, sessionId: this.session.id },
        {
          recipient: { chatId },
          parts: [{ kind, body: text, ...(content === undefined ? {} : { content }) }],
          origin: 'api',
          expires: { afterMs: 86_400_000 },
        },
      ),
    );
    if (accepted.outcome !== 'accepted') throw new Error('The send was not accepted.');
    const { messageId, conversationId } = accepted;
    const token = randomUUID();
    const claim = { token, owner, chosenNetworkId: chosen };
    const { claim: claimed } = await this.database.transaction((tx) => claimMessage(tx, messageId, claim));
    if (claimed !== 'claimed') throw new Error(`The claim was answered ${claimed}.`);
    return { messageId, conversationId, chatId, token };
  }

  async aLostSend(text: string, asked: SendAsked & { renderedAs?: 'native' | 'text' } = {}): Promise<ClaimedSend> {
    const claimed = await this.aClaimedSend(text, asked);
    const { messageId, token } = claimed;
    await this.database.transaction((tx) => markLost(tx, messageId, token, 'broken_connection', asked.renderedAs));
    return claimed;
  }

  answer({ messageId, conversationId, token }: ClaimedSend, networkId: string, renderedAs?: 'native') {
    return this.database.transaction((tx) =>
      recordSent(tx, { messageId, conversationId, token, networkId, renderedAs }),
    );
  }

  /** A send that the backend answers and shows: its store is one that shows our sends. */
  async aShownSend(): Promise<void> {
    const proof = await this.aClaimedSend('shows that the store shows sends');
    const networkId = `PROOF${randomUUID().slice(0, 8)}`;
    await this.answer(proof, networkId);
    this.shown.push(this.own(proof.chatId, networkId, 'shows that the store shows sends'));
  }

  look(messageId: string): Promise<void> {
    const backend = {
      findOwnMessage: async ({ networkId }: { networkId: string }) =>
        this.shown.find((message) => message.networkId === networkId) ?? null,
      listOwnMessages: async ({ chatId, sinceUnix }: { chatId: string; sinceUnix: number }) => {
        const page = this.shown.filter((message) => message.chatId === chatId && message.timestamp >= sinceUnix);
        await this.#happens('chats');
        return page;
      },
      readClockSkew: async () => {
        await this.#happens('clock');
        return this.aheadMs === null ? null : { atLeastMs: this.aheadMs - 500, atMostMs: this.aheadMs + 500 };
      },
    };
    return settle({ database: this.database, backends: everywhere(backend), settleDelays: SETTLE_DELAYS }, messageId);
  }

  async #happens(during: keyof SettleScene['meanwhile']): Promise<void> {
    const happens = this.meanwhile[during];
    delete this.meanwhile[during];
    await happens?.();
  }

  /** One look, once everything that may be believed of the send is believed. */
  async lookWhenDoubtIsOver(messageId: string) {
    this.database.clock.advance(DOUBT_IS_OVER_MS);
    await this.look(messageId);
    return this.rowOf(messageId);
  }

  /** Looks until nothing more is looked for; answers what it has come to. */
  async outcomeOf(messageId: string) {
    for (const passMs of [0, DOUBT_IS_OVER_MS, LOOKS_ARE_OVER_MS]) {
      this.database.clock.advance(passMs);
      await this.look(messageId);
      const row = await this.rowOf(messageId);
      if (row?.status !== 'sending') return row;
    }
    throw new Error('It is still being looked for.');
  }

  hear(message: NetworkMessage): Promise<void> {
    return this.database.transaction((tx) =>
      applyNetworkEvent(tx, this.session, { kind: 'message', key: `message:out:${message.networkId}`, message }),
    );
  }

  hearAck(chatId: string, networkId: string, level: AckLevel): Promise<void> {
    const key = `ack:${networkId}:${level}`;
    return this.database.transaction((tx) =>
      applyNetworkEvent(tx, this.session, { kind: 'ack', key, networkId, chatId, level, error: null }),
    );
  }

  rowOf(id: string) {
    return this.database.read((queries) => findMessageById(queries, id));
  }

  platformIs(platform: string): Promise<unknown> {
    return this.database.read((queries) =>
      sql`update session set platform = ${platform} where id = ${this.session.id}`.execute(queries.sql),
    );
  }

  aChatId(): string {
    this.#phone += 1;
    return `${this.#phone}@c.us`;
  }

  /** An own message as a backend shows it whose clock is that far ahead of ours. */
  own(chatId: string, networkId: string, body: string, more: Partial<NetworkMessage> & { aheadS?: number } = {}) {
    const { aheadS = 0, ...fields } = more;
    const message = aNetworkMessage({
      networkId,
      chatId,
      fromMe: true,
      source: 'api',
      body,
      timestamp: Math.floor(this.database.clock.now().getTime() / 1_000) + aheadS,
      ack: 1,
    });
    return { ...message, ...fields };
  }
}
