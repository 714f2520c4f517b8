import { z } from 'zod';
import { cut } from '../../domain/cut.ts';
import { inLine } from '../../domain/agent/prompt/quoted.ts';
import { wholeSentences } from '../../domain/agent/reply/length.ts';
import { READ_CHARACTERS } from '../../domain/agent/reply/rules.ts';
import { MAX_HANDOFF_REASON } from '../../domain/agent/turn-outcome.ts';
import type { TurnDecision } from '../../domain/agent/turn-outcome.ts';
import { visible } from '../../domain/agent/reply/invisible.ts';
import { decisionInProse, outcomeOf } from './bare-decision.ts';
import { ModelError } from './error.ts';
import { objectsIn } from './loose-json.ts';
import type { FoundObject } from './loose-json.ts';
import {
  answerStart,
  endsUnopened,
  firstTurn,
  insideAnswer,
  looksMarked,
  unescapedMarks,
  withoutTokens,
} from './marks.ts';

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
    outcome: outcome === undefined ? 'reply' : outcomeOf(outcome),
    text: (text ?? reply ?? message ?? '').trim(),
    reason: (reason ?? '').trim(),
  }));

/** Bounds how much of an answer with all its thoughts is read; the rest is ignored. */
const MAX_CHARACTERS = 200_000;
/** Some models write the whole form once more inside its text. */
const MAX_FORMS = 3;

export interface ModelAnswer {
  text: string;
  cutOff: boolean;
  /** True for a model whose prompt begins its thoughts: words that were cut off may be thoughts without any mark. */
  thinksFirst?: boolean;
}

/** Reads what the model decided. Only words without any mark are a reply; anything else is no answer. */
export function readDecision(answer: ModelAnswer): TurnDecision {
  const text = cut(answer.text, MAX_CHARACTERS);
  const cutOff = answer.cutOff || text !== answer.text;
  return decisionIn(text, { cutOff, thinksFirst: answer.thinksFirst ?? false }, MAX_FORMS);
}

/** Reads the JSON object of an answer and checks it against the schema. Any other answer counts as unreadable. */
export function readObject<T>(text: string, schema: z.ZodType<T>): T {
  const isWanted = (value: unknown): boolean => schema.safeParse(value).success;
  const { object } = split(cut(text, MAX_CHARACTERS), isWanted);
  const parsed = schema.safeParse(object?.state === 'cut' ? undefined : withoutMarks(object?.value));
  return parsed.success ? parsed.data : unreadable();
}

interface Reading {
  cutOff: boolean;
  thinksFirst: boolean;
}

function decisionIn(text: string, how: Reading, forms: number): TurnDecision {
  const { object, prose } = split(
    text,
    (value) => LooseDecision.safeParse(value).data?.outcome !== undefined && hasForm(value),
  );
  if (object) {
    if (object.state === 'cut' && !how.cutOff) return unreadable();
    return decide(LooseDecision.parse(object.value), how, forms);
  }
  if (looksLikeJson(prose) || (how.cutOff && how.thinksFirst && prose.trim() === text.trim())) return unreadable();
  const value = valueOf(prose);
  const said = typeof value === 'string' ? value : prose;
  const written = decisionInProse(plainOf(said) ?? unreadable());
  if (written) return decide(written, how, forms);
  return typeof value === 'object' ? unreadable() : reply(said, how, forms);
}

function decide(
  { outcome, text, reason }: { outcome: TurnDecision['outcome'] | undefined; text: string; reason: string },
  how: Reading,
  forms: number,
): TurnDecision {
  if (outcome === 'reply') return reply(text, how, forms);
  if (outcome !== 'handoff') return { outcome: 'silence' };
  const said = plainOf(text) ?? '';
  // Words that could not be a reply are no last words before a person takes over either.
  const isSaid = decisionInProse(said) === undefined && !looksLikeJson(said);
  const why = inLine(plainOf(reason) ?? '', MAX_HANDOFF_REASON) || 'The model gave no reason.';
  return { outcome, reason: why, text: (isSaid && storable(said)) || null };
}

/** Reads the words of a reply, which may themselves be a decision. */
function reply(text: string, how: Reading, forms: number): TurnDecision {
  const plain = plainOf(text) ?? unreadable();
  const isForm = looksLikeJson(plain) || decisionInProse(plain) !== undefined;
  if (isForm) return forms > 0 ? decisionIn(plain, how, forms - 1) : unreadable();
  const written = storable(plain);
  const said = how.cutOff && written !== '' ? wholeSentences(written) : written;
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

/** Tells whether a thought ends that never began, in an answer as it came. */
export const thinksFirst = (text: string): boolean => endsUnopened(legible(cut(text, MAX_CHARACTERS)));

/** Shows marks that are written with invisible characters or escapes. Any other text stays as it is. */
function legible(text: string): string {
  const seen = visible(text);
  return unescapedMarks(seen !== text && (looksMarked(seen) || withoutTokens(seen) !== seen) ? seen : text);
}

/** Returns words without thoughts, tokens and citations; null when a mark is left, so that the words are no answer. */
function plainOf(text: string): string | null {
  const written = legible(text);
  const start = answerStart(written);
  if (start === null) return null;
  const plain = withoutTokens(firstTurn(insideAnswer(written.slice(start)))).trim();
  return looksMarked(plain) ? null : plain;
}

function withoutMarks(value: unknown): unknown {
  if (typeof value === 'string') return plainOf(value) ?? '';
  if (Array.isArray(value)) return value.map(withoutMarks);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, withoutMarks(inner)]));
}

/**
 * Parts an answer into its object and its prose, both after the last thought. Marks inside an object belong to its
 * strings, which are read on their own.
 */
function split(
  given: string,
  isWanted: (value: Record<string, unknown>) => boolean,
): { object: FoundObject | undefined; prose: string } {
  const text = legible(given);
  const objects = objectsIn(text, isWanted);
  const start = answerStart(text, objects) ?? unreadable();
  return {
    object: chosen(
      text,
      objects.filter((object) => object.start >= start),
    ),
    prose: text.slice(start),
  };
}

/**
 * Chooses the last object, because drafts come before it. In a row of several objects it takes the first: the model did
 * not stop.
 */
function chosen(text: string, objects: readonly FoundObject[]): FoundObject | undefined {
  return objects.findLast((object, index) => {
    const before = objects[index - 1];
    return before === undefined || !/^[\s,]*$/.test(text.slice(before.end, object.start));
  });
}

/** Reads prose that is one JSON value as that value, such as a string in its quotation marks. */
function valueOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const FORM = ['outcome', 'text', 'reply', 'message'];
const hasForm = (value: Record<string, unknown>): boolean => FORM.some((name) => typeof value[name] === 'string');

const looksLikeJson = (text: string): boolean =>
  /^(?:```\w{0,20}\s{0,20})?(?:\[\s{0,20})?\{\s{0,20}["']?\w{1,60}["']?\s{0,20}:|["'](?:outcome|text|reason)["']\s{0,20}:/.test(
    text.trim(),
  );
