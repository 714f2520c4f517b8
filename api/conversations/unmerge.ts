import { z } from 'zod';
import { unmergeContact } from '../../db/network/unmerge/unmerge.ts';
import { recordChange } from '../../db/audit.ts';
import { EngineError, notFound } from '../../domain/error.ts';
import { ContactId, ConversationId, SessionId } from '../../domain/ids.ts';
import { AgencyField } from '../../domain/scope.ts';
import { defineRoute } from '../deps.ts';
import { actingAs } from '../route/caller.ts';

const UnmergeContact = z
  .strictObject({
    agencyId: AgencyField,
    actor: z.string().min(1).max(128).optional().meta({ description: 'The person who says so, 1 to 128 characters.' }),
    reason: z.string().min(1).max(500).optional().meta({ description: 'Why, 1 to 500 characters, for the audit.' }),
  })
  .meta({ id: 'UnmergeContact', description: 'The person who undoes a merge of contacts, and the reason.' });

const ContactUnmerged = z
  .object({
    contactId: ContactId.meta({ description: 'The contact that stayed after the merge.' }),
    partedFrom: ContactId.nullable().meta({
      description: 'The contact that was merged away and exists again. Null if only conversations had been merged.',
    }),
    conversations: z
      .array(
        z.object({
          conversationId: ConversationId.meta({ description: 'A conversation of the contact that stayed.' }),
          sessionId: SessionId,
          partedFrom: ConversationId.nullable().meta({
            description:
              'The conversation that exists again. Null if this one only belongs to its former contact again.',
          }),
        }),
      )
      .meta({ description: 'The conversations that changed, in all sessions of the tenant.' }),
  })
  .meta({ id: 'ContactUnmerged', description: 'Two contacts that are no longer one person.' });

export const unmergeRoutes = [
  defineRoute({
    method: 'POST',
    path: '/api/v1/contacts/:contactId/unmerge',
    auth: 'agency',
    scope: 'send',
    operationId: 'contacts.unmerge',
    summary: 'Undo a merge of two contacts',
    description:
      'Undoes a merge of two contacts and restores their data. Messages that arrived after the merge stay ' +
      'with the person of their address.\n\nIt restores names, addresses, memories, conversations with ' +
      'messages and queues, and handovers. Messages sent since the merge stay in their conversation. The ' +
      'path names the contact that was merged away (`mergedFrom` of `contact.merged`), or the one that ' +
      'stayed, whose newest merge is then undone. The two are never merged again. Assignments are restored ' +
      'unless they have changed since; in that case the change applies to both. Event: `contact.unmerged`.',
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
              `It has since been merged into ${unmerged.into}: undo that merge first.`,
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
              { keyId: caller.keyId, actor: actingAs(caller, body.actor), reason: body.reason },
            );
            return parted;
          }
        }
      }),
  }),
];
