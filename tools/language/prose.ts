/** Reads the prose of a page in Markdown: headings, paragraphs and items, without code and tables. */
export function proseOf(page: string): { line: number; text: string }[] {
  const blocks: { line: number; text: string }[] = [];
  let open: { line: number; text: string } | null = null;
  let isCode = false;
  const close = (): void => {
    if (open !== null && open.text.trim() !== '') blocks.push({ line: open.line, text: readable(open.text) });
    open = null;
  };
  for (const [index, line] of page
    .replaceAll(/<!--[\s\S]*?-->/g, blank)
    .split('\n')
    .entries()) {
    if (/^\s*(?:```|~~~)/.test(line)) {
      isCode = !isCode;
      close();
    } else if (isCode || /^\s*\|/.test(line) || /^\s*</.test(line) || line.trim() === '') close();
    else {
      if (/^\s*(?:#+|[-*]|\d+\.|>)\s/.test(line)) close();
      open ??= { line: index + 1, text: '' };
      open.text += ` ${line.replace(/^\s*(?:#+|[-*]|\d+\.|>)\s+/, '')}`;
      if (line.startsWith('#')) close();
    }
  }
  close();
  return blocks;
}

/** Keeps the lines of what it removes, so that later lines keep their numbers. */
function blank(removed: string): string {
  return removed.replaceAll(/[^\n]/g, '');
}

/** The words of links and of emphasis; an address is no word. */
function readable(text: string): string {
  return text
    .replaceAll(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replaceAll(/\*\*|__/g, '')
    .replaceAll(/https?:\/\/\S+/g, '`address`')
    .trim();
}
