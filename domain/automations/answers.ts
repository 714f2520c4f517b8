import { z } from 'zod';
import type { FieldError } from '../errors/entry.ts';

/** The forms of what the outside answers to an automation, by their names. */
export type AnswerForms = Readonly<Record<string, z.ZodObject>>;

/** Values of an answer: words of closed lists, numbers, flags and times. */
export type Answer = Record<string, string | number | boolean | null>;
const Answer = z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()]));

/** A field as JSON Schema says it, as far as it is asked whether somebody's words fit into it. */
const Field = z.object({
  type: z.union([z.string().transform((type) => [type]), z.array(z.string())]).optional(),
  format: z.string().optional(),
  enum: z.array(z.unknown()).optional(),
  const: z.unknown().optional(),
  anyOf: z.array(z.unknown()).optional(),
});
const Form = z.object({ properties: z.record(z.string(), z.unknown()), additionalProperties: z.literal(false) });

const WORDLESS = new Set(['number', 'integer', 'boolean', 'null']);
const TIMES = new Set(['date', 'date-time', 'time']);

/**
 * Refuses a form into which something fits that a person may read: what is answered goes to Temporal, and so has only
 * words of closed lists, numbers, flags and times.
 */
export function requireUnsaid(forms: AnswerForms): void {
  for (const [name, form] of Object.entries(forms)) {
    const read = Form.safeParse(z.toJSONSchema(form));
    if (!read.success) throw new Error(`The answer ${name} may have fields that it does not name.`);
    const wrong = Object.entries(read.data.properties).find(([, field]) => !isUnsaid(field));
    if (wrong === undefined) continue;
    throw new Error(
      `The answer ${name} goes to Temporal, so its field ${wrong[0]} must be a number, a flag, a time or one word of a list.`,
    );
  }
}

function isUnsaid(field: unknown): boolean {
  const read = Field.safeParse(field);
  if (!read.success) return false;
  const { type: types = [], format = '', enum: words, const: only, anyOf } = read.data;
  if (anyOf !== undefined) return anyOf.every(isUnsaid);
  if (words !== undefined || only !== undefined) return true;
  return types.length > 0 && types.every((type) => WORDLESS.has(type) || (type === 'string' && TIMES.has(format)));
}

/** Reads an answer by its form, or says what is wrong with it. */
export function readAnswer(
  form: z.ZodObject,
  given: unknown,
  pointer: string,
): { answer: Answer } | { wrong: FieldError[] } {
  const read = form.safeParse(given);
  if (read.success) return { answer: Answer.parse(read.data) };
  return {
    wrong: read.error.issues.map(({ path, message }) => ({ pointer: [pointer, ...path].join('/'), message })),
  };
}
