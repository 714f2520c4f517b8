const LITERAL = /'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"|`(?:[^`\\]|\\.)*`/;
/** Comments come first, so that an apostrophe in one begins no text. */
const PIECE = new RegExp(
  String.raw`\/\*[\s\S]*?\*\/|(?<=^|\s)\/\/.*|(?:${LITERAL.source})(?:\s*\+\s*(?:${LITERAL.source}))*`,
  'gm',
);

/** Reads the texts of a program: literals of three words or more, joined where the code joins them. */
export function literalsOf(code: string): { line: number; text: string }[] {
  return [...code.matchAll(PIECE)]
    .filter(([piece]) => !piece.startsWith('/'))
    .map((match) => ({
      line: code.slice(0, match.index).split('\n').length,
      text: [...match[0].matchAll(new RegExp(LITERAL, 'g'))].map(([literal]) => contentOf(literal)).join(''),
    }))
    .filter(({ text }) => isProse(text));
}

function contentOf(literal: string): string {
  return literal
    .slice(1, -1)
    .replaceAll(/\$\{(?:[^{}]|\{[^{}]*\})*\}/g, '1')
    .replaceAll(String.raw`\n`, '\n')
    .replaceAll(/\n+/g, '\n\n')
    .replaceAll(/\\(.)/g, '$1');
}

/** Not a statement of SQL, an import, a pattern or a list of classes. */
function isProse(text: string): boolean {
  const words = text.trim().split(/\s+/);
  const isSql =
    /^\s*(?:select|insert|update|delete|with|create|alter|begin)\b[\s\S]*\b(?:from|into|set|as|table)\b/i.test(text);
  return words.length >= 3 && words.filter((word) => /^[("'`]?[A-Za-z]{2,}/.test(word)).length >= 3 && !isSql;
}
