/**
 * Rules that remove markup, which models write and chats show as plain characters. The rules apply in this order. No
 * pattern may match a text in two ways (as with two adjacent repetitions of the same characters), or a flood of blanks
 * takes minutes.
 */
const MARKUP: readonly (readonly [RegExp, string])[] = [
  // Code: the lines of the fences, then the marks inside a line.
  [/^[ \t]*(?:```|~~~)[^\n`~]*$\n?/gm, ''],
  [/(`{1,3})([^`\n]{1,2000})\1/g, '$2'],
  // Links and pictures; a link whose name is its address is written once.
  [/!?\[([^\]\n]{0,300})\]\(\s{0,20}<?([^\s)>]{1,2000})>?(?:\s{1,20}"[^"\n]{0,300}")?\s{0,20}\)/g, '$1 $2'],
  [/<(https?:\/\/[^\s<>]+)>/gi, '$1'],
  // Rules, headings, quotations, tables, bullets.
  [/^[ \t]*(?:[-*_][ \t]*){3,}$/gm, ''],
  [/^[ \t]*#{1,6}[ \t]+/gm, ''],
  [/^[ \t]*>[ \t]?/gm, ''],
  [/^[ \t]*(?:\|[ \t]*)?:?-{2,}:?[ \t]*(?:\|[ \t]*:?-{2,}:?[ \t]*)+(?:\|[ \t]*)?$\n?/gm, ''],
  [/^[ \t]*\|[ \t]*(?=\S)([^\n]*)(?<=[^ \t])[ \t]*\|[ \t]*$/gm, '$1'],
  [/^([ \t]*)[*+•][ \t]+/gm, '$1- '],
  // No space may follow the first mark or precede the last: `2 * 3 * 4` and snake_case stay.
  [/(\*{2,3})(?=\S)([^*\n]{1,500}?)(?<=\S)\1/g, '$2'],
  [/(?<![\w*])\*(?=\S)([^*\n]{1,500}?)(?<=\S)\*(?![\w*])/g, '$1'],
  [/(?<!\w)(_{1,3})(?=[^\s_])([^\n]{1,500}?)(?<=[^\s_])\1(?!\w)/g, '$2'],
  [/~~(?=\S)([^~\n]{1,500}?)(?<=\S)~~/g, '$1'],
  // HTML, and the elements of the engine's own prompt, which weak models imitate.
  [/<br\s*\/?>/gi, '\n'],
  [/<\/?[a-z][\w-]*(?:\s[^<>]*)?\/?>/gi, ''],
  [/\\([\\`*_{}[\]()#+\-.!>~|])/g, '$1'],
];

const ENTITIES: Readonly<Record<string, string>> = { lt: '<', gt: '>', amp: '&', quot: '"', '#39': "'", nbsp: ' ' };

export function withoutMarkdown(text: string): string {
  const decoded = text.replace(/&(lt|gt|amp|quot|#39|nbsp);/g, (_, name: string) => ENTITIES[name] ?? '');
  return MARKUP.reduce((plain, [mark, instead]) => plain.replace(mark, instead), decoded);
}

/** Removes repeated blank lines, spaces at the ends of lines and doubled spaces inside them. */
export function tidied(text: string): string {
  return text
    .replace(/(?<![ \t])[ \t]+$/gm, '')
    .replace(/(?<=\S)[ \t]{2,}/g, ' ')
    .replace(/\n{3,}/g, '\n\n')
    .trim();
}
