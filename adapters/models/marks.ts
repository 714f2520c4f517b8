/**
 * The marks by which models set thoughts, turns and sources apart from their answer. No pattern may match a text in two
 * ways, or a flood of marks blocks the process.
 */

/** Names of tags around what no customer may read: thoughts, and calls of tools that the agent does not have. */
const THOUGHT = [
  'think(?:ing)?(?:[ _-]?(?:process|content))?',
  'thoughts?(?:[ _-]?process)?',
  'reason(?:ing)?(?:[ _-]?content)?',
  'reflect(?:ion|ing)?',
  'scratch[ _-]?pad',
  'analysis',
  'rationale',
  'deliberation',
  'planning',
  '(?:inner|internal)[ _-]?(?:monologue|thoughts?|reasoning|voice|dialogue)',
  'monologue',
  'chain[ _-]?of[ _-]?thoughts?',
  'cot(?:_budget_reflect)?',
  'ant[ _-]?thinking',
  'tool[ _-]?(?:calls?|use|responses?|results?)',
  'function(?:[ _-]?(?:calls?|results?))?',
  'invoke',
].join('|');
/** The same in square brackets, without words that replies have there. */
const IN_SQUARE = 'think(?:ing)?|thoughts?|reasoning|reflection|scratch[ _-]?pad|cot|inner[ _-]?monologue|tool_?calls?';

const [OPENING, CLOSING] = ['[<＜◁⟨]', '[>＞▷⟩]'];
const PREFIX = String.raw`(?:[\w-]{1,20}[:_])?`;
const NAME_ENDS = String.raw`(?![\p{L}\p{N}])`;
/** A mark that is cut off at the end of the text counts, too. */
const TAG_ENDS = String.raw`${NAME_ENDS}[^<>＜＞◁▷⟨⟩]{0,200}(?:${CLOSING}|$)`;
const BEGIN = String.raw`(?:(?:begin|start)[ _▁]?(?:of[ _▁]?)?)?`;
const END = String.raw`end[ _▁]?(?:of[ _▁]?)?`;

interface Family {
  /** Tells the families in which each name ends only its own thoughts. */
  family: string;
  opens: RegExp;
  /** Everything up to such a mark is no answer. */
  ends: RegExp;
  /** Ends every thought of the family that is open, and not only the last one. */
  endsAll?: boolean;
}

/** One row for each form; the group `name` tells the marks of one row apart. */
const FAMILIES: readonly Family[] = [
  {
    // <think>, <thinking>, <thought>, <seed:think>, ◁think▷, <|begin_of_thought|>, <|START_THINKING|>
    family: 'tag',
    opens: new RegExp(String.raw`${OPENING}[|｜]?\s{0,5}(?!end)${BEGIN}${PREFIX}(?<name>${THOUGHT})${TAG_ENDS}`, 'giu'),
    ends: new RegExp(
      String.raw`${OPENING}[|｜]?\s{0,5}(?:[/\\]\s{0,5}|${END})${PREFIX}(?<name>${THOUGHT})${TAG_ENDS}`,
      'giu',
    ),
  },
  {
    // [THINK] of Magistral
    family: 'square',
    opens: new RegExp(String.raw`\[\s{0,5}(?<name>${IN_SQUARE})\s{0,5}(?:\]|$)`, 'giu'),
    ends: new RegExp(String.raw`\[\s{0,5}(?:/\s{0,5}|end[ _])(?<name>${IN_SQUARE})\s{0,5}(?:\]|$)`, 'giu'),
  },
  {
    // The channels of harmony. Only `final` is for the customer.
    family: 'harmony',
    opens: /<[|｜]channel[|｜]>\s{0,5}(?!final\b)[\w.:-]{0,40}/giu,
    ends: /<[|｜]channel[|｜]>\s{0,5}final\b(?:[^<]{0,60}(?:<[|｜]constrain[|｜]>[^<]{0,40})?<[|｜]message[|｜]>)?/giu,
    endsAll: true,
  },
  {
    // The same, from a server that drops the tokens and keeps the names of the channels.
    family: 'bare harmony',
    opens: /^\s{0,20}(?:assistant)?(?:analysis|commentary)(?=\p{Lu}|["'“‘<]|to=)|assistant(?:analysis|commentary)/gu,
    ends: /assistantfinal/gu,
    endsAll: true,
  },
  { family: 'gemma', opens: /<\|channel>\s{0,5}\w{0,40}/giu, ends: /<channel\|>/giu },
  { family: 'medgemma', opens: /<unused94>/giu, ends: /<unused95>/giu },
  { family: 'details', opens: /<details\b[^<>]{0,200}\breasoning\b[^<>]{0,200}>/giu, ends: /<\/details\s{0,5}>/giu },
  { family: 'fence', opens: new RegExp(String.raw`^\x60{3}(?:${THOUGHT})\b`, 'gimu'), ends: /^```[ \t]{0,20}$/gmu },
  {
    // A label begins thoughts only where it begins the whole answer.
    family: 'label',
    opens:
      /^[\s*_#]{0,20}(?:here is my thought process|thoughts?|thinking|thought process|reasoning|chain of thought|inner monologue|internal (?:reasoning|monologue)|scratchpad)[*_]{0,3}:/giu,
    ends: /^[ \t*_#]{0,20}(?:here is my response|(?:final )?(?:answer|response|reply))[*_]{0,3}:[*_]{0,3}/gimu,
    endsAll: true,
  },
];
/** These ends stand in honest text, too, so they count only where their family is open. */
const ENDS_ONLY_OWN: ReadonlySet<string> = new Set(['details', 'fence', 'label']);

interface Mark {
  start: number;
  end: number;
  family: Family;
  key: string;
  opens: boolean;
}
/** A part of a text, as two indexes. */
export interface Range {
  start: number;
  end: number;
}

/** Finds the index after the last thought; null when a thought has no end, because then nothing is an answer. */
export function answerStart(text: string, without: readonly Range[] = []): number | null {
  const open = new Map<string, number>();
  let from = 0;
  for (const { start, end, family, key, opens } of marksIn(text)) {
    if (without.some((range) => start >= range.start && end <= range.end)) continue;
    const depth = open.get(key) ?? 0;
    if (opens) {
      open.set(key, depth + 1);
    } else if (depth > 0 || !ENDS_ONLY_OWN.has(family.family)) {
      open.set(key, family.endsAll === true ? 0 : Math.max(0, depth - 1));
      from = end;
    }
  }
  return [...open.values()].some((depth) => depth > 0) ? null : from;
}

/** Tells whether a thought ends that never began, as from models whose prompt holds the opening mark. */
export function endsUnopened(text: string): boolean {
  const [first] = marksIn(text).filter(({ family }) => !ENDS_ONLY_OWN.has(family.family));
  return first?.opens === false;
}

function marksIn(text: string): Mark[] {
  return FAMILIES.flatMap((family) => [...found(text, family, true), ...found(text, family, false)]).toSorted(
    (a, b) => a.start - b.start || b.end - a.end,
  );
}

function found(text: string, family: Family, opens: boolean): Mark[] {
  return [...text.matchAll(opens ? family.opens : family.ends)].map((match) => {
    const name = (match.groups?.['name'] ?? '').toLowerCase().replaceAll(/[ _-]/g, '');
    // `<think/>` opens nothing. The text before it may be thoughts all the same.
    const isEmpty = opens && /\/\s*[>＞▷⟩]$/.test(match[0]);
    const key = `${family.family} ${name}`;
    return { start: match.index, end: match.index + match[0].length, family, key, opens: opens && !isEmpty };
  });
}

const TURN_ENDS =
  String.raw`<[|｜]\s?(?:im_end|eot(?:_id)?|eom_id|end|return|call|endoftext|end[_▁]of[_▁]\w+|end[_▁]of[_▁]turn[_▁]token|end[_▁]response|END_TEXT)\s?[|｜]>` +
  String.raw`|<\/s>|<eos>|<end_of_(?:turn|utterance)>|<turn\|>|\[EOS\]`;
const ROLE = 'assistant|model|ai|bot|chatbot|user|human|customer|system|developer|tool|ipython|function';
const TURN_STARTS =
  String.raw`(?:<[|｜](?:im_start|start|start_header_id|START_OF_TURN_TOKEN)[|｜]>|<start_of_turn>|<\|turn>)\s{0,5}(?:<[|｜])?(?<header>${ROLE})?\b(?:[|｜]>|_TOKEN[|｜]>)?\s{0,5}(?:<[|｜]end_header_id[|｜]>)?` +
  String.raw`|<[|｜](?<role>${ROLE})[|｜]>|(?<inst>\[INST\])|\[\/INST\]`;
const TURN = new RegExp(String.raw`(?<ends>${TURN_ENDS})|${TURN_STARTS}`, 'giu');
const ASSISTANT = /^(?:assistant|model|ai|bot|chatbot)$/i;

/** Takes the first turn of the assistant: what follows it was made up, with the words of others in it. */
export function firstTurn(text: string): string {
  const turns: string[] = [];
  let [from, isOwn] = [0, true];
  const add = (end: number): void => {
    if (isOwn) turns.push(text.slice(from, end));
  };
  for (const match of text.matchAll(TURN)) {
    const { ends, header, role, inst } = match.groups ?? {};
    add(match.index);
    from = match.index + match[0].length;
    if (ends === undefined) isOwn = inst === undefined && ASSISTANT.test(header ?? role ?? 'assistant');
  }
  add(text.length);
  return turns.find((turn) => turn.trim() !== '') ?? '';
}

const ANSWER_NAMES = String.raw`(?:begin[_ ]of[_ ]|start[_ ])?(?:final[_ -]?answer|answer|final|response|reply|solution)`;
const ANSWER_OPENS = new RegExp(String.raw`<\|?${ANSWER_NAMES}\|?>`, 'giu');
const ANSWER_ENDS = new RegExp(
  String.raw`<\/\s?${ANSWER_NAMES}>|<\|end[_ ](?:of[_ ])?(?:solution|answer|response)\|>`,
  'iu',
);

/** Takes what stands inside `<answer>`: the words around it are not for the customer. */
export function insideAnswer(text: string): string {
  const opening = [...text.matchAll(ANSWER_OPENS)].at(-1);
  const inner = opening === undefined ? text : text.slice(opening.index + opening[0].length);
  const end = ANSWER_ENDS.exec(inner);
  return end === null || inner.slice(0, end.index).trim() === '' ? inner : inner.slice(0, end.index);
}

const TOKENS =
  /<[|｜][\w▁ .:/-]{1,60}[|｜]?>|<\w{1,40}[|｜]>|<\/?s>|<(?:bos|eos|pad|unk|sep|cls|mask)>|<unused\d{1,3}>|<0x[0-9a-f]{2}>|<<\/?SYS>>|\[\/?INST\]|\[(?:PAD|EOS|BOS|CLS|SEP|UNK)\]|<[|｜][\w▁]{0,60}[|｜]?$/giu;
const CITATIONS =
  /[ \t]{0,3}(?:[【〖[][^【】〖〗[\]\n]{0,200}†[^【】〖〗[\]\n]{0,200}[】〗\]]|【\d{1,4}:\d{1,4}[^【】\n]{0,100}】|:?contentReference\[oaicite:\d{1,4}\](?:\{index=\d{1,4}\})?|\[?oaicite:\d{1,4}\]?|\uE200[^\uE201]{0,300}\uE201|\bcite(?:turn\d{1,3}[a-z]{1,10}\d{1,3}){1,20}|\[\^\d{1,3}\^\]|\[cite(?:_start|_end)?(?::[^\]\n]{0,100})?\]|\[citation:\s?\d{1,3}\])|<\/?co(?::[\s\d,]{1,20})?>|[\uE200-\uE206]/giu;
const COMMENT = /<!--[\s\S]*?(?:-->|$)/g;

export function withoutTokens(text: string): string {
  return text.replace(COMMENT, '').replace(TOKENS, '').replace(CITATIONS, '');
}

const LEFT = new RegExp(
  String.raw`<[|｜]|${OPENING}[\s|/\\]{0,5}${PREFIX}(?:${THOUGHT})${NAME_ENDS}|\[\s{0,5}/?\s{0,5}(?:${IN_SQUARE})\s{0,5}\]`,
  'iu',
);

/** Tells whether something in a text still looks like a mark. Such a text is no answer. */
export const looksMarked = (text: string): boolean => LEFT.test(text);

const ESCAPED = /&(?:lt|#60|#x3c);|\\u003c|&(?:gt|#62|#x3e);|\\u003e/giu;

/** Writes escaped brackets as brackets: the reply rules would do so later, when nobody looks for marks any more. */
export function unescapedMarks(text: string): string {
  const plain = text.replace(ESCAPED, (mark) => (/lt|60|3c/iu.test(mark) ? '<' : '>'));
  return plain !== text && (looksMarked(plain) || withoutTokens(plain) !== plain) ? plain : text;
}
