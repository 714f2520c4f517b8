/** An emoji of several parts, or one dressed in colour: an invisible character holds it together. */
const EMOJI_JOINER = /(?<=\p{ExtPict}\uFE0F?|\p{EMod})\u200D(?=\p{ExtPict})/u.source;
const EMOJI_STYLE = /(?<=\p{ExtPict}|[0-9#*])\uFE0F(?![\uFE00-\uFE0F])/u.source;
/** Persian and the scripts of India shape their letters with the two joiners. */
const SHAPED = String.raw`[\p{Script=Arabic}\p{Script=Devanagari}\p{Script=Bengali}\p{Script=Gujarati}\p{Script=Gurmukhi}\p{Script=Kannada}\p{Script=Malayalam}\p{Script=Oriya}\p{Script=Sinhala}\p{Script=Tamil}\p{Script=Telugu}]`;
const LETTER_JOINER = String.raw`(?<=${SHAPED})[\u200C\u200D](?=${SHAPED})`;
const NEEDED = `${EMOJI_JOINER}|${EMOJI_STYLE}|${LETTER_JOINER}`;
/**
 * Matches what is ignored by default (zero width, bidi, tags, selectors), then controls but line and tab, halves of characters,
 * annotations.
 */
const UNSEEN = String.raw`\p{DI}|(?![\n\t])\p{Cc}|\p{Cs}|[\uFFF9-\uFFFB]`;

const NEEDED_OR_UNSEEN = new RegExp(`(${NEEDED})|${UNSEEN}`, 'gu');

/**
 * Removes what nobody sees: such characters can carry words that only a model reads, or turn round what is seen. Those that
 * writing needs stay where it needs them.
 */
export function visible(text: string): string {
  return withPlainBreaks(text).replace(NEEDED_OR_UNSEEN, (_, needed: string | undefined) => needed ?? '');
}

export function withPlainBreaks(text: string): string {
  return text.replace(/\r\n?|[\u2028\u2029\u0085]/g, '\n');
}
