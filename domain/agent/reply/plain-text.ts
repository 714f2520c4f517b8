/**
 * Removes what models write to look good in a page, and chats show as it is. The rules apply in this order. Nothing in them may
 * match in two ways (two stars over the same characters side by side), or a flood of blanks takes minutes.
 */
const MARKUP: readonly (readonly [RegExp, string])[] = [
  // Code: the lines of its fences, then what is marked in a line.
  [/^[ \t]*(?:```|~~~)[^\n`~]*$\n?/gm, ''],
  [/(`{1,3})([^`\n]{1,2000})\1/g, '$2'],
  // Links and pictures; a link that is its own name is said once.
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
  // Pages, and the marks of our own prompt, which weak models imitate.
  [/<br\s*\/?>/gi, '\n'],
  [/<\/?[a-z][\w-]*(?:\s[^<>]*)?\/?>/gi, ''],
  [/\\([\\`*_{}[\]()#+\-.!>~|])/g, '$1'],
];

const ENTITIES: Readonly<Record<string, string>> = { lt: '<', gt: '>', amp: '&', quot: '"', '#39': "'", nbsp: ' ' };

export function withoutMarkdown(text: string): string {
  const decoded = text.replace(/&(lt|gt|amp|quot|#39|nbsp);/g, (_, name: string) => ENTITIES[name] ?? '');
  return MARKUP.reduce((plain, [mark, instead]) => plain.replace(mark, instead), decoded);
}

/** Leaves no blank lines in a row, no spaces at the ends of lines, and none doubled inside them. */
export function tidied(text: string): string {
  return text
    .replace(/(?<![ \t])[ \t]+$/gm, '')
    .replace(/(?<=\S)[ \t]{2,}/g, ' ')
    .replace(/\n{3,}/g, '\n\n')
    .trim();
}
