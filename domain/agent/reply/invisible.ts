/** Match the invisible characters that hold an emoji of several parts together or choose its style. */
const EMOJI_JOINER = /(?<=\p{ExtPict}\uFE0F?|\p{EMod})\u200D(?=\p{ExtPict})/u.source;
const EMOJI_STYLE = /(?<=\p{ExtPict}|[0-9#*])\uFE0F(?![\uFE00-\uFE0F])/u.source;
/**
 * Matches letters of scripts that need the two joiners for the shape of their letters, such as Persian and those of
 * India.
 */
const SHAPED = String.raw`[\p{Script=Arabic}\p{Script=Devanagari}\p{Script=Bengali}\p{Script=Gujarati}\p{Script=Gurmukhi}\p{Script=Kannada}\p{Script=Malayalam}\p{Script=Oriya}\p{Script=Sinhala}\p{Script=Tamil}\p{Script=Telugu}]`;
const LETTER_JOINER = String.raw`(?<=${SHAPED})[\u200C\u200D](?=${SHAPED})`;
const NEEDED = `${EMOJI_JOINER}|${EMOJI_STYLE}|${LETTER_JOINER}`;
/**
 * Matches invisible characters: those that Unicode ignores by default (zero width, bidi, tags, selectors), controls
 * except line break and tab, halves of surrogate pairs, annotations.
 */
const UNSEEN = String.raw`\p{DI}|(?![\n\t])\p{Cc}|\p{Cs}|[\uFFF9-\uFFFB]`;

const NEEDED_OR_UNSEEN = new RegExp(`(${NEEDED})|${UNSEEN}`, 'gu');

/**
 * Removes invisible characters, which can carry words that only a model reads, or reverse the visible text. Characters
 * that emojis and scripts need stay where they need them.
 */
export function visible(text: string): string {
  return withPlainBreaks(text).replace(NEEDED_OR_UNSEEN, (_, needed: string | undefined) => needed ?? '');
}

export function withPlainBreaks(text: string): string {
  return text.replace(/\r\n?|[\u2028\u2029\u0085]/g, '\n');
}
