import { z } from 'zod';
import { Target } from '../scope.ts';

/** The console shows all of them at once, and filters them while somebody types. */
export const MAX_CANNED_ANSWERS = 500;
const MAX_TEXT = 4_096;

/** Stored in lower case, so that one shortcut cannot exist twice. */
export const Shortcut = z
  .string()
  .regex(/^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$/, 'must be 1 to 64 letters, digits, hyphens or underscores')
  .toLowerCase()
  .meta({
    description: 'The word that inserts the text after `/`, stored in lower case.',
    examples: ['opening-hours'],
  });

const AnswerText = z
  .string()
  .max(MAX_TEXT)
  .refine((text) => text.trim() !== '', 'must not be empty')
  .meta({
    description:
      `The text, at most ${MAX_TEXT} characters. The console replaces \`{name}\`, \`{first_name}\`, \`{phone}\` and ` +
      '`{me}` before a person sends it.',
    examples: ['Hello {first_name}, we are open from nine to six.'],
  });

export const SetCannedAnswer = z
  .strictObject({ ...Target, text: AnswerText })
  .meta({ id: 'SetCannedAnswer', description: 'The text of a canned answer.' });

export const CannedAnswer = z
  .object({
    shortcut: Shortcut,
    text: z.string().meta({ description: 'The text with its placeholders, as it was set.' }),
    updatedAt: z.iso.datetime().meta({ description: 'When it was last set.' }),
  })
  .meta({ id: 'CannedAnswer', description: 'A text that people of a tenant use in their answers.' });
