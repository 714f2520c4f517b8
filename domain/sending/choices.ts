import type { Button, List } from './content.ts';
import { buttonId, foldChoice } from './interactive.ts';

/** A choice that reads like an earlier choice of its message, and its place in the request. */
interface SameChoice {
  path: (string | number)[];
  message: string;
}

const SAME_WORDS = 'says the same as an earlier choice';
const SAME_ID = 'is the id of an earlier choice';

/**
 * Finds buttons that a reply could not tell apart. It leaves out buttons that open a page, because those are never
 * chosen.
 */
export function sameButtons(buttons: readonly Button[]): SameChoice[] {
  const [words, ids] = [new Set<string>(), new Set<string>()];
  return buttons.flatMap((button, index) => {
    if (button.type === 'url') return [];
    if (!added(words, foldChoice(button.text))) return [{ path: [index, 'text'], message: SAME_WORDS }];
    return added(ids, buttonId(button)) ? [] : [{ path: [index, 'id'], message: SAME_ID }];
  });
}

/**
 * Finds rows that a reply could not tell apart. Only rows of one section are compared by title: two days may both offer
 * nine o'clock.
 */
export function sameRows(sections: List['sections']): SameChoice[] {
  const ids = new Set<string>();
  return sections.flatMap(({ rows }, place) => {
    const titles = new Set<string>();
    return rows.flatMap((row, index) => {
      if (!added(titles, foldChoice(row.title))) {
        return [{ path: [place, 'rows', index, 'title'], message: SAME_WORDS }];
      }
      return added(ids, row.rowId) ? [] : [{ path: [place, 'rows', index, 'rowId'], message: SAME_ID }];
    });
  });
}

/** Adds the value to the set; false when the set had it already. */
function added(among: Set<string>, one: string): boolean {
  const isNew = !among.has(one);
  among.add(one);
  return isNew;
}
