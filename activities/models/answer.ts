import { z } from 'zod';
import { cut } from '../../domain/cut.ts';
import { inLine } from '../../domain/agent/prompt/quoted.ts';
import { wholeSentences } from '../../domain/agent/reply/length.ts';
import { READ_CHARACTERS } from '../../domain/agent/reply/rules.ts';
import { MAX_HANDOFF_REASON } from '../../domain/agent/turn-outcome.ts';
import type { TurnDecision } from '../../domain/agent/turn-outcome.ts';
import { ModelError } from './error.ts';

/** The form is flat and every field is always there, because weak models manage no more. */
export const FlatDecision = z.object({
  outcome: z.enum(['reply', 'silence', 'handoff']),
  text: z.string(),
  reason: z.string(),
});

/** The form stands in the prompt, too: not every endpoint takes a schema, and not every model keeps to it. */
export const DECISION_FORM = [
  'Answer with one JSON object and nothing else, of this form:',
  '{"outcome": "reply" or "silence" or "handoff", "text": what the customer will read, or "", "reason": why a person must take over, or ""}',
].join('\n');

const Words = z.string().nullish();
const LooseDecision = z
  .looseObject({ outcome: z.string().optional(), text: Words, reply: Words, message: Words, reason: Words })
  .transform(({ outcome, text, reply, message, reason }) => ({
    outcome: outcome?.trim().toLowerCase(),
    text: (text ?? reply ?? message ?? '').trim(),
    reason: (reason ?? '').trim(),
  }));

/** Bounds how much of an answer with all its thoughts is read; the rest is ignored. */
const MAX_CHARACTERS = 200_000;

/** Reads what the model decided. An answer in prose is a reply; broken JSON is no answer. */
export async function readDecision(answer: { text: string; cutOff: boolean }): Promise<TurnDecision> {
  const text = cut(answer.text, MAX_CHARACTERS);
  const cutOff = answer.cutOff || text !== answer.text;
  const written = withoutThoughts(text);
  const value = await jsonIn(written, cutOff);
  if (value === undefined) return looksLikeJson(written) ? unreadable() : reply(written, cutOff);
  if (typeof value === 'string') return reply(value, cutOff);
  if (typeof value !== 'object') return reply(written, cutOff);
  const parsed = LooseDecision.safeParse(value);
  if (!parsed.success) return unreadable();
  const { outcome, text: said, reason } = parsed.data;
  if (outcome === 'silence') return { outcome };
  if (outcome === 'handoff') {
    const why = inLine(reason, MAX_HANDOFF_REASON) || 'The model gave no reason.';
    return { outcome, reason: why, text: storable(said) || null };
  }
  return outcome === 'reply' || outcome === undefined ? reply(said, cutOff) : unreadable();
}

/** Reads the JSON object of an answer and checks it against the schema. Any other answer counts as unreadable. */
export async function readObject<T>(text: string, schema: z.ZodType<T>): Promise<T> {
  const parsed = schema.safeParse(await jsonIn(withoutThoughts(cut(text, MAX_CHARACTERS)), false));
  return parsed.success ? parsed.data : unreadable();
}

function reply(text: string, cutOff: boolean): TurnDecision {
  const written = storable(text);
  const said = cutOff ? wholeSentences(written) : written;
  return said === '' ? unreadable() : { outcome: 'reply', text: said };
}

/** Cuts the text to a reply's length and drops what PostgreSQL cannot store. The reply rules remove other invisible characters. */
function storable(text: string): string {
  return cut(text, READ_CHARACTERS)
    .replace(/(?![\n\t\r])\p{Cc}|\p{Cs}/gu, '')
    .trim();
}

function unreadable(): never {
  throw new ModelError('unreadable_answer');
}

/** Removes the thoughts that some models write before their answer. */
function withoutThoughts(text: string): string {
  const written = text.trim();
  const [opening, tag] = /^<(think|thinking)>/.exec(written) ?? [];
  const end = opening === undefined ? -1 : written.indexOf(`</${tag}>`);
  return end === -1 ? written : written.slice(end + `</${tag}>`.length).trim();
}

/** Finds JSON that stands alone, in a fence, or among words; undefined when there is none. */
async function jsonIn(text: string, cutOff: boolean): Promise<unknown> {
  const { parsePartialJson } = await import('ai');
  const fenced = text.startsWith('```') && text.endsWith('```') ? text.slice(text.indexOf('\n'), -3) : undefined;
  const [first, last] = [text.indexOf('{'), text.lastIndexOf('}')];
  const among = first === -1 || last < first ? undefined : text.slice(first, last + 1);
  for (const candidate of [fenced, text, among]) {
    if (candidate === undefined) continue;
    const { value, state } = await parsePartialJson(candidate);
    if (state === 'successful-parse' && (candidate !== among || isObject(value))) return value;
  }
  if (!cutOff || !text.startsWith('{')) return undefined;
  return (await parsePartialJson(text)).value;
}

const isObject = (value: unknown): boolean => typeof value === 'object' && value !== null && !Array.isArray(value);

const looksLikeJson = (text: string): boolean =>
  /^(```(json)?\s*)?\{\s*["']?\w+["']?\s*:|"(outcome|text)"\s*:/.test(text);
