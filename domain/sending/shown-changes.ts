import { z } from 'zod';
import { explained } from '../explained.ts';
import { ContactId } from '../ids.ts';
import { REVOKED_BY, REVOKED_BY_TEXTS } from '../network/message-change.ts';
import { By } from './shown-content.ts';

export const revokedByField = z.enum(REVOKED_BY).meta({ description: explained('Who deleted it.', REVOKED_BY_TEXTS) });

/** Fields that say what became of a message after it was said; missing where nothing did. */
export const changeFields = {
  edited: z
    .object({
      at: z.iso.datetime().meta({ description: 'When the newest edit was made.' }),
      versions: z
        .array(
          z.object({
            body: z.string().meta({ description: 'The words of this version.' }),
            at: z.iso.datetime().meta({ description: 'When it was written.' }),
          }),
        )
        .meta({ description: 'What it has said so far, the first version first; the last one is `body`.' }),
    })
    .optional()
    .meta({ description: 'Its edits. Missing where it was never edited.' }),
  revokedAt: z.iso.datetime().optional().meta({
    description:
      'When the engine heard that it was deleted for everybody; its words and its file are not shown any more. Missing otherwise.',
  }),
  revokedBy: revokedByField.optional(),
  reactions: z
    .array(
      By.extend({
        contactId: ContactId.nullable().meta({ description: 'The contact who reacted. Null where that is not known.' }),
        emoji: z.string().meta({ description: 'The emoji.' }),
        at: z.iso.datetime().meta({ description: 'When it was put there.' }),
      }),
    )
    .optional()
    .meta({
      description: 'The latest reaction of each person, the newest 100 of them. Missing where there is none.',
    }),
  moreReactions: z
    .int()
    .min(1)
    .optional()
    .meta({ description: 'How many more people have reacted than are listed. Missing where all are listed.' }),
};
/** What the API shows of the changes of a message. */
export type ShownChanges = Partial<{ [Field in keyof typeof changeFields]: z.infer<(typeof changeFields)[Field]> }>;
