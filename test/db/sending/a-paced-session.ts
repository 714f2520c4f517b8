import { sql } from 'kysely';
import { acceptSend } from '../../../db/sending/accept.ts';
import type { NewSend } from '../../../db/sending/accept.ts';
import { lockConversation } from '../../../db/conversations/conversation.ts';
import type { Database } from '../../../db/engine/database.ts';
import type { Tx } from '../../../db/engine/tx.ts';
import { releaseHeads } from '../../../db/sending/pace.ts';
import { promote } from '../../../db/sending/promote.ts';
import { updateSettings } from '../../../db/tenants/settings.ts';
import type { TenantSettings } from '../../../domain/tenants/settings.ts';
import { rowsOf } from '../../support/rows.ts';
import { aWorkingSession, SCOPE } from '../a-database.ts';

/** Noon of a Saturday in winter, far from every border of a day. */
const NOON = new Date('2026-11-21T12:00:00Z');

/** A session whose pace is set, and the clock of its database, which stands still. */
export async function aPacedSession(database: Database, settings: TenantSettings) {
  const sessionId = await aWorkingSession(database);
  let now = NOON;
  // Rows of that time need their partition, on every day of the test.
  await rowsOf(database, sql<object>`select maintain_partitions(${NOON}::date)`);
  const at = <T>(work: Parameters<typeof database.transaction<T>>[0]): Promise<T> =>
    database.transaction((tx) => work({ ...tx, now }));
  const change = (wanted: TenantSettings) => at((tx) => updateSettings(tx, SCOPE, wanted));
  await change(settings);
  await rowsOf(database, sql<object>`update session set created_at = ${new Date(NOON.getTime() - 30 * 86_400_000)}`);
  const released = (): Promise<string[]> =>
    rowsOf(
      database,
      sql<{ body: string }>`select body from message where released_at is not null and direction = 'out'
        order by released_at, lane, ready_at, id`,
    ).then((rows) => rows.map(({ body }) => body));

  /** Accepts a text to a number; a person's is a reply. */
  async function accept(tx: Tx, to: number, text: string, more: Partial<NewSend> = {}) {
    const accepted = await acceptSend(
      { ...tx, now },
      { ...SCOPE, sessionId },
      {
        recipient: { chatId: `1555${1_000_000 + to}@c.us` },
        parts: [{ kind: 'text', body: text }],
        origin: 'api',
        expires: { afterMs: 86_400_000 },
        ...more,
      },
    );
    if (accepted.outcome !== 'accepted') throw new Error(`The message was not accepted: ${accepted.outcome}.`);
    return accepted;
  }

  return {
    sessionId,
    at,
    change,
    released,
    get now() {
      return now;
    },
    pass(seconds: number): void {
      now = new Date(now.getTime() + seconds * 1_000);
    },
    set(time: string): void {
      now = new Date(time);
    },
    accept,
    send: (to: number, text: string, more: Partial<NewSend> = {}) => at((tx) => accept(tx, to, text, more)),
    async wrote(to: number, secondsAgo = 0): Promise<void> {
      const when = new Date(now.getTime() - secondsAgo * 1_000);
      await rowsOf(
        database,
        sql<object>`update conversation set last_inbound_at = ${when}, contacted = true where chat_id = ${`1555${1_000_000 + to}@c.us`}`,
      );
    },
    /** Makes conversations with the first numbers, who have all just written. */
    async meet(count: number): Promise<void> {
      for (let to = 1; to <= count; to += 1) await at((tx) => accept(tx, to, 'hello'));
      await rowsOf(
        database,
        sql<object>`update message set status = 'sent', released_at = null, ready_at = null, sent_at = ${now}, ended_at = ${now}`,
      );
      await rowsOf(database, sql<object>`update conversation set last_inbound_at = ${now}, contacted = true`);
      await rowsOf(database, sql<object>`delete from dispatch`);
    },
    release: () => at((tx) => releaseHeads(tx, sessionId)),
    /** Sends the released messages: their successors may go. */
    async sendAll(): Promise<void> {
      await at(async (tx) => {
        const { rows } = await sql<{ id: string }>`
          update message set status = 'sent', sent_at = ${now}, ended_at = ${now}
          where status = 'queued' and released_at is not null returning conversation_id as id`.execute(tx.sql);
        for (const { id } of rows) {
          await lockConversation(tx, id);
          await promote(tx, id);
        }
      });
    },
    heads: () =>
      rowsOf(
        database,
        sql<{ body: string; heldBy: string | null; heldUntil: string | null }>`
          select body, held_by as "heldBy", to_char(held_until, 'YYYY-MM-DD HH24:MI') as "heldUntil" from message
          where status = 'queued' and released_at is null and held_by is not null order by id`,
      ),
    plan: async (messageId: string) => {
      const [row] = await rowsOf(
        database,
        sql<{ plan: { sendAt: string; rule: string } }>`select plan_of(${messageId}, ${now}) as plan`,
      );
      return row?.plan;
    },
  };
}
export type PacedSession = Awaited<ReturnType<typeof aPacedSession>>;
