/** A part of a text: words, or what a mark or a link encloses. */
export type Part =
  | { kind: 'words'; text: string }
  | { kind: 'link'; text: string; to: string }
  | { kind: 'code'; mark: string; text: string }
  | { kind: 'bold' | 'italic' | 'struck'; mark: string; parts: Part[] };

/** The network's own marks. Each stands at the edge of a word, and encloses no blank at its own edges. */
const MARKS = { '*': 'bold', _: 'italic', '~': 'struck' } as const;

/** Code first, then links: within them no mark counts. `\x60` is the sign that encloses code. */
const FOUND = new RegExp(
  [
    String.raw`(?<code>(?<fence>\x60{3}|\x60)(?<raw>[^\x60]{1,1024}?)\k<fence>)`,
    String.raw`(?<link>https?:\/\/[^\s<>"'\x60]+)`,
    String.raw`(?<![\p{L}\p{N}*_~])(?<mark>[*_~])(?<inner>[^\s*_~]|\S[^\n]{0,1024}?\S)\k<mark>(?![\p{L}\p{N}*_~])`,
  ].join('|'),
  'gu',
);

/** A sign after an address ends the sentence. A bracket belongs to the address if it opens within. */
const linkIn = (found: string): string => {
  const endings = found.includes('(') ? '.,;:!?*_~' : '.,;:!?*_~)';
  let end = found.length;
  while (endings.includes(found.charAt(end - 1))) end -= 1;
  return found.slice(0, end);
};

/** Marks lie within others so deep; a text of nothing but marks would else exhaust the stack. */
const MAX_DEPTH = 3;

const partOf = (
  groups: Readonly<Record<string, string | undefined>>,
  depth: number,
): { part: Part; length: number } => {
  const { code, fence = '', raw = '', link, mark = '', inner = '' } = groups;
  if (code !== undefined) return { part: { kind: 'code', mark: fence, text: raw }, length: code.length };
  if (link !== undefined) {
    const text = linkIn(link);
    return { part: { kind: 'link', text, to: text }, length: text.length };
  }
  const kind = mark === '*' || mark === '_' || mark === '~' ? MARKS[mark] : 'bold';
  return { part: { kind, mark, parts: within(inner, depth + 1) }, length: inner.length + 2 };
};

const within = (text: string, depth: number): Part[] => {
  if (depth > MAX_DEPTH) return [{ kind: 'words', text }];
  const parts: Part[] = [];
  let end = 0;
  const search = new RegExp(FOUND);
  for (let found = search.exec(text); found !== null; found = search.exec(text)) {
    if (found.index > end) parts.push({ kind: 'words', text: text.slice(end, found.index) });
    const { part, length } = partOf(found.groups ?? {}, depth);
    parts.push(part);
    end = found.index + length;
    search.lastIndex = end;
  }
  if (end < text.length) parts.push({ kind: 'words', text: text.slice(end) });
  return parts;
};

/** Splits a text at its links and at the network's marks. All parts together are the whole text. */
export const partsOf = (text: string): Part[] => within(text, 0);
