import { z } from 'zod';
import { ContactId, ConversationId, NoteId } from '../ids.ts';
import { Target } from '../scope.ts';

const MAX_NOTE = 4_000;

const Text = z
  .string()
  .trim()
  .min(1, 'must not be empty')
  .max(MAX_NOTE)
  .meta({ description: 'The text, 1 to 4,000 characters.' });

const Author = z.string().trim().min(1).max(128).optional().meta({
  description: 'The name of the author, 1 to 128 characters. Defaults to the header `X-Engine-Actor`.',
});

export const CreateNote = z
  .strictObject({
    ...Target,
    text: Text,
    contactId: ContactId.optional().meta({ description: 'The contact that the note is about.' }),
    conversationId: ConversationId.optional().meta({
      description: 'A conversation with the contact, in place of `contactId`.',
    }),
    author: Author,
  })
  .meta({ id: 'CreateNote', description: 'A note, its contact and its author.' });

export const ChangeNote = z
  .strictObject({ ...Target, text: Text })
  .meta({ id: 'ChangeNote', description: 'The new text of a note.' });

export const Note = z
  .object({
    id: NoteId,
    agencyId: z.string().meta({ description: 'The agency of the tenant.' }),
    tenantId: z.string().meta({ description: 'The tenant that the note belongs to.' }),
    contactId: ContactId,
    text: z.string().meta({ description: 'The text.' }),
    author: z.string().nullable().meta({ description: 'The name of the author. Null if none was given.' }),
    createdAt: z.iso.datetime().meta({ description: 'When it was written.' }),
    updatedAt: z.iso.datetime().meta({ description: 'When its text last changed.' }),
  })
  .meta({ id: 'Note', description: 'A note of the team about a contact. Only the team sees it.' });
export type Note = z.infer<typeof Note>;
