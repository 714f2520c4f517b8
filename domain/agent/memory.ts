import { z } from 'zod';
import { visible } from './reply/invisible.ts';
import { Target } from '../scope.ts';
import { ContactId, ConversationId, MemoryId, MessageId, PersonRef } from '../ids.ts';

export const MAX_FACT = 300;

/** Categories that the engine itself gives; callers may use their own. */
export const EXTRACTED_CATEGORIES = [
  'context',
  'need',
  'preference',
  'budget',
  'objection',
  'agreement',
  'personal',
  'company',
] as const;

/** The source of facts that the engine has extracted itself. */
export const AI_EXTRACTED = 'ai_extracted';

/** Whichever case it is written in, a slug is stored and compared in lower case. */
const Slug = z
  .string()
  .regex(/^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$/, 'must be 1 to 64 letters, digits, hyphens or underscores')
  .toLowerCase();

const Fact = z
  .string()
  .max(4 * MAX_FACT)
  .transform(cleanFact)
  .pipe(z.string().min(1, 'must not be empty').max(MAX_FACT))
  .meta({
    description: `At most ${MAX_FACT} characters. Line breaks become spaces; invisible characters are removed.`,
  });

const Category = Slug.meta({
  description: `Any slug, stored in lower case. Usual: ${EXTRACTED_CATEGORIES.map((name) => `\`${name}\``).join(', ')}.`,
});
const Source = Slug.meta({
  description: `Any slug, stored in lower case. Usual: \`${AI_EXTRACTED}\`, \`manual\`, \`import\`, \`crm\`. The engine's own agent uses \`${AI_EXTRACTED}\`.`,
});

const ContactRef = PersonRef.meta({
  description:
    'A contactId, phone number or chat id. Without it, the fact is about the tenant and part of every context.',
});

export const CreateMemory = z
  .strictObject({
    ...Target,
    fact: Fact,
    category: Category,
    source: Source,
    contactId: ContactRef.optional(),
    conversationId: ConversationId.optional().meta({
      description: 'A conversation with the contact that the fact is about, in place of `contactId`.',
    }),
    evidenceMessageId: MessageId.optional().meta({
      description: 'The message that says so. The memory is deleted with it.',
    }),
    confidence: z
      .number()
      .min(0)
      .max(1)
      .optional()
      .meta({ description: 'How certain it is, from 0 to 1. Omit it if not known.' }),
    expiresAt: z.iso.datetime({ offset: true }).optional().meta({
      description: 'From then on, the fact is neither listed nor shown to the agent.',
    }),
    supersedes: MemoryId.optional().meta({
      description: 'A memory of the same contact that is no longer true: it is kept, but no longer shown to the agent.',
    }),
  })
  .meta({ id: 'CreateMemory', description: 'A fact, whom it is about, and where it comes from.' });
export type CreateMemory = z.infer<typeof CreateMemory>;

export const ListMemories = z.object({
  contactId: ContactRef.optional().meta({
    description: 'A contactId, phone number or chat id. Without it, the facts about the tenant are listed.',
  }),
  category: Slug.optional().meta({ description: 'Only facts of this category.' }),
  includeSuperseded: z.stringbool().default(false).meta({ description: 'Also list facts that a later fact replaced.' }),
  limit: z.coerce.number().int().min(1).max(100).default(50).meta({ description: 'How many to list, from 1 to 100.' }),
});

export const Memory = z
  .object({
    id: MemoryId,
    agencyId: z.string().meta({ description: 'The agency of the tenant.' }),
    tenantId: z.string().meta({ description: 'The tenant that the fact belongs to.' }),
    contactId: ContactId.nullable().meta({
      description: 'The contact that it is about. Null for a fact about the tenant.',
    }),
    fact: z.string().meta({ description: 'The fact, on one line.' }),
    category: z.string().meta({ description: 'The kind of fact.' }),
    source: z.string().meta({ description: 'The source, such as `manual` or `ai_extracted`.' }),
    evidenceMessageId: MessageId.nullable().meta({
      description: 'The message that says so. Null if none is named.',
    }),
    confidence: z.number().nullable().meta({ description: 'How certain it is, from 0 to 1. Null if not known.' }),
    expiresAt: z.iso
      .datetime()
      .nullable()
      .meta({ description: 'Until when it is shown to the agent. Null means always.' }),
    supersededBy: MemoryId.nullable().meta({ description: 'The memory that replaced it. Null while it is valid.' }),
    createdAt: z.iso.datetime().meta({ description: 'When it was recorded.' }),
  })
  .meta({ id: 'Memory', description: 'A fact about a contact, or about the tenant.' });
export type Memory = z.infer<typeof Memory>;

/** Makes a fact one line, without the invisible characters that nobody sees but a model reads. */
export function cleanFact(fact: string): string {
  return visible(fact.normalize('NFC')).replaceAll(/\s+/gu, ' ').trim();
}

/**
 * Makes the key of a fact. Two facts with one key say the same; case, punctuation and variants of characters do not
 * count.
 */
export function factKey(fact: string): string {
  return wordsOf(fact).join(' ') || fact.normalize('NFKC').toLowerCase();
}

const ALIKE = 0.8;
/** Two facts that differ by a number or by one of these words say different things. */
const DECIDES =
  /\p{N}|^(not|no|never|none|without|t|nicht|kein\w*|nie|ohne|nunca|sin|ne|pas|jamais|sans|non|mai|senza|não|sem|niet|geen|nooit|не|нет|ни)$/u;

/** Tells whether nearly all words of two facts are the same. */
export function isAlike(a: string, b: string): boolean {
  const left = new Set(wordsOf(a));
  const right = new Set(wordsOf(b));
  const all = new Set([...left, ...right]);
  const differing = [...all].filter((word) => !left.has(word) || !right.has(word));
  if (differing.some((word) => DECIDES.test(word))) return false;
  return all.size === 0 ? a === b : 1 - differing.length / all.size >= ALIKE;
}

function wordsOf(fact: string): string[] {
  return (
    fact
      .normalize('NFKC')
      .toLowerCase()
      .match(/[\p{L}\p{M}\p{N}]+/gu) ?? []
  );
}
