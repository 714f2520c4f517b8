import { z } from 'zod';
import { explained } from '../explained.ts';
import { ContactId } from '../ids.ts';
import { REVOKED_BY, REVOKED_BY_TEXTS } from '../network/message-change.ts';
import { By } from './shown-content.ts';

export const revokedByField = z
  .enum(REVOKED_BY)
  .meta({ description: explained('The person who deleted it.', REVOKED_BY_TEXTS) });

/** Fields that say what became of a message after it was said; missing where nothing did. */
export const changeFields = {
  edited: z
    .object({
      at: z.iso.datetime().meta({ description: 'When the newest edit was made.' }),
      versions: z
        .array(
          z.object({
            body: z.string().meta({ description: 'The text of this version.' }),
            at: z.iso.datetime().meta({ description: 'When it was written.' }),
          }),
        )
        .meta({ description: 'All versions of the text, the first one first; the last one is `body`.' }),
    })
    .optional()
    .meta({ description: 'Its edits. Missing if it was never edited.' }),
  revokedAt: z.iso
    .datetime()
    .optional()
    .meta({
      description:
        'When the engine learned that it was deleted for everyone; its text and its file are no longer shown. ' +
        'Missing otherwise.',
    }),
  revokedBy: revokedByField.optional(),
  reactions: z
    .array(
      By.extend({
        contactId: ContactId.nullable().meta({ description: 'The contact who reacted. Null if that is not known.' }),
        emoji: z.string().meta({ description: 'The emoji.' }),
        at: z.iso.datetime().meta({ description: 'When the reaction was made.' }),
      }),
    )
    .optional()
    .meta({
      description: 'The latest reaction of each person, up to the newest 100. Missing if there is none.',
    }),
  moreReactions: z
    .int()
    .min(1)
    .optional()
    .meta({ description: 'How many more people have reacted than are listed. Missing if all are listed.' }),
};
/** The fields that the API shows of a message's changes. */
export type ShownChanges = Partial<{ [Field in keyof typeof changeFields]: z.infer<(typeof changeFields)[Field]> }>;
