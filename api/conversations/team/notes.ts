import { z } from 'zod';
import { recordChange } from '../../../db/audit.ts';
import { findContactId, isContactInScope } from '../../../db/conversations/contact.ts';
import { findConversationInScope } from '../../../db/conversations/conversation.ts';
import { noteColleagues } from '../../../db/conversations/team/colleagues.ts';
import {
  addNote,
  changeNote,
  deleteNote,
  findNote,
  holdContact,
  listNotes,
} from '../../../db/conversations/team/notes.ts';
import type { NoteRow } from '../../../db/conversations/team/notes.ts';
import type { Queries, Tx } from '../../../db/engine/tx.ts';
import { invalid, notFound } from '../../../domain/error.ts';
import { ContactId, NoteId } from '../../../domain/ids.ts';
import { ChangeNote, CreateNote, Note } from '../../../domain/inbox/note.ts';
import type { Scope } from '../../../domain/scope.ts';
import { defineRoute } from '../../deps.ts';
import { actingAs } from '../../route/caller.ts';
import { NoContent } from '../../wire/answer.ts';
import { cursorOf, HasMore, Limit, NextCursor, nextPage, pageOf } from '../../wire/page.ts';

const Cursor = cursorOf<string>({ read: (text) => (text.startsWith('nte_') ? text : undefined), write: (id) => id });
const NotePath = z.object({ id: NoteId });

export const noteRoutes = [
  defineRoute({
    method: 'GET',
    path: '/api/v1/notes',
    auth: 'tenant',
    scope: 'read',
    operationId: 'notes.list',
    summary: "List the team's notes about a contact",
    description: 'Returns the newest first. If the contact is not known, the list is empty.',
    query: z.object({
      contactId: ContactId,
      limit: Limit,
      cursor: nextPage(Cursor),
    }),
    reply: z.object({
      notes: z.array(Note).meta({ description: 'The notes on this page.' }),
      hasMore: HasMore,
      nextCursor: NextCursor,
    }),
    async handle({ scope, query: { contactId: named, limit, cursor: after = null } }, { database }) {
      const found = await database.read(async (queries) => {
        const contactId = await findInScope(queries, scope, named);
        return contactId === null ? [] : listNotes(queries, scope, { contactId, after, limit: limit + 1 });
      });
      const { rows, ...page } = pageOf(found, limit, ({ id }) => Cursor.encode(id));
      return { notes: rows.map(toNote), ...page };
    },
  }),

  defineRoute({
    method: 'POST',
    path: '/api/v1/notes',
    auth: 'tenant',
    scope: 'send',
    operationId: 'notes.create',
    summary: 'Add a note about a contact',
    description:
      'Only the team sees notes: they reach neither the contact nor the AI agent, and no event contains them. They ' +
      'stay with the contact through a merge, and an erasure deletes them.',
    body: CreateNote,
    status: 201,
    reply: Note,
    idempotent: true,
    errors: ['not_found'],
    async handle({ scope, body, caller, commit }) {
      return commit.transaction(async (tx) => {
        const contactId = await contactOf(tx, scope, body);
        const author = actingAs(caller, body.author) ?? null;
        const note = await addNote(tx, scope, { contactId, text: body.text, author });
        await noteColleagues(tx, scope, [author]);
        const change = { of: scope, object: 'note', objectId: note.id, action: 'created' } as const;
        await recordChange(tx, change, { ...caller, actor: author ?? undefined });
        return toNote(note);
      });
    },
  }),

  defineRoute({
    method: 'PATCH',
    path: '/api/v1/notes/:id',
    auth: 'tenant',
    scope: 'send',
    operationId: 'notes.change',
    summary: 'Change the text of a note',
    description: 'The author stays. The audit log names who changed it.',
    params: NotePath,
    body: ChangeNote,
    reply: Note,
    errors: ['not_found'],
    async handle({ scope, params, body: { text }, caller }, { database }) {
      return database.transaction(async (tx) => {
        const note = await noteInScope(tx, scope, params.id);
        if (!(await changeNote(tx, note, text))) throw notFound('note');
        await recordChange(tx, { of: scope, object: 'note', objectId: note.id, action: 'changed' }, caller);
        return toNote({ ...note, text, updatedAt: tx.now });
      });
    },
  }),

  defineRoute({
    method: 'DELETE',
    path: '/api/v1/notes/:id',
    auth: 'tenant',
    scope: 'send',
    operationId: 'notes.delete',
    summary: 'Delete a note',
    params: NotePath,
    status: 204,
    reply: NoContent,
    errors: ['not_found'],
    async handle({ scope, params, caller }, { database }) {
      await database.transaction(async (tx) => {
        const note = await noteInScope(tx, scope, params.id);
        if (!(await deleteNote(tx, note))) throw notFound('note');
        await recordChange(tx, { of: scope, object: 'note', objectId: note.id, action: 'deleted' }, caller);
      });
      return undefined;
    },
  }),
];

/** Null for a contact that is not known, and for one that the scope does not reach. */
async function findInScope(queries: Queries, scope: Scope, named: string): Promise<string | null> {
  const contactId = await findContactId(queries, scope, { contactId: named });
  return contactId !== null && (await isContactInScope(queries, scope, contactId)) ? contactId : null;
}

/** Holds the contact of a new note: the named one, which must be that of the conversation if both are named. */
async function contactOf(
  tx: Tx,
  scope: Scope,
  { contactId: named, conversationId }: { contactId?: string | undefined; conversationId?: string | undefined },
): Promise<string> {
  const given = named === undefined ? undefined : await findInScope(tx, scope, named);
  if (given === null) throw notFound('contact', '/contactId');
  const talked = conversationId === undefined ? undefined : await contactOfTalk(tx, scope, conversationId);
  const contactId = given ?? talked;
  if (contactId === undefined) throw invalid({ pointer: '/contactId', message: 'is required without conversationId' });
  if (talked !== undefined && talked !== contactId) throw notFound('contact', '/contactId');
  const held = await holdContact(tx, contactId);
  if (held === undefined) throw notFound('contact', '/contactId');
  return held;
}

async function contactOfTalk(tx: Tx, scope: Scope, conversationId: string): Promise<string> {
  const conversation = await findConversationInScope(tx, scope, conversationId);
  if (!conversation) throw notFound('conversation', '/conversationId');
  const { contactId = null } = conversation;
  if (contactId === null) throw invalid({ pointer: '/conversationId', message: 'is a group: name the contact' });
  return contactId;
}

async function noteInScope(tx: Tx, scope: Scope, id: string): Promise<NoteRow> {
  const note = await findNote(tx, scope, id);
  if (!note || !(await isContactInScope(tx, scope, note.contactId))) throw notFound('note');
  return note;
}

function toNote({ createdAt, updatedAt, ...row }: NoteRow): Note {
  return { ...row, createdAt: createdAt.toISOString(), updatedAt: updatedAt.toISOString() };
}
