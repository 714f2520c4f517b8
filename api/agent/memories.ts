import { z } from 'zod';
import { findContactId, isContactInScope } from '../../db/conversations/contact.ts';
import { findConversationInScope } from '../../db/conversations/conversation.ts';
import type { Queries, Tx } from '../../db/engine/tx.ts';
import { forgetMemory } from '../../db/agent/forget-memory.ts';
import { findMemory, keepMemory, listMemories, lockEvidence, lockMemories } from '../../db/agent/memory.ts';
import type { Memory as MemoryRow, MemoryOwner } from '../../db/agent/memory.ts';
import { recordChange } from '../../db/audit.ts';
import { findMessageInScope } from '../../db/conversations/message.ts';
import { invalid, notFound } from '../../domain/error.ts';
import { CreateMemory, ListMemories, Memory } from '../../domain/agent/memory.ts';
import type { Scope } from '../../domain/scope.ts';
import { answer, NoContent } from '../wire/answer.ts';
import { defineRoute } from '../deps.ts';
import { requireKeyScope } from '../route/key-scope.ts';
import type { ApiDeps } from '../deps.ts';
import { isoOrNull } from '../wire/iso-time.ts';
import { cursorOf, HasMore, NextCursor, nextPage, pageOf } from '../wire/page.ts';
import { addressBook } from '../sending/recipient.ts';
import { MemoryId } from '../../domain/ids.ts';

const Cursor = cursorOf<string>({ read: (text) => (text.startsWith('mem_') ? text : undefined), write: (id) => id });

export const memoryRoutes = [
  defineRoute({
    method: 'GET',
    path: '/api/v1/memories',
    auth: 'tenant',
    scope: 'read',
    operationId: 'memories.list',
    summary: 'List facts about a contact or the tenant',
    description:
      'Returns the newest first. Facts that a later fact replaced are omitted unless you set ' +
      '`includeSuperseded`; expired facts are never listed.\n\nIf the contact is not known, the list is ' +
      'empty.',
    query: ListMemories.extend({ cursor: nextPage(Cursor) }),
    reply: z.object({
      memories: z.array(Memory).meta({ description: 'The facts on this page.' }),
      hasMore: HasMore,
      nextCursor: NextCursor,
    }),
    errors: ['invalid_recipient'],
    async handle({ scope, query }, deps) {
      const { category = null, includeSuperseded, limit, cursor: after = null } = query;
      const named = await namedBy(deps, scope, query.contactId, 'query/contactId');
      const found = await deps.database.read(async (queries) => {
        const contactId = await findContactIn(queries, scope, named);
        if (named !== null && contactId === null) return [];
        const owner = ownedBy(scope, contactId);
        return listMemories(queries, owner, { category, includeSuperseded, limit: limit + 1, after });
      });
      const { rows, ...page } = pageOf(found, limit, ({ id }) => Cursor.encode(id));
      return { memories: rows.map(toMemory), ...page };
    },
  }),

  defineRoute({
    method: 'POST',
    path: '/api/v1/memories',
    auth: 'tenant',
    scope: 'send',
    operationId: 'memories.create',
    summary: 'Add a fact about a contact or tenant',
    description:
      'Adds a fact, or returns the known fact that says the same (200). A known fact that the agent had ' +
      'extracted becomes yours.\n\nCase and punctuation do not count. The known fact stays valid as long as ' +
      'either of the two would. Your source, category, confidence, evidence and expiry replace the ' +
      "agent's. The agent sees facts as quoted data: they inform it and do not instruct it. Facts that the " +
      'agent extracts itself pass rules that keep out anything that reads like an order, a right or a ' +
      'price of yours. Rules reduce this but do not prevent it in every language, so such a fact never ' +
      'decides what the business grants. The agent keeps at most 100 extracted facts per contact.',
    body: CreateMemory,
    status: 201,
    statuses: { 200: 'It was already known.' },
    reply: Memory,
    idempotent: true,
    errors: ['not_found', 'invalid_recipient', 'forbidden'],
    async handle({ scope, body, caller, commit }, deps) {
      // A fact about the tenant is part of every prompt, also in sessions that the key does not act for.
      if (body.contactId === undefined && body.conversationId === undefined) requireKeyScope(caller, 'ai:admin');
      const named = await namedBy(deps, scope, body.contactId, '/contactId');
      return commit.transaction(async (tx) => {
        // The contact is read here, because two contacts may turn out to be one before the transaction begins.
        const contactId = await contactOf(tx, scope, named, body.conversationId);
        const owner = ownedBy(scope, contactId);
        await lockMemories(tx, owner);
        const evidenceMessageId = await checkEvidence(tx, scope, contactId, body.evidenceMessageId);
        await checkSuperseded(tx, scope, owner, body.supersedes);
        const expiresAt = body.expiresAt === undefined ? null : new Date(body.expiresAt);
        if (expiresAt && expiresAt <= tx.now) {
          throw invalid({ pointer: '/expiresAt', message: 'must be in the future' });
        }
        const { id, isNew } = await keepMemory(tx, owner, {
          fact: body.fact,
          category: body.category,
          source: body.source,
          evidenceMessageId,
          turnId: null,
          confidence: body.confidence ?? null,
          expiresAt,
          supersedes: body.supersedes ?? null,
        });
        const action = isNew ? 'created' : 'changed';
        await recordChange(tx, { of: scope, object: 'memory', objectId: id, action }, caller);
        const memory = await findMemory(tx, scope, id);
        if (!memory) throw new Error('The memory that was just kept is not there.');
        return answer(isNew ? 201 : 200, toMemory(memory));
      });
    },
  }),

  defineRoute({
    method: 'DELETE',
    path: '/api/v1/memories/:id',
    auth: 'tenant',
    scope: 'send',
    operationId: 'memories.delete',
    summary: 'Delete a fact',
    description: 'Also deletes the facts that it replaced.',
    params: z.object({ id: MemoryId }),
    status: 204,
    reply: NoContent,
    errors: ['not_found', 'forbidden'],
    async handle({ scope, params, caller }, { database }) {
      const forgotten = await database.transaction(async (tx) => {
        const memory = await findMemory(tx, scope, params.id);
        if (memory === null) return false;
        const { contactId = null } = memory;
        if (contactId === null) requireKeyScope(caller, 'ai:admin');
        else if (!(await isContactInScope(tx, scope, contactId))) return false;
        const isForgotten = await forgetMemory(tx, scope, params.id);
        const change = { of: scope, object: 'memory', objectId: params.id, action: 'deleted' } as const;
        if (isForgotten) await recordChange(tx, change, caller);
        return isForgotten;
      });
      if (!forgotten) throw notFound('memory');
      return undefined;
    },
  }),
];

type Named = { contactId: string } | { chatId: string } | null;

/** Returns the contact that the request names, or null when it names none. */
async function namedBy({ database }: ApiDeps, scope: Scope, ref: string | undefined, pointer: string): Promise<Named> {
  if (ref === undefined) return null;
  return ref.startsWith('con_')
    ? { contactId: ref }
    : { chatId: await addressBook(database, scope).chatIdOf(ref, pointer) };
}

async function contactIn(queries: Queries, scope: Scope, named: Named, pointer: string): Promise<string | null> {
  const contactId = await findContactIn(queries, scope, named);
  if (named !== null && contactId === null) throw notFound('contact', pointer);
  return contactId;
}

/** The contact that the fact is about: the named one, which must be that of the conversation if both are named. */
async function contactOf(tx: Tx, scope: Scope, named: Named, conversationId?: string): Promise<string | null> {
  const contactId = await contactIn(tx, scope, named, '/contactId');
  if (conversationId === undefined) return contactId;
  const conversation = await findConversationInScope(tx, scope, conversationId);
  if (!conversation) throw notFound('conversation', '/conversationId');
  const { contactId: theirs = null } = conversation;
  if (theirs === null) throw invalid({ pointer: '/conversationId', message: 'is a group: name the contact' });
  if (contactId !== null && contactId !== theirs) throw notFound('contact', '/contactId');
  return theirs;
}

/** Null when the request names no contact, and when it names one that the scope does not reach. */
async function findContactIn(queries: Queries, scope: Scope, named: Named): Promise<string | null> {
  const contactId = named && (await findContactId(queries, scope, named));
  return contactId !== null && (await isContactInScope(queries, scope, contactId)) ? contactId : null;
}

function ownedBy({ agencyId, tenantId }: Scope, contactId: string | null): MemoryOwner {
  return { agencyId, tenantId, contactId };
}

/** Returns the message's id of now: one that was shown while it was being matched may be a send since. */
async function checkEvidence(tx: Tx, scope: Scope, contactId: string | null, id?: string): Promise<string | null> {
  if (id === undefined) return null;
  const message = await findMessageInScope(tx, scope, id);
  if (!message) throw notFound('message', '/evidenceMessageId');
  const there = await lockEvidence(tx, [message.id]);
  const wrong =
    contactId !== null && message.contactId !== contactId
      ? 'is not a message with this contact'
      : !there.has(message.id) && 'was taken back by its sender';
  if (wrong) throw invalid({ pointer: '/evidenceMessageId', message: wrong });
  return message.id;
}

async function checkSuperseded(tx: Tx, scope: Scope, owner: MemoryOwner, id?: string): Promise<void> {
  if (id === undefined) return;
  const memory = await findMemory(tx, owner, id);
  // The key of a session must not learn which facts there are about contacts of other sessions.
  const contactId = memory?.contactId ?? null;
  const isHidden = contactId !== null && !(await isContactInScope(tx, scope, contactId));
  if (!memory || isHidden) throw notFound('memory', '/supersedes');
  const wrong =
    (memory.contactId ?? null) !== owner.contactId
      ? 'is not a memory of this contact'
      : memory.supersededBy && 'has already been superseded';
  if (wrong) throw invalid({ pointer: '/supersedes', message: wrong });
}

function toMemory(row: MemoryRow): Memory {
  return {
    id: row.id,
    agencyId: row.agencyId,
    tenantId: row.tenantId,
    contactId: row.contactId ?? null,
    fact: row.fact,
    category: row.category,
    source: row.source,
    evidenceMessageId: row.evidenceMessageId ?? null,
    confidence: row.confidence ?? null,
    expiresAt: isoOrNull(row.expiresAt),
    supersededBy: row.supersededBy ?? null,
    createdAt: row.createdAt.toISOString(),
  };
}
