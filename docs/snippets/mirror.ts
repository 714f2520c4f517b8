import { DatabaseSync } from 'node:sqlite';
import { setTimeout as pause } from 'node:timers/promises';

interface Options {
  /** The engine's address, the dashboard's key, and the tenant to mirror. */
  url: string;
  key: string;
  tenantId: string;
  /** The file of the copy. */
  file: string;
}

/** A message or a chat, as in the inbox's routes and in events. */
interface Shown {
  messageId?: string;
  conversationId: string;
  status?: string;
  chatId?: string;
  mergedInto?: string | null;
  revision?: number;
}

interface Event {
  event: string;
  payload: Shown & {
    payloadUrl?: string;
    erased?: true;
    sessionId?: string;
    finishedAt?: string | null;
    importedInAll?: number;
    conversationIds?: string[];
    conversations?: { conversationId: string; partedFrom: string | null }[];
  };
}

type Page = { nextCursor: string | null; syncing: boolean } & Record<string, Shown[]>;

class Refused extends Error {
  readonly status: number;

  constructor(status: number, text: string) {
    super(`The engine answered ${status}: ${text}`);
    this.status = status;
  }
}

/**
 * A copy of a tenant's inbox in a file. One transaction writes each step and the place of the next one, so you may kill
 * the program at any time and start it again.
 */
export class Mirror {
  readonly #options: Options;
  readonly #db: DatabaseSync;

  constructor(options: Options) {
    this.#options = options;
    this.#db = new DatabaseSync(options.file);
    this.#db.exec(`
      create table if not exists place (cursor text not null);
      create table if not exists session (id text primary key, is_read integer not null default 0,
        imported integer not null default 0);
      create table if not exists conversation (id text primary key, json text, merged_into text,
        revision integer not null default 0, is_read integer not null default 0);
      create table if not exists message (id text primary key, conversation_id text not null, json text not null,
        revision integer not null default 0)`);
  }

  /** Makes the next step: begins, reads existing chats, or applies the next events. */
  async step(waitSeconds = 20): Promise<'began' | 'read' | 'pulled' | 'nothing'> {
    const cursor = this.#first('select cursor as value from place');
    if (cursor === undefined) return this.#begin();
    const session = this.#first('select id as value from session where is_read = 0');
    if (session !== undefined) return this.#readChats(session);
    const unread = 'select id as value from conversation where is_read = 0 and merged_into is null';
    const conversation = this.#first(unread);
    if (conversation !== undefined) return this.#readMessages(conversation);
    return this.#pull(cursor, waitSeconds);
  }

  /** Requests the events and takes a cursor before it reads: later changes come after the cursor. */
  async #begin(): Promise<'began'> {
    const { tenantId } = this.#options;
    await this.#ask('PUT', '/webhooks/mirror', { tenantIds: [tenantId] });
    const now = { after: 'start', since: new Date().toISOString(), limit: '1' };
    const { nextCursor }: { nextCursor: string } = await this.#get('/webhooks/events', now);
    const sessions: { id: string }[] = await this.#get('/sessions', { tenantId, limit: '500' });
    this.#write(() => {
      for (const table of ['session', 'conversation', 'message']) this.#db.exec(`delete from ${table}`);
      for (const { id } of sessions) this.#db.prepare('insert into session (id) values (?)').run(id);
      this.#db.prepare('insert into place (cursor) values (?)').run(nextCursor);
    });
    return 'began';
  }

  async #readChats(session: string): Promise<'read'> {
    const chats = await this.#readAll('/inbox/chats', { name: 'chats', query: { session } });
    this.#write(() => {
      for (const chat of chats) this.#putConversation(chat);
      this.#db.prepare('update session set is_read = 1 where id = ?').run(session);
    });
    return 'read';
  }

  async #readMessages(conversationId: string): Promise<'read'> {
    const path = `/inbox/conversations/${conversationId}/messages`;
    const messages = await this.#readAll(path, { name: 'messages', query: {} });
    this.#write(() => {
      for (const message of messages) this.#putMessage({ ...message, conversationId });
      this.#db.prepare('update conversation set is_read = 1 where id = ?').run(conversationId);
    });
    return 'read';
  }

  async #pull(after: string, waitSeconds: number): Promise<'began' | 'pulled' | 'nothing'> {
    const { tenantId } = this.#options;
    const query = { tenantId, after, wait: String(waitSeconds), limit: '100' };
    try {
      const page: { events: { body: string }[]; nextCursor: string } = await this.#get('/webhooks/events', query);
      const events = await Promise.all(page.events.map(({ body }) => wholeOf(body)));
      this.#write(() => {
        for (const event of events) this.apply(event);
        this.#db.prepare('update place set cursor = ?').run(page.nextCursor);
      });
      return events.length > 0 ? 'pulled' : 'nothing';
    } catch (error) {
      if (!(error instanceof Refused) || error.status !== 410) throw error;
      // Events after the cursor were deleted, or the engine was restored from a backup: begin again.
      this.#db.exec('delete from place');
      return 'began';
    }
  }

  /** Applies an event if it is newer than the row, so any event may arrive twice and late. */
  apply({ event, payload }: Event): void {
    // The person's data was erased since.
    if (payload.erased) return;
    if (event === 'message.any' || event === 'message.updated') {
      // A later step reads the messages of a new conversation.
      this.#db.prepare('insert or ignore into conversation (id) values (?)').run(payload.conversationId);
      this.#putMessage(payload);
    } else if (event === 'message.deleted') {
      this.#putMessage({ ...payload, status: 'deleted' });
    } else if (event === 'conversation.updated') {
      this.#putConversation(payload);
    } else if (event === 'contact.erased') {
      for (const id of payload.conversationIds ?? []) {
        this.#db.prepare('delete from message where conversation_id = ?').run(id);
        this.#db.prepare('delete from conversation where id = ?').run(id);
      }
    } else if (event === 'sync.progress' && payload.finishedAt) {
      this.#readAgain(payload.sessionId ?? '', payload.importedInAll ?? 0);
    } else if (event === 'contact.unmerged') {
      // Each message is in one of the two conversations again.
      const parted = payload.conversations ?? [];
      for (const id of parted.flatMap(({ conversationId, partedFrom }) => [conversationId, partedFrom])) {
        this.#db.prepare('update conversation set is_read = 0 where id = ?').run(id);
      }
    }
  }

  /** No event reports the messages of the history, so the session is read again. */
  #readAgain(session: string, imported: number): void {
    this.#db.prepare('insert or ignore into session (id) values (?)').run(session);
    const news = this.#db.prepare(
      'update session set is_read = 0, imported = :imported where id = :id and imported < :imported',
    );
    if (news.run({ id: session, imported }).changes === 0) return;
    this.#db.prepare(`update conversation set is_read = 0 where json ->> '$.sessionId' = ?`).run(session);
  }

  /** Data from a read has no revision, and keeps the row's: earlier events may still arrive. */
  #putMessage(message: Shown): void {
    const { messageId = '', conversationId, revision = null } = message;
    this.#db
      .prepare(
        `insert into message (id, conversation_id, json, revision) values (:id, :of, :json, coalesce(:revision, 0))
         on conflict (id) do update set conversation_id = :of, json = :json, revision = coalesce(:revision, revision)
         where :revision is null or :revision > revision`,
      )
      .run({ id: messageId, of: conversationId, json: JSON.stringify(message), revision });
  }

  /** A new address changes the messages of a chat, too: they are read again. */
  #putConversation(conversation: Shown): void {
    const { conversationId, chatId = null, mergedInto = null, revision = null } = conversation;
    this.#db
      .prepare(`update conversation set is_read = 0 where id = :into or (id = :id and json ->> '$.chatId' <> :chatId)`)
      .run({ id: conversationId, into: mergedInto, chatId });
    this.#db
      .prepare(
        `insert into conversation (id, json, merged_into, revision) values (:id, :json, :into, coalesce(:revision, 0))
         on conflict (id) do update set json = :json, merged_into = :into, revision = coalesce(:revision, revision)
         where :revision is null or :revision > revision`,
      )
      .run({ id: conversationId, json: JSON.stringify(conversation), into: mergedInto, revision });
  }

  /** The chats, as a fresh read shows them. */
  chats(): Shown[] {
    const found = this.#db.prepare(`select json from conversation
      where merged_into is null and json ->> '$.lastMessage' is not null order by json ->> '$.lastMessage.timestamp' desc`);
    return found.all().map(({ json }) => JSON.parse(String(json)));
  }

  /** The messages of a chat, with those of conversations that were merged into it. */
  messages(conversationId: string): Shown[] {
    const found = this.#db.prepare(`select m.json from message m join conversation c on c.id = m.conversation_id
      where coalesce(c.merged_into, c.id) = ? and m.json ->> '$.status' not in ('scheduled', 'deleted')
      order by m.json ->> '$.timestamp' desc, m.id desc`);
    return found.all(conversationId).map(({ json }) => JSON.parse(String(json)));
  }

  close(): void {
    this.#db.close();
  }

  /** Reads a list to its end, and again while the engine still fetches older messages. */
  async #readAll(path: string, { name, query }: { name: string; query: Record<string, string> }): Promise<Shown[]> {
    const first = { ...query, tenantId: this.#options.tenantId, limit: '200' };
    for (;;) {
      const all: Shown[] = [];
      let isSyncing = false;
      for (let cursor: string | null = ''; cursor !== null;) {
        const page: Page = await this.#get(path, cursor === '' ? first : { ...first, cursor });
        all.push(...(page[name] ?? []));
        isSyncing ||= page.syncing;
        cursor = page.nextCursor;
      }
      if (!isSyncing) return all;
      await pause(1_000);
    }
  }

  #get<Answer>(path: string, query: Record<string, string>): Promise<Answer> {
    return this.#ask('GET', `${path}?${new URLSearchParams(query).toString()}`);
  }

  async #ask<Answer>(method: string, path: string, body?: object): Promise<Answer> {
    const { url, key } = this.#options;
    for (;;) {
      const headers = { 'x-api-key': key, ...(body ? { 'content-type': 'application/json' } : {}) };
      const response = await fetch(`${url}/api/v1${path}`, {
        method,
        headers,
        ...(body ? { body: JSON.stringify(body) } : {}),
      });
      const text = await response.text();
      if (response.ok) return JSON.parse(text);
      if (response.status !== 429 && response.status < 500) throw new Refused(response.status, text);
      await pause(1_000 * Number(response.headers.get('retry-after') ?? 1));
    }
  }

  #first(query: string): string | undefined {
    const row = this.#db.prepare(`${query} limit 1`).get();
    return row === undefined ? undefined : String(row['value']);
  }

  #write(work: () => void): void {
    this.#db.exec('begin');
    try {
      work();
      this.#db.exec('commit');
    } catch (error) {
      this.#db.exec('rollback');
      throw error;
    }
  }
}

/** Fetches an event that is too large to be posted. */
async function wholeOf(body: string): Promise<Event> {
  const event: Event = JSON.parse(body);
  if (event.payload.payloadUrl === undefined) return event;
  const response = await fetch(event.payload.payloadUrl);
  if (!response.ok) throw new Error(`An event could not be read: ${response.status}.`);
  return JSON.parse(await response.text());
}

if (import.meta.main) {
  const { URL: url, KEY: key, TENANT: tenantId = 'shop', FILE: file = 'mirror.db' } = process.env;
  if (!url || !key) throw new Error('Set URL and KEY: eval "$(./engine env)" does.');
  const mirror = new Mirror({ url, key, tenantId, file });
  for (;;) {
    const done = await mirror.step().catch(async (error: unknown) => {
      // A revoked key stays invalid.
      if (error instanceof Refused && [401, 403].includes(error.status)) throw error;
      // The error of `fetch` does not name the address.
      const isUnreached = error instanceof TypeError && error.cause !== undefined;
      if (isUnreached)
        console.error(`${url} does not answer. Is the engine running, and at this address? Trying again.`);
      else console.error(error instanceof Error ? error.message : error);
      await pause(2_000);
    });
    if (done === 'pulled' || done === 'read') console.log(done, mirror.chats().length, 'chats');
    // A read costs three of a key's ten units a second. The pause leaves the rest for your other requests.
    if (done === 'read') await pause(500);
  }
}
