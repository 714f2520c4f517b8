import { z } from 'zod';
import { MAX_FACT } from './memory.ts';
import { Persona } from './sales-agent.ts';
import { explained } from '../explained.ts';
import { Target } from '../scope.ts';
import { ConversationId, RehearsalId } from '../ids.ts';

const MAX_MESSAGES = 50;
const MAX_MEMORIES = 30;
const MAX_RUNS = 3;

/** The fields of a persona that a rehearsal tries in place of the tenant's. */
const PersonaTried = Persona.partial();
export type PersonaTried = z.infer<typeof PersonaTried>;

const tried = {
  conversationId: ConversationId.optional().meta({ description: 'An existing conversation, as it is now.' }),
  messages: z
    .array(
      z.strictObject({
        from: z.enum(['contact', 'agent']).meta({ description: 'The person who says it.' }),
        text: z.string().min(1).max(4_000).meta({ description: 'The text, 1 to 4,000 characters.' }),
      }),
    )
    .min(1)
    .max(MAX_MESSAGES)
    .optional()
    .meta({ description: 'Or an invented conversation, oldest message first.' }),
  contactMemories: z
    .array(z.string().min(1).max(MAX_FACT))
    .max(MAX_MEMORIES)
    .optional()
    .meta({ description: 'Facts about the contact for this rehearsal, in addition to the existing ones.' }),
  persona: PersonaTried.optional().meta({ description: "The persona to rehearse. If omitted, the tenant's own." }),
  compareWith: PersonaTried.optional().meta({ description: 'A second persona to rehearse next to it.' }),
  repeat: z.int().min(1).max(MAX_RUNS).default(1).meta({ description: 'How many times each persona is asked.' }),
  includePrompt: z.boolean().default(false).meta({ description: 'Whether each result shows what its model was sent.' }),
};

/** The part of a request that is kept. */
export const RehearsalRequest = z.object(tried);
export type RehearsalRequest = z.infer<typeof RehearsalRequest>;

/** Requests are refused for unknown fields; what is stored is read by other releases, too, and is not. */
const PersonaToTry = z.strictObject(PersonaTried.shape).meta({
  id: 'PersonaTried',
  description: "Omitted fields are those of the tenant's persona. Budgets are always the tenant's.",
});

export const Rehearse = z
  .strictObject({
    ...Target,
    ...tried,
    persona: PersonaToTry.optional().meta({ description: "The persona to rehearse. If omitted, the tenant's own." }),
    compareWith: PersonaToTry.optional().meta({ description: 'A second persona to rehearse next to it.' }),
  })
  .refine(({ conversationId, messages }) => (conversationId === undefined) !== (messages === undefined), {
    message: 'give either conversationId or messages',
    path: ['messages'],
  })
  .meta({ id: 'Rehearse', description: 'A conversation, and the personas to rehearse on it.' });

const REHEARSAL_ERRORS = {
  budget: "The tenant's budget for today is used up.",
  nothing_said: 'The conversation has no messages.',
  internal: "Something went wrong on the engine's side; try again.",
} as const;

const RehearsalError = z
  .object({
    code: z.string().meta({
      description: explained(
        'The machine word for the reason; other words are those of model attempts.',
        REHEARSAL_ERRORS,
      ),
    }),
    message: z.string().meta({ description: 'The reason as a sentence for people.' }),
  })
  .meta({ description: 'Why there is no result. Missing if there is one.' });

export const RehearsalResult = z
  .object({
    variant: z
      .enum(['persona', 'compareWith'])
      .meta({ description: 'Which of the two personas of the request was asked.' }),
    run: z.int().meta({ description: 'From 1 to `repeat`.' }),
    persona: z
      .object({
        name: z.string().meta({ description: 'Its `agentName`.' }),
        model: z.string().meta({ description: 'Its `modelChoice`.' }),
      })
      .meta({ description: 'The persona that was rehearsed.' }),
    decision: z.enum(['reply', 'silence', 'handoff']).nullable().meta({ description: 'Null if there is an `error`.' }),
    handoffReason: z
      .string()
      .nullable()
      .meta({ description: 'Why a person would get the conversation. Null if nobody would.' }),
    reply: z.string().nullable().meta({
      description: "The reply after the persona's rules. Null if nothing would be sent.",
    }),
    parts: z.array(z.string()).meta({ description: 'The messages that the reply would be sent as.' }),
    notes: z.array(z.string()).meta({ description: 'Changes by the rules.' }),
    model: z.string().nullable().meta({ description: 'The model that answered.' }),
    tokens: z
      .object({
        input: z.int().nullable().meta({ description: 'Tokens of the prompt, if the provider reported them.' }),
        output: z.int().nullable().meta({ description: 'Tokens of the answer, if the provider reported them.' }),
      })
      .meta({ description: "How much of the tenant's budget it used." }),
    costMicros: z.int().nullable().meta({ description: 'In millionths of the currency of `LLM_MODELS`.' }),
    ms: z.int().nullable().meta({ description: 'How long it took, in milliseconds.' }),
    error: RehearsalError.optional(),
    prompt: z.string().optional().meta({ description: 'The prompt for the model. Only with `includePrompt`.' }),
  })
  .meta({ id: 'RehearsalResult', description: 'The outcome of one persona in one run.' });
export type RehearsalResult = z.infer<typeof RehearsalResult>;

export const REHEARSAL_STATUSES = ['running', 'done', 'failed'] as const;

export const RehearsalView = z
  .object({
    id: RehearsalId,
    status: z.enum(REHEARSAL_STATUSES).meta({
      description: explained('The state of the rehearsal.', {
        running: 'The models are being asked.',
        done: 'Every run has its result.',
        failed: 'The rehearsal failed as a whole, for the reason in `error`.',
      }),
    }),
    results: z.array(RehearsalResult).meta({ description: 'The personas side by side, run by run.' }),
    error: RehearsalError.optional(),
    createdAt: z.iso.datetime().meta({ description: 'When it was requested.' }),
    endedAt: z.iso.datetime().nullable().meta({ description: 'When it ended. Null while it runs.' }),
  })
  .meta({ id: 'Rehearsal', description: 'Personas rehearsed on a conversation, without sending anything.' });
export type RehearsalView = z.infer<typeof RehearsalView>;

export function rehearsalErrorText(code: string): string {
  const known = Object.entries(REHEARSAL_ERRORS).find(([name]) => name === code);
  return known?.[1] ?? 'The model gave no answer. Try again, or try another model.';
}
