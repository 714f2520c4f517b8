import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { claimMessage, returnClaim } from '../../../db/sending/claim.ts';
import type { Claimed } from '../../../db/sending/claim.ts';
import { lockConversation } from '../../../db/conversations/conversation.ts';
import type { Database } from '../../../db/engine/database.ts';
import { endMessage, recordSent } from '../../../db/sending/outcome.ts';
import { rowsOf } from '../../support/rows.ts';
import type { Oracle } from './takeover/oracle.ts';

/** The sends of one conversation's agent, from the claim to the record, as the worker makes them. */
export class AgentSends {
  readonly #database: Database;
  readonly #conversationId: string;
  readonly #oracle: Oracle;
  #claims: { claim: Claimed; token: string; called: boolean }[] = [];

  constructor(database: Database, conversationId: string, oracle: Oracle) {
    this.#database = database;
    this.#conversationId = conversationId;
    this.#oracle = oracle;
  }

  /** Nothing is on its way, or may go. */
  async areDone(): Promise<boolean> {
    return this.#claims.length === 0 && (await this.#listReleased()).length === 0;
  }

  async claim(): Promise<void> {
    const [next] = await this.#listReleased();
    if (!next) return;
    const token = randomUUID();
    const oracle = this.#oracle;
    const begun = oracle.now();
    await this.#database.transaction(async (tx) => {
      const result = await claimMessage(tx, next.id, { token, owner: '1', chosenNetworkId: null });
      if (result.claim === 'refused') {
        await lockConversation(tx, result.conversationId);
        await endMessage(tx, next.id, { status: result.status, reason: result.reason, detail: null });
      }
      if (result.claim !== 'claimed') return;
      const { messageId, conversationId } = result;
      oracle.claims.push({ messageId, conversationId, begun, order: oracle.now(), fenceHeld: true });
      this.#claims.push({ claim: result, token, called: false });
    });
  }

  /** The claimed messages reach the backend. */
  call(): void {
    for (const one of this.#claims.filter(({ called }) => !called)) {
      one.called = true;
      this.#oracle.sends.push({ messageId: one.claim.messageId, order: this.#oracle.now() });
    }
  }

  /** Calls that were made are recorded as sent; claims whose call was not made are given back. */
  async answer(isMade: boolean): Promise<void> {
    for (const { claim, token } of this.#claims.filter(({ called }) => called === isMade)) {
      const { messageId, conversationId } = claim;
      await this.#database.transaction(async (tx) => {
        if (isMade) await recordSent(tx, { messageId, conversationId, token, networkId: `N${randomUUID()}` });
        else await returnClaim(tx, claim, token, 'session_not_working');
      });
    }
    this.#claims = this.#claims.filter(({ called }) => called !== isMade);
  }

  #listReleased(): Promise<{ id: string }[]> {
    return rowsOf(
      this.#database,
      sql<{ id: string }>`select id from message where conversation_id = ${this.#conversationId} and origin = 'ai'
        and status = 'queued' and released_at is not null order by chat_seq`,
    );
  }
}
