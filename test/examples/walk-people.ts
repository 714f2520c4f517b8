import { sql } from 'kysely';
import { z } from 'zod';
import { eventually } from '../support/eventually.ts';
import type { TestEngine } from '../support/engine.ts';
import { untilRows } from '../support/rows.ts';
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
}
