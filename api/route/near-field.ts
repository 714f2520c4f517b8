import { editsAllowed, editsBetween } from '../../domain/words/edits-between.ts';

/** Words by which other APIs, and other routes of this one, call what a route has under a name of its own. */
const OTHER_WORDS: Readonly<Record<string, string>> = {
  body: 'text',
  caption: 'text',
  content: 'text',
  message: 'text',
  msg: 'text',
  phone: 'to',
  number: 'to',
  recipient: 'to',
  files: 'attachments',
  media: 'attachments',
  quote: 'replyTo',
  quoted: 'replyTo',
  schedule: 'sendAt',
  scheduledfor: 'sendAt',
  sessionid: 'session',
  agency: 'agencyId',
  tenant: 'tenantId',
};

/** Looking for what was meant costs time for each name, and nobody reads more of them. */
export const MAX_NAMED = 20;

/** Says that a route does not take a name, and which of its names was probably meant. */
export function unknownName(name: string, known: readonly string[], word: 'field' | 'parameter' = 'field'): string {
  const near = nearest(name, known);
  return `is not a ${word} of this request.${near === undefined ? '' : ` Did you mean "${near}"?`}`;
}

/** Returns the known name that differs least from the given one; undefined where none is near. */
function nearest(name: string, known: readonly string[]): string | undefined {
  const given = folded(name);
  const synonym = Object.hasOwn(OTHER_WORDS, given) ? OTHER_WORDS[given] : undefined;
  const byWord = known.find((each) => folded(each) === given) ?? known.find((each) => each === synonym);
  if (byWord !== undefined) return byWord;
  // A single letter is near to every other one.
  if (given.length < 2) return undefined;
  const [best] = known
    .map((each) => ({ each, edits: editsBetween(given, folded(each)) }))
    .toSorted((a, b) => a.edits - b.edits);
  return best !== undefined && best.edits <= editsAllowed(given.length) ? best.each : undefined;
}

/** Letters of a name that are compared. */
const MAX_COMPARED = 64;

/** `send_at`, `send-at` and `SENDAT` are spellings of `sendAt`. */
function folded(name: string): string {
  return name.slice(0, MAX_COMPARED).toLowerCase().replaceAll(/[_-]/g, '');
}
