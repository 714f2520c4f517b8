import type { TurnDecision } from '../../domain/agent/turn-outcome.ts';

/** A decision that a model wrote without its form, as far as it could be read. */
export interface WrittenDecision {
  outcome: TurnDecision['outcome'];
  text: string;
  reason: string;
}

const SILENCE = String.raw`silence|silent|no[ _-]?reply|no[ _-](?:reply|response|answer)[ _-](?:is[ _-])?(?:needed|required|necessary)`;
/** The words that stand beside others only as a decision. */
const MARKED = String.raw`silence|no[ _-]?reply(?:[ _-]needed)?|hand[ _-]?off`;
const HANDOFF = String.raw`hand(?:ed|ing)?[ _-]?off|hand[ _-]?over`;
const WORD = `${SILENCE}|${HANDOFF}`;
const IS_SILENCE = new RegExp(`^(?:${SILENCE})$`, 'iu');
const IS_HANDOFF = new RegExp(`^(?:${HANDOFF})$`, 'iu');
const AROUND = String.raw`[\s\p{P}\p{S}]`;
const NAMED = String.raw`(?:(?:my|the|final) ){0,2}(?:outcome|decision|action|answer|response|reply|result|status|output|text)\b(?: is\b)?`;
const BARE = new RegExp(
  String.raw`^${AROUND}{0,40}(?:${NAMED}${AROUND}{0,20})?(?<word>${WORD}|reply)${AROUND}{0,40}$`,
  'iu',
);

/** Reads the word of a decision, in any case and with any marks around it. */
export function outcomeOf(text: string): TurnDecision['outcome'] | undefined {
  const word = BARE.exec(text)?.groups?.['word'] ?? '';
  if (IS_SILENCE.test(word)) return 'silence';
  if (IS_HANDOFF.test(word)) return 'handoff';
  return word === '' ? undefined : 'reply';
}

const IS_MARKED = new RegExp(MARKED, 'iu');
const IN_BRACKETS = new RegExp(
  String.raw`[[<【{]\s{0,5}/?(?<word>${MARKED})(?:\s{0,5}[:\-–—,][^\]>】}\n]{0,300})?\s{0,5}/?[\]>】}]|(?<token>\bNO_REPLY\b)`,
  'iu',
);
/** Only the two words of the form have a reason behind them: "Hand over: Friday at 5" is a reply. */
const WITH_REASON =
  /^[\s*_"'`#]{0,20}(?<word>silence|handoff)[*_"'`]{0,4}\s{0,5}(?:[:–—-]|(?=\([^()\n]{0,300}\)\W{0,5}$))/iu;

/**
 * Reads a decision that stands in prose: alone, in brackets, in a line of its own, with a reason, or as lines of names
 * and values. Undefined for words that are meant for the customer. Words beside a decision are its reason and are never
 * sent, because nothing says that they are for the customer.
 */
export function decisionInProse(text: string): WrittenDecision | undefined {
  const alone = outcomeOf(text);
  if (alone) return { outcome: alone, text: '', reason: '' };
  const fields = fieldsOf(text);
  if (fields) return fields;
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  for (const [line, others] of [
    [lines[0] ?? '', lines.slice(1)],
    [lines.at(-1) ?? '', lines.slice(0, -1)],
  ] as const) {
    const outcome = IS_MARKED.test(line) ? outcomeOf(line) : undefined;
    if (outcome !== undefined) return { outcome, text: '', reason: others.join(' ') };
  }
  for (const pattern of [WITH_REASON, IN_BRACKETS]) {
    const match = pattern.exec(text);
    const outcome = outcomeOf(match?.groups?.['word'] ?? match?.groups?.['token'] ?? '');
    if (match && outcome) return { outcome, text: '', reason: text.replace(match[0], ' ').trim() };
  }
  return undefined;
}

const FIELD = /(?:^|[,;])[\s*_"'`{>-]{0,20}\b(outcome|text|reason)["'*_`\s]{0,10}[:=]["'*_`\s]{0,10}/gimu;
const VALUE = new RegExp(String.raw`^(?<word>${WORD}|reply)(?![\p{L}\p{N}])`, 'iu');

/** Reads `outcome: reply` and the lines that follow it. */
function fieldsOf(text: string): WrittenDecision | undefined {
  const fields = [...text.matchAll(FIELD)];
  const values = new Map<string, string>();
  for (const [index, field] of fields.entries()) {
    const value = text.slice(field.index + field[0].length, fields[index + 1]?.index);
    const name = (field[1] ?? '').toLowerCase();
    if (!values.has(name)) values.set(name, value.replace(/["'*_`\s},]{0,20}$/u, '').trim());
  }
  const first = fields[0];
  const written = values.get('outcome') ?? '';
  const word = VALUE.exec(written)?.[0] ?? '';
  const outcome = outcomeOf(word);
  if (first === undefined || first[1]?.toLowerCase() !== 'outcome' || outcome === undefined) return undefined;
  // The fields stand in the midst of other words, which nobody has meant for the customer.
  if (text.slice(0, first.index).trim() !== '') return undefined;
  const rest = written
    .slice(word.length)
    .replace(/^["'*_`\s.,;:–—-]{0,20}/u, '')
    .trim();
  const reason = values.get('reason') ?? '';
  if (outcome === 'reply') return { outcome, text: values.get('text') ?? rest, reason };
  return { outcome, text: values.get('text') ?? '', reason: reason || rest };
}
