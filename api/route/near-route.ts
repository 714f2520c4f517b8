import { editsBetween } from '../../domain/words/edits-between.ts';

/** A route that a path may mean. */
interface Known {
  method: string;
  path: string;
}

/** A path counts as misspelled if at most this number of letters differ. */
const MAX_EDITS = 2;
/** A segment of letters and dashes alone; ids, numbers and names made by the engine have digits or underscores. */
const WORD = /^[A-Za-z-]+$/;

/**
 * Returns the route that was probably meant by a path that differs from it in a few letters, one of the same method
 * first; undefined where none is near. A segment that stands for an id is never taken for a slip.
 */
export function nearestRoute(routes: readonly Known[], method: string, path: string): Known | undefined {
  const given = path.split('/');
  const near = routes
    .map((route) => ({ route, edits: editsOf(route.path.split('/'), given) }))
    .filter(({ edits }) => edits > 0 && edits <= MAX_EDITS)
    .toSorted((a, b) => rank(a.route) - rank(b.route) || a.edits - b.edits);
  function rank(route: Known): number {
    return route.method === method ? 0 : 1;
  }
  return near[0]?.route;
}

/** Counts the letters that differ in the fixed segments. Infinite if the path cannot mean this route. */
function editsOf(template: readonly string[], given: readonly string[]): number {
  if (template.length !== given.length) return Infinity;
  return template.reduce((edits, segment, place) => {
    const said = given[place] ?? '';
    if (segment.startsWith(':') || segment === said) return edits;
    // A word that is longer by more cannot be near, and the letters of a very long one are never compared.
    const mayBeNear = Math.abs(said.length - segment.length) <= MAX_EDITS && WORD.test(said);
    return mayBeNear ? edits + editsBetween(said, segment) : Infinity;
  }, 0);
}
