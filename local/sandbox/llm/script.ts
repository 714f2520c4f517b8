import { z } from 'zod';

/** Limits a scripted reply to calls that ask for text or for JSON; without this any call gets it. */
const when = z.enum(['text', 'json']).optional();

export const ScriptedReply = z.union([
  z.strictObject({ when, text: z.string() }),
  z.strictObject({ when, json: z.unknown() }),
  z.strictObject({
    when,
    toolCalls: z.array(z.strictObject({ name: z.string(), arguments: z.record(z.string(), z.unknown()) })),
  }),
  z.strictObject({ when, status: z.number().int().min(400).max(599), retryAfter: z.number().optional() }),
  /** The model declines in the provider's field for refusals and not in its answer. */
  z.strictObject({ when, refusal: z.string() }),
  /** The connection breaks in the middle of the answer. */
  z.strictObject({ when, cut: z.literal(true) }),
  /** The answer is a 200 whose body is not the JSON that it claims to be. */
  z.strictObject({ when, garbage: z.literal(true) }),
  /** The model is silent for this long and then gives the default reply. */
  z.strictObject({ when, hangMs: z.number().min(0) }),
  /** The model is silent until script and prompts are deleted and then gives the default reply. */
  z.strictObject({ when, hold: z.literal(true) }),
]);
export type ScriptedReply = z.infer<typeof ScriptedReply>;
