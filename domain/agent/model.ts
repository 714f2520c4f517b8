import { z } from 'zod';

export const MODEL_PROVIDERS = ['openai-compatible', 'openai', 'anthropic'] as const;
export type ModelProvider = (typeof MODEL_PROVIDERS)[number];

const IMAGES = ['image/jpeg', 'image/png', 'image/webp', 'image/gif'];
const TYPES_TAKEN: Readonly<Record<ModelProvider, readonly string[]>> = {
  // Voice messages of the network are Ogg, which OpenAI itself does not take.
  'openai-compatible': [...IMAGES, 'audio/ogg', 'audio/mpeg', 'audio/wav'],
  openai: [...IMAGES, 'audio/mpeg', 'audio/wav'],
  anthropic: IMAGES,
};

const REASONING_EFFORTS = ['none', 'minimal', 'low', 'medium', 'high'] as const;

/** A model that agencies may choose. */
export const ModelSpec = z.strictObject({
  id: z.string().min(1).max(100),
  provider: z.enum(MODEL_PROVIDERS),
  /** The price of a million tokens, in the currency in which turns tell their cost. */
  inputPerMillion: z.number().min(0).optional(),
  outputPerMillion: z.number().min(0).optional(),
  /** The id of the model that answers when this one does not. */
  fallback: z.string().optional(),
  /** Inputs that the model takes besides text. */
  input: z.array(z.enum(['image', 'audio'])).optional(),
  /** The most tokens that prompt and answer may have together. */
  contextTokens: z.int().min(1_000).optional(),
  /** The effort that a reasoning model may spend on thinking; its thoughts use up tokens of its answer. */
  reasoningEffort: z.enum(REASONING_EFFORTS).optional(),
});
export type ModelSpec = z.infer<typeof ModelSpec>;

export const ModelList = z
  .array(ModelSpec)
  .min(1)
  .superRefine((models, context) => {
    for (const [index, { id, fallback, provider, reasoningEffort }] of models.entries()) {
      if (reasoningEffort !== undefined && provider === 'anthropic') {
        context.addIssue({
          code: 'custom',
          path: [index, 'reasoningEffort'],
          message: 'is not known to this provider',
        });
      }
      if (models.findIndex((model) => model.id === id) !== index) {
        context.addIssue({ code: 'custom', path: [index, 'id'], message: 'must be there once' });
      }
      const isOther = fallback !== id && models.some((model) => model.id === fallback);
      if (fallback !== undefined && !isOther) {
        context.addIssue({
          code: 'custom',
          path: [index, 'fallback'],
          message: 'must be the id of another model in this list',
        });
      } else if (comesBackTo(id, models)) {
        context.addIssue({
          code: 'custom',
          path: [index, 'fallback'],
          message: 'leads back to this model: the last fallback must have none',
        });
      }
    }
  });

/** Tells whether a model's fallbacks lead back to it. */
function comesBackTo(id: string, models: readonly ModelSpec[]): boolean {
  let next = models.find((model) => model.id === id)?.fallback;
  for (let steps = 0; next !== undefined && steps < models.length; steps += 1) {
    if (next === id) return true;
    next = models.find((model) => model.id === next)?.fallback;
  }
  return false;
}

/**
 * Tells whether the model takes files of that kind or type. The types are those that a provider's models have in common
 * and that its library supports.
 */
export function takesFiles({ provider, input = [] }: ModelSpec, kindOrType: string): boolean {
  if (!input.some((kind) => kindOrType.split('/')[0] === kind)) return false;
  const types = TYPES_TAKEN[provider];
  return types.some((type) => type === kindOrType || type.startsWith(`${kindOrType}/`));
}
