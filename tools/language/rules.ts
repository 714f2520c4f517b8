import { sentencesOf, wordsOf } from './sentences.ts';

/** A text for people, with its place for an author. */
export interface Text {
  place: string;
  text: string;
}

/** Returns a sentence for each fault: what is wrong and what to write. */
export type Rule = (text: string) => string[];

const MAX_WORDS = 25;

/** Phrases of the old voice, with the words that replace them. */
const BANNED: readonly (readonly [phrase: string, use: string])[] = [
  ['(?:is|are) told of', 'receives'],
  ['tells', 'reports'],
  ['(?:goes|go|going) on', 'continues'],
  ['tak(?:es|e|en) away', 'removes'],
  ['takes back', 'reverts'],
  ['hands? on', 'forwards'],
  ['stands? in', 'is in'],
  ['stands? beside', 'is next to'],
  ['stands? for', 'means'],
  ['what becomes of', 'the outcome of'],
  ['what comes of', 'the result of'],
  ['who(?:m|se)?ever', 'you, the caller'],
  ['of which', 'its'],
  ['(?<!there )(?:is|are) none', 'no … exists'],
  ["nobody's", 'not public'],
  ['somebody', 'a user, a person'],
  ['so many', 'the number of'],
  ['for ever', 'forever'],
  ['in vain', 'without result'],
  ['shall', 'must'],
  ['mends?', 'fix'],
  ['dear(?:er)?', 'expensive'],
  ['a look', 'check'],
  ['looks? again', 'polls'],
  ['(?:is|are) away', 'is unavailable'],
  ['up again', 'recovers'],
  ['begins? anew', 'restarts'],
  ['left out', 'omitted'],
  ['let go', 'released'],
  ['given up', 'dead-lettered'],
  ['lines up', 'queues'],
  ['made of', 'derived from'],
  ['house', 'codebase'],
  ['doors?', 'entry point'],
  ['laws?', 'rule'],
  ['seldom', 'every … min'],
  ['twins?', 'duplicate'],
];
const BANNED_WORDS = new RegExp(
  String.raw`(?<![\w/-])(?:${BANNED.map(([phrase]) => phrase).join('|')})(?![\w-])`,
  'gi',
);

/** The one spelling of a known term, with the other spellings. */
const TERMS: readonly (readonly [term: string, others: string])[] = [
  ['webhook', 'web-?hooks? |web hooks?'],
  ['API key', 'api[- ]keys?|Api[- ]keys?|APIkeys?'],
  ['QR code', 'qr[- ]codes?|QR-codes?|QRcodes?'],
  ['PostgreSQL', 'Postgresql|PostGres|Postgres(?!QL)'],
  ['Temporal', 'temporal\\.io'],
  ['TypeScript', 'Typescript|typescript'],
  ['JavaScript', 'Javascript|javascript'],
  ['GitHub', 'Github|github(?!\\.)'],
  ['Idempotency-Key', 'Idempotency Key|idempotency-key'],
  ['dead-lettered', 'dead lettered|deadlettered'],
  ['opt-out', 'optout|Optout'],
  ['time zone', 'timezones?|Timezones?|time-zones?'],
];

export const RULES = {
  /** A phrase of the old voice. */
  phrase: (text) =>
    [...plain(text).matchAll(BANNED_WORDS)].map(([found]) => `"${found}": write "${replacementOf(found)}"`),

  /** A sentence or heading that opens with a question word or "Of". */
  opening: (text) =>
    sentencesOf(text)
      .filter((sentence) => /^["'(*_]*(?:Where|What|Who|Whom|Whose|Of|So many)\b/.test(sentence))
      .map((sentence) => `"${short(sentence)}" opens with a question word: begin with the subject`),

  /** A sentence of more words than a reader keeps in mind. */
  long: (text) =>
    sentencesOf(text)
      .map((sentence) => ({ sentence, count: wordsOf(sentence).length }))
      .filter(({ count }) => count > MAX_WORDS)
      .map(({ sentence, count }) => `"${short(sentence)}" has ${count} words: write at most ${MAX_WORDS}`),

  /** A known term in another spelling. */
  term: (text) =>
    TERMS.flatMap(([term, others]) =>
      [...plain(text).matchAll(new RegExp(String.raw`(?<![\w/.@-])(?:${others})(?![\w/-])`, 'g'))].map(
        ([found]) => `"${found.trim()}": write "${term}"`,
      ),
    ),
} as const satisfies Record<string, Rule>;

export type RuleName = keyof typeof RULES;
export const RULE_NAMES = ['phrase', 'opening', 'long', 'term'] as const satisfies RuleName[];

/** Without code, whose names follow other rules. */
function plain(text: string): string {
  return text.replaceAll(/`[^`]*`/g, 'code');
}

function replacementOf(found: string): string {
  const row = BANNED.find(([phrase]) => new RegExp(`^(?:${phrase})$`, 'i').test(found));
  return row?.[1] ?? '';
}

function short(sentence: string): string {
  return sentence.length > 70 ? `${sentence.slice(0, 70)}…` : sentence;
}
