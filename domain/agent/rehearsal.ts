import { z } from 'zod';
import { MAX_FACT } from './memory.ts';
import { Persona } from './sales-agent.ts';
import { ExternalId } from '../scope.ts';
import { ConversationId } from '../ids.ts';

const MAX_MESSAGES = 50;
const MAX_MEMORIES = 30;
const MAX_RUNS = 3;

/** The fields of a persona that a rehearsal tries in place of the tenant's. */
const PersonaTried = Persona.partial().meta({
  id: 'PersonaTried',
  description: "Fields that are left out are those of the tenant's persona. Budgets are always the tenant's.",
});
export type PersonaTried = z.infer<typeof PersonaTried>;

const tried = {
  conversationId: ConversationId.optional().meta({ description: 'A conversation as it is now.' }),
  messages: z
    .array(z.object({ from: z.enum(['contact', 'agent']), text: z.string().min(1).max(4_000) }))
    .min(1)
    .max(MAX_MESSAGES)
    .optional()
    .meta({ description: 'Or one made up, oldest message first.' }),
  contactMemories: z
    .array(z.string().min(1).max(MAX_FACT))
    .max(MAX_MEMORIES)
    .optional()
    .meta({ description: 'Known of the contact for this time, besides what is.' }),
  persona: PersonaTried.optional(),
  compareWith: PersonaTried.optional().meta({ description: 'Another persona to try beside it.' }),
  repeat: z.int().min(1).max(MAX_RUNS).default(1).meta({ description: 'How often each persona is asked.' }),
  includePrompt: z.boolean().default(false).meta({ description: 'Each result tells what its model was told.' }),
};

/** The part of a request that is kept. */
export const RehearsalRequest = z.object(tried);
export type RehearsalRequest = z.infer<typeof RehearsalRequest>;

export const Rehearse = z
  .object({ agencyId: ExternalId.optional(), tenantId: ExternalId.optional(), ...tried })
  .refine(({ conversationId, messages }) => (conversationId === undefined) !== (messages === undefined), {
    message: 'give either conversationId or messages',
    path: ['messages'],
  })
  .meta({ id: 'Rehearse' });

const REHEARSAL_ERRORS = {
  budget: 'The budget of the tenant for today is used up.',
  nothing_said: 'The conversation has no messages.',
  internal: 'Something went wrong on our side; try again.',
} as const;

export const RehearsalResult = z
  .object({
    variant: z.enum(['persona', 'compareWith']),
    run: z.int().meta({ description: 'From 1 to `repeat`.' }),
    persona: z.object({ name: z.string(), model: z.string() }),
    decision: z.enum(['reply', 'silence', 'handoff']).nullable().meta({ description: 'Null with `error`.' }),
    handoffReason: z.string().nullable(),
    reply: z.string().nullable().meta({
      description: 'What would go out after the rules of the persona; null where nothing would.',
    }),
    parts: z.array(z.string()).meta({ description: 'The messages that the reply would be sent as.' }),
    notes: z.array(z.string()).meta({ description: 'What the rules did to it.' }),
    model: z.string().nullable().meta({ description: 'The model that answered.' }),
    tokens: z.object({ input: z.int().nullable(), output: z.int().nullable() }),
    costMicros: z.int().nullable().meta({ description: 'Millionths of the currency of `LLM_MODELS`.' }),
    ms: z.int().nullable(),
    error: z.object({ code: z.string(), message: z.string() }).optional(),
    prompt: z.string().optional(),
  })
  .meta({ id: 'RehearsalResult' });
export type RehearsalResult = z.infer<typeof RehearsalResult>;

export const REHEARSAL_STATUSES = ['running', 'done', 'failed'] as const;

export const RehearsalView = z
  .object({
    id: z.string(),
    status: z.enum(REHEARSAL_STATUSES),
    results: z.array(RehearsalResult).meta({ description: 'Each persona beside the other, run by run.' }),
    error: z.object({ code: z.string(), message: z.string() }).optional(),
    createdAt: z.iso.datetime(),
    endedAt: z.iso.datetime().nullable(),
  })
  .meta({ id: 'Rehearsal' });
export type RehearsalView = z.infer<typeof RehearsalView>;

export function rehearsalErrorText(code: string): string {
  const known = Object.entries(REHEARSAL_ERRORS).find(([name]) => name === code);
  return known?.[1] ?? 'The model gave no answer. Try again, or another model.';
}
