import { z } from 'zod';
import { explained } from '../explained.ts';
import { ConversationId } from '../ids.ts';
import { SILENCE_TEXTS, SilenceCodeField, TURN_OUTCOME_TEXTS, TURN_OUTCOMES } from './sales-agent.ts';
import type { Persona, SilenceCode } from './sales-agent.ts';

/** An inbound message that is older than this when it arrives is not answered. */
export const STALE_AFTER_MS = 15 * 60_000;
/** The prompt tells the model that the answer is late once the contact has waited for this long. */
export const SAYS_LATE_AFTER_MS = 3 * 60_000;
/**
 * The time from the arrival of a message after which its answer is owed to a person. The agent may wait for the contact
 * to stop writing, and that is no delay of the engine.
 */
export const answersWithinMs = ({
  answerWithinMinutes,
  maxWaitMs,
}: Pick<Persona, 'answerWithinMinutes' | 'maxWaitMs'>) => answerWithinMinutes * 60_000 + maxWaitMs;
/**
 * A newer message makes a turn begin again at most this many times, and only within this time of its first beginning.
 */
export const MAX_RESTARTS = 2;
export const RESTARTS_WITHIN_MS = 30_000;
/**
 * A long text equal to an answered one within this time counts as a repetition. Shorter texts do not count, because
 * they may be answers ("yes").
 */
export const DUPLICATE_WITHIN_MS = 2 * 60_000;
export const DUPLICATE_CHARACTERS = 20;
/**
 * A contact counts as typing for this long after each presence event that says so, unless another says that they
 * stopped.
 */
export const TYPING_LASTS_MS = 15_000;
/**
 * An own message that is older than this when it comes is history and does not mean that a person is at the phone now.
 */
export const PHONE_IS_LIVE_MS = 60 * 60_000;
/**
 * An own message of unknown id stays parked for this long, because it may be the echo of a send; after that it counts
 * as written on the phone.
 */
export const ADOPT_AFTER_MS = 10_000;

export const ModelCall = z.object({
  model: z.string().meta({ description: 'The requested model.' }),
  ms: z.int().meta({ description: 'How long it took, in milliseconds.' }),
  inputTokens: z.int().nullish().meta({ description: 'Tokens of the prompt, if the provider reported them.' }),
  outputTokens: z.int().nullish().meta({ description: 'Tokens of the answer, if the provider reported them.' }),
  costMicros: z.int().nullish().meta({ description: "The cost, in millionths of the currency of the models' prices." }),
  error: z
    .string()
    .optional()
    .meta({ description: 'Why it gave no answer. `given_up`: the answer was no longer needed.' }),
  purpose: z.literal('facts').optional().meta({ description: 'Set if the request asked for facts about the contact.' }),
});
export type ModelCall = z.infer<typeof ModelCall>;

const Time = z.iso.datetime().nullable();

export const TurnView = z
  .object({
    id: z.string().meta({ description: "The turn's id.", examples: ['trn_019a8f3e-8b10-7f12-9c4d-5e6f70819203'] }),
    conversationId: ConversationId,
    outcome: z.enum(TURN_OUTCOMES).meta({ description: explained('How the turn ended.', TURN_OUTCOME_TEXTS) }),
    silence: z
      .object({
        code: SilenceCodeField,
        text: z.string().meta({ description: 'The reason as a sentence for people.' }),
      })
      .nullable()
      .meta({
        description: 'Why the model said nothing. Also set if a fixed message was sent in place of an answer.',
      }),
    retryAt: Time.meta({
      description: 'With the silence `model_retry`: when a model is asked again. Past once the next turn asks it.',
    }),
    handoffReason: z
      .string()
      .nullable()
      .meta({ description: 'Why a person got the conversation. Null if nobody did.' }),
    inboundMessageIds: z.array(z.string()).meta({ description: 'The messages that the turn is about, oldest first.' }),
    memoryIds: z.array(z.string()).meta({ description: 'The memories that were shown to the model.' }),
    messageIds: z
      .array(z.string())
      .meta({ description: 'The sent messages, in order. A long reply is several messages.' }),
    model: z.string().nullable().meta({ description: 'The model that answered, or that was asked last.' }),
    modelCalls: z.array(ModelCall).meta({ description: 'Each request to a model, in order.' }),
    inputTokens: z
      .int()
      .nullable()
      .meta({ description: 'The sum of all requests, as far as the providers reported them.' }),
    outputTokens: z
      .int()
      .nullable()
      .meta({ description: 'The sum of all answers, as far as the providers reported them.' }),
    costMicros: z
      .int()
      .nullable()
      .meta({ description: 'In millionths of the currency that the models are priced in.' }),
    restarts: z.int().meta({ description: 'How often a newer message made the turn start over.' }),
    outputNotes: z.array(z.string()).meta({
      description:
        'Changes by the rules, such as `link_removed`. `messages_left_out`: not all messages fitted into the ' +
        'prompt.',
    }),
    receivedAt: Time.meta({ description: 'When the first of its messages arrived.' }),
    begunAt: z.iso.datetime().meta({ description: 'When the turn began, after the contact had stopped writing.' }),
    endedAt: Time.meta({ description: 'When the reply was accepted for sending, or it was decided to say nothing.' }),
  })
  .meta({ id: 'Turn', description: "The agent's decision about one or more messages of a contact." });
export type TurnView = z.infer<typeof TurnView>;

export function isSilenceCode(code: string | null | undefined): code is SilenceCode {
  return code !== null && code !== undefined && Object.hasOwn(SILENCE_TEXTS, code);
}
