import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { keepMemory } from '../../../db/agent/memory.ts';
import { adoptChatId } from '../../../db/conversations/contact.ts';
import { ensureConversation } from '../../../db/conversations/conversation.ts';
import { findUnfinishedMerge, moveLeftMessages } from '../../../db/conversations/merge.ts';
import type { Database } from '../../../db/engine/database.ts';
import { addNote } from '../../../db/conversations/team/notes.ts';
import { unmergeContact } from '../../../db/network/unmerge/unmerge.ts';
import { acceptSend } from '../../../db/sending/accept.ts';
import { claimMessage } from '../../../db/sending/claim.ts';
import { recordSent } from '../../../db/sending/outcome.ts';
import type { Tx } from '../../../db/engine/tx.ts';
import { rowsOf } from '../../support/rows.ts';
import type { anAgent } from '../agent/a-turn.ts';
import { SCOPE } from '../a-database.ts';

interface State {
  mode: string;
  epoch: number;
  mergedInto: string | null;
  lastBody: string | null;
  unread: number;
  chatId: string;
}

/** Two contacts and their conversations. */
export interface People {
  phone: string;
  hidden: string;
  a: string;
  b: string;
  into: string;
  from: string;
}

/** Returns the actions of tests on a person with several addresses, and the test's view of that person. */
export function aPerson(database: Database, sessionId: string) {
  const scope = { ...SCOPE, sessionId };

  async function send(chatId: string, body: string, sendAt?: Date) {
    const accepted = await database.transaction((tx) =>
      acceptSend(tx, scope, {
        recipient: { chatId },
        parts: [{ kind: 'text', body }],
        origin: 'api',
        expires: { afterMs: 3_600_000 },
        ...(sendAt ? { sendAt } : {}),
      }),
    );
    if (accepted.outcome !== 'accepted') throw new Error(`The message was not accepted: ${accepted.outcome}.`);
    return accepted;
  }

  async function goesOut(messageId: string, conversationId: string): Promise<void> {
    const token = randomUUID();
    await rowsOf(database, sql<object>`update message set released_at = now() where id = ${messageId}`);
    await database.transaction((tx) => claimMessage(tx, messageId, { token, owner: '1', chosenNetworkId: null }));
    await database.transaction((tx) =>
      recordSent(tx, { messageId, conversationId, token, networkId: `N${messageId}` }),
    );
  }

  async function contactOf(chatId: string): Promise<string> {
    const [row] = await rowsOf(
      database,
      sql<{ id: string }>`select contact_id as id from contact_alias where chat_id = ${chatId}`,
    );
    return row?.id ?? '';
  }

  async function stateOf(conversationId: string): Promise<State> {
    const [row] = await rowsOf(
      database,
      sql<State>`select mode, epoch, merged_into as "mergedInto", last_message_body as "lastBody", unread_count as unread,
        chat_id as "chatId" from conversation where id = ${conversationId}`,
    );
    if (!row) throw new Error('The conversation is not there.');
    return row;
  }

  /**
   * Every row about two people, whole. Epochs are left out, because they only grow; so are the records of the merge and
   * of its end.
   */
  async function rowsAbout({ phone, hidden, a, b, into, from }: People) {
    const [dump] = await rowsOf(
      database,
      sql<{ dump: object }>`select jsonb_build_object(
        'contacts', (select jsonb_agg(to_jsonb(k) order by k.id) from contact k where k.id in (${into}, ${from})),
        'aliases', (select jsonb_agg(to_jsonb(l) order by l.chat_id) from contact_alias l
          where l.chat_id in (${phone}, ${hidden}) or l.contact_id in (${into}, ${from})),
        'conversations', (select jsonb_agg(to_jsonb(c) - 'epoch' - 'updated_at' order by c.id) from conversation c
          where c.id in (${a}, ${b}) or c.contact_id in (${into}, ${from})),
        'messages', (select jsonb_agg(to_jsonb(m) - 'conversation_epoch' order by m.id) from message m
          where m.conversation_id in (${a}, ${b}) or m.contact_id in (${into}, ${from})),
        'memories', (select jsonb_agg(to_jsonb(f) order by f.id) from memory f where f.contact_id in (${into}, ${from})),
        'notes', (select jsonb_agg(to_jsonb(n) order by n.id) from note n where n.contact_id in (${into}, ${from})),
        'listed', (select jsonb_agg(to_jsonb(s) order by s.session_id, s.contact_id) from session_contact s
          where s.contact_id in (${into}, ${from})),
        'usage', (select jsonb_agg(to_jsonb(u) order by u.contact_id, u.day) from ai_usage u
          where u.contact_id in (${into}, ${from})),
        'turns', (select jsonb_agg(to_jsonb(t) order by t.id) from ai_turn t where t.conversation_id in (${a}, ${b})),
        'parked', (select jsonb_agg(to_jsonb(o) order by o.network_id) from parked_own_message o
          where o.conversation_id in (${a}, ${b})),
        'handovers', (select jsonb_agg(to_jsonb(h) order by h.id) from handover h
          where h.conversation_id in (${a}, ${b}) and h.cause not in ('merge', 'unmerge'))) as dump`,
    );
    return dump?.dump;
  }

  async function finishMerges(): Promise<void> {
    for (let id = await database.read(findUnfinishedMerge); id !== null;) {
      const left = id;
      await database.transaction((tx) => moveLeftMessages(tx, left, 1_000));
      id = await database.read(findUnfinishedMerge);
    }
  }

  async function remember(contactId: string, fact: string): Promise<void> {
    await database.transaction((tx) =>
      keepMemory(
        tx,
        { ...SCOPE, contactId },
        {
          fact,
          category: 'preference',
          source: 'api',
          evidenceMessageId: null,
          turnId: null,
          confidence: null,
          expiresAt: null,
          supersedes: null,
        },
      ),
    );
  }

  /** A phone that we wrote to, and a hidden id that has answered; both with a queue and memories. */
  async function twoPeople(agent: ReturnType<typeof anAgent>) {
    const phone = agent.person();
    const hidden = phone.replace('@c.us', '@lid');
    const offer = await send(phone, 'Our offer');
    await send(phone, 'And a picture of it');
    const b = await agent.write(hidden, 'Is it still there?', { pushName: 'Ada' });
    await send(hidden, 'Yes');
    await send(hidden, 'And in blue');
    await send(hidden, 'Tomorrow', new Date(Date.now() + 86_400_000));
    const [into, from] = [await contactOf(phone), await contactOf(hidden)];
    for (const contactId of [from, into])
      await database.transaction((tx) =>
        addNote(tx, SCOPE, { contactId, text: contactId === from ? 'Hidden' : 'Known', author: 'Ada' }),
      );
    await remember(from, 'Likes blue');
    await remember(into, 'Likes blue');
    await remember(from, 'Has a dog');
    await rowsOf(
      database,
      sql<object>`insert into ai_usage (agency_id, tenant_id, contact_id, day, replies, tokens, cost_micros)
        values ('a1', 't1', ${from}, '2026-01-01', 2, 100, 7), ('a1', 't1', ${from}, '2026-01-02', 1, 10, 1),
          ('a1', 't1', ${into}, '2026-01-01', 3, 50, 4)`,
    );
    return { phone, hidden, a: offer.conversationId, b, offer: offer.messageId, into, from };
  }

  /** The network names both addresses as one person's. */
  const named = (tx: Tx, chatId: string, other: string) =>
    ensureConversation(tx, scope, { chatId, aliases: [other], networkId: 'BOTH' });

  /** The network names both addresses, without a message of its own: an echo of what it has shown before. */
  const join = ({ phone, hidden }: { phone: string; hidden: string }) =>
    database.transaction((tx) => named(tx, hidden, phone));

  const unmerge = (contactId: string) => database.transaction((tx) => unmergeContact(tx, SCOPE.agencyId, contactId));

  return {
    send,
    twoPeople,
    goesOut,
    contactOf,
    stateOf,
    rowsAbout,
    finishMerges,
    named,
    join,
    unmerge,
    /** The check of a number finds it under another one. */
    checked: (tx: Tx, conversationId: string, chatId: string) => adoptChatId(tx, conversationId, chatId),
  };
}
