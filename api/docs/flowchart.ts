import { escaped } from './page.ts';

/** The arrows of a drawing that go out from one node with the same words. */
interface Arrow {
  from: string;
  says: string;
  isMutual: boolean;
  to: string[];
}

/**
 * Shows a flowchart of Mermaid as the list of its arrows: served pages have no scripts, so nothing draws it there. Null
 * for another drawing.
 */
export function flowList(source: string): string | null {
  const items = arrowsOf(source)?.map(({ from, says, isMutual, to }) => {
    const words = says === '' ? '' : ` (${escaped(says)})`;
    return `<li><b>${escaped(from)}</b> ${isMutual ? '↔' : '→'} ${to.map(escaped).join(', ')}${words}</li>`;
  });
  return items === undefined ? null : `<ul>${items.join('\n')}</ul>\n`;
}

/** A node: its id, and what its box says in one of the brackets of Mermaid. */
const NODE = /^(\w+)(?:[[({]+"?([^"\])}]*)"?[\])}]+)?/;
/** An arrow: drawn through or dotted, and with words at it or not. */
const ARROW = /^\s*<?(?:--|-\.)(?:\s+"?([^">]+?)"?\s+(?:--|\.-)|\.?)?[->]*>?\s*/;
const AND = /^\s*&\s*/;

/** Reads the arrows in the order in which the drawing has them; undefined where it is no flowchart that is understood. */
function arrowsOf(source: string): Arrow[] | undefined {
  const [kind = '', ...lines] = source.trim().split('\n');
  if (!/^(?:flowchart|graph)\b/.test(kind)) return undefined;
  const names = new Map<string, string>();
  const arrows: Arrow[] = [];
  for (const line of lines) {
    let rest = line.trim();
    const nodes = (): string[] | null => {
      const found: string[] = [];
      for (;;) {
        const [node, id = '', label] = NODE.exec(rest) ?? [];
        if (node === undefined) return null;
        if (label !== undefined) names.set(id, label);
        found.push(id);
        rest = rest.slice(node.length);
        const and = AND.exec(rest);
        if (!and) return found;
        rest = rest.slice(and[0].length);
      }
    };
    let from = nodes();
    while (from !== null && rest.trim() !== '') {
      const [arrow, says = ''] = ARROW.exec(rest) ?? [];
      if (arrow === undefined || arrow.trim() === '') return undefined;
      rest = rest.slice(arrow.length);
      const to = nodes();
      if (to === null) return undefined;
      const isMutual = arrow.trim().startsWith('<');
      arrows.push(...from.map((one) => ({ from: one, says, isMutual, to })));
      from = to;
    }
    if (from === null) return undefined;
  }
  const named = (id: string): string => names.get(id) ?? id;
  return arrows.map((arrow) => ({ ...arrow, from: named(arrow.from), to: arrow.to.map(named) }));
}
