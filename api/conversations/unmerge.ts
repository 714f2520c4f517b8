import { z } from 'zod';
import { unmergeContact } from '../../db/network/unmerge.ts';
import { recordChange } from '../../db/tenants/audit.ts';
import { EngineError, notFound } from '../../domain/error.ts';
import { ContactId, ConversationId, SessionId } from '../../domain/ids.ts';
import { AgencyField } from '../../domain/scope.ts';
import { defineRoute } from '../deps.ts';

const UnmergeContact = z
  .strictObject({
    agencyId: AgencyField,
    actor: z.string().min(1).max(128).optional().meta({ description: 'Who says so, in 1 to 128 characters.' }),
    reason: z.string().min(1).max(500).optional().meta({ description: 'Why, in 1 to 500 characters, for the audit.' }),
  })
  .meta({ id: 'UnmergeContact', description: 'Who undoes a merge of contacts, and why.' });

const ContactUnmerged = z
  .object({
    contactId: ContactId.meta({ description: 'The contact that had stayed.' }),
    partedFrom: ContactId.nullable().meta({
      description: 'The contact that had gone and is there again. Null where only conversations had become one.',
    }),
    conversations: z
      .array(
        z.object({
          conversationId: ConversationId.meta({ description: 'A conversation of the contact that had stayed.' }),
          sessionId: SessionId,
          partedFrom: ConversationId.nullable().meta({
            description:
              'The conversation that is there again. Null where this one only belongs to its former contact again.',
          }),
        }),
      )
      .meta({ description: 'The conversations that changed, in all sessions of the tenant.' }),
  })
  .meta({ id: 'ContactUnmerged', description: 'Two contacts that are not one person any more.' });

export const unmergeRoutes = [
  defineRoute({
    method: 'POST',
    path: '/api/v1/contacts/:contactId/unmerge',
    auth: 'agency',
    scope: 'send',
    operationId: 'contacts.unmerge',
    summary: 'Say that two merged contacts are not one person',
    description:
      'Undoes a merge: names, addresses, memories, conversations with their messages and queues, and who had which ' +
      'conversation are as they were. What came after the merge stays with whom its own address says; what was sent ' +
      'since stays where it went. The path names the contact that went (`mergedFrom` of `contact.merged`), or the one ' +
      'that stayed, whose newest merge is undone then. The two are never merged again. Who has a conversation is ' +
      'restored unless somebody has changed it since; then it holds for both. Event: `contact.unmerged`.',
    params: z.object({ contactId: ContactId }),
    body: UnmergeContact,
    reply: ContactUnmerged,
    idempotent: true,
    errors: ['not_found', 'contact_not_merged', 'contact_merged_on'],
    handle: ({ caller, params: { contactId }, body, commit }) =>
      commit.transaction(async (tx) => {
        const { agencyId } = caller;
        const unmerged = await unmergeContact(tx, agencyId, contactId);
        switch (unmerged.outcome) {
          case 'unknown':
            throw notFound('contact');
          case 'not_merged':
            throw new EngineError('contact_not_merged', 'No merge of this contact can be undone.');
          case 'merged_on':
            throw new EngineError(
              'contact_merged_on',
              `It went on into ${unmerged.into} since: undo that merge first.`,
            );
          case 'parted': {
            const { tenantId, ...parted } = unmerged.parted;
            await recordChange(
              tx,
              {
                of: { agencyId, tenantId },
                object: 'contact',
                objectId: parted.partedFrom ?? parted.contactId,
                action: 'unmerged',
                detail: { contactId: parted.contactId },
              },
              { keyId: caller.keyId, actor: body.actor, reason: body.reason },
            );
            return parted;
          }
        }
      }),
  }),
];
