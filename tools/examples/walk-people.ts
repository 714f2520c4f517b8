import { sql } from 'kysely';
import { z } from 'zod';
import { eventually } from '../../test/support/eventually.ts';
import type { TestEngine } from '../../test/support/engine.ts';
import { untilRows } from '../../test/support/rows.ts';
import type { Notebook } from './notebook.ts';
import { tenantId } from './scene.ts';

const Chats = z.object({
  chats: z.array(
    z.object({
      chatId: z.string(),
      conversationId: z.string(),
      contactId: z.string().nullable(),
    }),
  ),
});

/** A group, and two contacts that turn out to be one person and are not. */
export async function onePerson(
  engine: TestEngine,
  notebook: Notebook,
  { key, session }: { key: string; session: { name: string } },
): Promise<void> {
  const find = (what: string, isIt: (chat: z.output<typeof Chats>['chats'][number]) => boolean) =>
    eventually(
      async () => {
        const { body } = await notebook.look('conversations.list', { key, query: { tenantId, limit: '100' } });
        return Chats.parse(body).chats.find(isIt);
      },
      { what },
    );
  const group = await find('a group', ({ chatId }) => chatId.endsWith('@g.us'));
  await notebook.ask('conversations.listParticipants', {
    key,
    params: { conversationId: group.conversationId },
    query: { tenantId },
  });

  const [phone, lid] = ['15550100041', '271828182845904@lid'];
  const write = (body: object) => engine.control('POST', `/sessions/${session.name}/inbound`, body);
  await write({ from: phone, text: 'Do you repair watches?' });
  await find('the phone', ({ chatId }) => chatId === `${phone}@c.us`);
  await write({ from: lid, text: 'Is my watch ready?' });
  const hidden = await find('the hidden id', ({ chatId }) => chatId === lid);
  await write({ from: phone, lid, text: 'Thank you!' });
  await untilRows(engine.database, sql`contact_merge where from_contact_id = ${hidden.contactId}`);
  await notebook.ask('contacts.unmerge', {
    key,
    params: { contactId: hidden.contactId ?? '' },
    body: { actor: 'maria', reason: 'The number has a new owner.' },
  });
  await erasePerson(engine, notebook, { key, contactId: hidden.contactId ?? '' });
}

const Begun = z.object({ id: z.string() });

/** The person of the hidden id wants to be forgotten. */
async function erasePerson(
  engine: TestEngine,
  notebook: Notebook,
  { key, contactId }: { key: string; contactId: string },
): Promise<void> {
  const begun = await notebook.ask('erasures.create', { key, params: { contactId }, body: { actor: 'maria' } });
  const { id } = Begun.parse(begun.body);
  await untilRows(engine.database, sql`erasure where id = ${id} and ended_at is not null`);
  await notebook.ask('erasures.read', { key, params: { id } });
  await notebook.ask('erasures.list', { key });
}

/** A tenant takes along all that it has. */
export async function exportTenant(engine: TestEngine, notebook: Notebook, key: string): Promise<void> {
  const begun = await notebook.ask('exports.create', { key, params: { tenantId }, body: { actor: 'maria' } });
  const { id } = Begun.parse(begun.body);
  await untilRows(engine.database, sql`tenant_export where id = ${id} and ended_at is not null`);
  await notebook.ask('exports.read', { key, params: { tenantId, id } });
  await notebook.ask('exports.list', { key, params: { tenantId } });
  await notebook.ask('executions.list', { key, query: { tenantId, limit: '3' } });
  await notebook.ask('exports.download', { key, params: { tenantId, id }, headers: { range: 'bytes=0-3' } });
  await notebook.ask('exports.delete', { key, params: { tenantId, id } });
}
