import { z } from 'zod';
import { visible } from './reply/invisible.ts';
import { ExternalId } from '../scope.ts';
import { MemoryId, MessageId, PersonRef } from '../ids.ts';

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

const Slug = z
  .string()
  .regex(/^[a-z0-9][a-z0-9_-]{0,63}$/, 'must be 1 to 64 lower-case letters, digits, hyphens or underscores');

const Fact = z
  .string()
  .max(4 * MAX_FACT)
  .transform(cleanFact)
  .pipe(z.string().min(1, 'must say something').max(MAX_FACT))
  .meta({
    description: `At most ${MAX_FACT} characters. Line breaks become spaces; characters that cannot be seen are removed.`,
  });

const Category = Slug.meta({
  description: `Any slug. Usual: ${EXTRACTED_CATEGORIES.map((name) => `\`${name}\``).join(', ')}.`,
});
const Source = Slug.meta({
  description: `Any slug. Usual: \`${AI_EXTRACTED}\`, \`manual\`, \`import\`, \`crm\`. What the engine's own agent extracts is \`${AI_EXTRACTED}\`.`,
});

const ContactRef = PersonRef.meta({
  description: 'A contactId, phone number or chat id; without one it is a fact of the tenant, part of every context.',
});

export const CreateMemory = z
  .object({
    agencyId: ExternalId.optional(),
    tenantId: ExternalId.optional(),
    fact: Fact,
    category: Category,
    source: Source,
    contactId: ContactRef.optional(),
    evidenceMessageId: MessageId.optional().meta({
      description: 'The message that says so. The memory goes with it.',
    }),
    confidence: z.number().min(0).max(1).optional(),
    expiresAt: z.iso.datetime({ offset: true }).optional().meta({
      description: 'From then on the fact is neither listed nor told to the agent.',
    }),
    supersedes: MemoryId.optional().meta({
      description: 'A memory of the same contact that is no longer so: it is kept, and no longer told to the agent.',
    }),
  })
  .meta({ id: 'CreateMemory' });
export type CreateMemory = z.infer<typeof CreateMemory>;

export const ListMemories = z.object({
  contactId: ContactRef.optional().meta({
    description: 'A contactId, phone number or chat id; without one the facts of the tenant are listed.',
  }),
  category: Slug.optional(),
  includeSuperseded: z.stringbool().default(false).meta({ description: 'Also those that a later one has replaced.' }),
  limit: z.coerce.number().int().min(1).max(100).default(50),
});

export const Memory = z
  .object({
    id: z.string(),
    agencyId: z.string(),
    tenantId: z.string(),
    contactId: z.string().nullable(),
    fact: z.string(),
    category: z.string(),
    source: z.string(),
    evidenceMessageId: z.string().nullable(),
    confidence: z.number().nullable(),
    expiresAt: z.iso.datetime().nullable(),
    supersededBy: z.string().nullable(),
    createdAt: z.iso.datetime(),
  })
  .meta({ id: 'Memory' });
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
