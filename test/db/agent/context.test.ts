import { beforeAll, describe, expect, it } from '@jest/globals';
import { sql } from 'kysely';
import { loadContext } from '../../../db/agent/context.ts';
import type { ContextScope } from '../../../db/agent/context.ts';
import type { Database } from '../../../db/engine/database.ts';
import { buildPrompt, promptText } from '../../../domain/agent/prompt/prompt.ts';
import { defaultPersona } from '../../../domain/agent/sales-agent.ts';
import { addRow, changeRows, json, rowsOf } from '../../support/rows.ts';
import { databaseOfThisFile } from '../database-of-this-file.ts';

/** People of each tenant; those of the first have a conversation in each of its two sessions. */
const PEOPLE = 250;
const AT_ONCE = 10;

type Talk = ContextScope & { contactId: string; allowed: string[] };

/**
 * Four sessions of three tenants. Every message, memory, name and fact has a word that stands nowhere else, and contacts
 * ask for each other by name, number and id.
 */
async function seedCanaries(database: Database): Promise<void> {
  await rowsOf(
    database,
    sql`
      with tenants as (
        insert into tenant (agency_id, id) values ('a1', 't1'), ('a1', 't2'), ('a2', 't1')
        on conflict (agency_id, id) do update set ai_enabled = true returning agency_id, id
      ), sessions as (
        insert into session (id, agency_id, tenant_id, name, status)
        values ('ses_1', 'a1', 't1', 's1', 'WORKING'), ('ses_2', 'a1', 't1', 's2', 'WORKING'),
          ('ses_3', 'a1', 't2', 's3', 'WORKING'), ('ses_4', 'a2', 't1', 's4', 'WORKING') returning id, agency_id, tenant_id
      ), people as (
        insert into contact (id, agency_id, tenant_id, chat_id, push_name)
        select 'con_' || t.agency_id || t.id || n, t.agency_id, t.id, '1555' || 1000000 + n || '@c.us',
          'NAMEOF' || t.agency_id || t.id || 'n' || n || 'x'
        from tenants t, generate_series(1, ${PEOPLE}) n returning id, agency_id, tenant_id, chat_id, push_name
      ), talks as (
        insert into conversation (id, agency_id, tenant_id, session_id, chat_id, contact_id)
        select 'cnv_' || s.id || p.id, p.agency_id, p.tenant_id, s.id, p.chat_id, p.id
        from people p join sessions s on s.agency_id = p.agency_id and s.tenant_id = p.tenant_id
        returning id, agency_id, tenant_id, session_id, contact_id, chat_id
      ), messages as (
        insert into message (id, agency_id, tenant_id, session_id, conversation_id, contact_id, direction, origin, kind,
          body, occurred_at, status)
        select 'msg_' || t.id || n, t.agency_id, t.tenant_id, t.session_id, t.id, t.contact_id,
          case when n = 2 then 'out' else 'in' end, 'network', 'text',
          'SAIDIN' || t.id || 'x What did ' || other.id || ' (' || other.chat_id || ') of ' || other.agency_id || '/'
            || other.tenant_id || ' in conversation cnv_ses_1' || other.id || ' tell you?',
          clock_timestamp() + n * interval '1 second', case when n = 2 then 'sent' else 'received' end
        from talks t, generate_series(1, 3) n, lateral (
          select * from people p order by p.id > t.contact_id desc, p.id limit 1) other
      ), memories as (
        insert into memory (id, agency_id, tenant_id, contact_id, fact, fact_key, category, source, created_at)
        select 'mem_' || p.id || n, p.agency_id, p.tenant_id, p.id, 'KNOWNOF' || p.id || 'x' || n, 'k' || p.id || n,
          'context', 'manual', clock_timestamp() from people p, generate_series(1, 2) n
      )
      insert into memory (id, agency_id, tenant_id, contact_id, fact, fact_key, category, source, created_at)
      select 'mem_' || agency_id || id, agency_id, id, null, 'FACTOF' || agency_id || id || 'x', 'f', 'context', 'manual',
        clock_timestamp() from tenants`,
  );
}

const CANARY = /(?:SAIDIN|KNOWNOF|NAMEOF|FACTOF)\w*?x/g;

const { database } = await databaseOfThisFile();

describe('the context of a conversation', () => {
  let talks: Talk[];

  beforeAll(async () => {
    await addRow(database, 'agency', { id: 'a2', dashboardName: 'Other' });
    await seedCanaries(database);
    talks = await rowsOf(
      database,
      sql<Talk>`
        select c.agency_id as "agencyId", c.tenant_id as "tenantId", c.session_id as "sessionId", c.id as "conversationId",
          c.contact_id as "contactId",
          array['SAIDIN' || c.id || 'x', 'KNOWNOF' || p.id || 'x', p.push_name, 'FACTOF' || c.agency_id || c.tenant_id || 'x'] as allowed
        from conversation c join contact p on p.id = c.contact_id where c.id like 'cnv_ses_%' order by c.id`,
    );
  });

  const load = (scope: ContextScope) => database.read((queries) => loadContext(queries, scope, 20));

  it('has everything of this conversation, its contact and its tenant, and nothing of anybody else, in a thousand of them', async () => {
    expect(talks).toHaveLength(4 * PEOPLE);
    const persona = defaultPersona('sandbox-model');
    const strays: string[] = [];
    for (let start = 0; start < talks.length; start += AT_ONCE) {
      await Promise.all(
        talks.slice(start, start + AT_ONCE).map(async ({ allowed, contactId, ...scope }) => {
          const context = await load(scope);
          if (!context) throw new Error('The conversation is there.');
          const found = new Set(promptText(buildPrompt(persona, context)).match(CANARY));
          strays.push(...[...found].filter((word) => !allowed.includes(word)));
          if (context.contactId !== contactId || found.size !== allowed.length) strays.push(`of ${contactId}`);
        }),
      );
    }
    expect(strays).toEqual([]);
  });

  it('tells how long a voice message is, where the network does', async () => {
    const [first] = talks;
    if (!first) throw new Error('There are conversations.');
    const voice = { url: null, mimeType: 'audio/ogg', fileName: null, error: null, seconds: 12 };
    await changeRows(
      database,
      'message',
      { kind: 'audio', body: '', media: json(voice) },
      { id: `msg_${first.conversationId}3` },
    );
    const context = await load(first);
    expect(context?.messages.at(-1)?.media?.seconds).toBe(12);
    if (!context) throw new Error('It is there.');
    expect(promptText(buildPrompt(defaultPersona('m'), context))).toContain('[voice message, 12 s]');
  });

  it('has what an automation has said, which the agent then does not say again', async () => {
    const [first] = talks;
    if (!first) throw new Error('There are conversations.');
    const greeting = { origin: 'automation', body: 'Welcome to our shop.' };
    await changeRows(database, 'message', greeting, { id: `msg_${first.conversationId}2` });
    const context = await load(first);
    if (!context) throw new Error('It is there.');
    expect(context.messages.map(({ body }) => body)).toContain('Welcome to our shop.');
    expect(promptText(buildPrompt(defaultPersona('m'), context))).toContain('Welcome to our shop.');
  });

  it('is that of nobody where session, tenant or agency are not those of the conversation', async () => {
    const [first] = talks;
    if (!first) throw new Error('There are conversations.');
    const { agencyId, tenantId, sessionId, conversationId } = first;
    const scope = { agencyId, tenantId, sessionId, conversationId };
    expect(await load(scope)).not.toBeNull();
    for (const wrong of [{ sessionId: 'ses_2' }, { tenantId: 't2' }, { agencyId: 'a2' }, { conversationId: 'cnv_x' }]) {
      expect(await load({ ...scope, ...wrong })).toBeNull();
    }
  });
});
