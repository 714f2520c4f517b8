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

/** Says that a route does not take a field, and which of its fields was probably meant. */
export function unknownField(name: string, known: readonly string[]): string {
  const near = nearest(name, known);
  return `is not a field of this request.${near === undefined ? '' : ` Did you mean "${near}"?`}`;
}

/** Returns the known name that differs least from the given one; undefined where none is near. */
function nearest(name: string, known: readonly string[]): string | undefined {
  const given = folded(name);
  const synonym = Object.hasOwn(OTHER_WORDS, given) ? OTHER_WORDS[given] : undefined;
  const byWord = known.find((each) => folded(each) === given) ?? known.find((each) => each === synonym);
  if (byWord !== undefined) return byWord;
  const [best] = known
    .map((each) => ({ each, edits: editsBetween(given, folded(each)) }))
    .toSorted((a, b) => a.edits - b.edits);
  return best !== undefined && best.edits <= Math.max(1, Math.floor(given.length / 3)) ? best.each : undefined;
}

/** `send_at`, `send-at` and `SENDAT` are spellings of `sendAt`. */
function folded(name: string): string {
  return name.toLowerCase().replaceAll(/[_-]/g, '').slice(0, 64);
}

/** Counts the characters that must be changed, added or taken away to make one word of the other (Levenshtein). */
function editsBetween(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, index) => index);
  for (const [i, letter] of Array.from(from).entries()) {
    const next = [i + 1];
    for (const [j, other] of Array.from(to).entries()) {
      const replaced = (row[j] ?? 0) + (letter === other ? 0 : 1);
      next.push(Math.min(replaced, (row[j + 1] ?? 0) + 1, (next[j] ?? 0) + 1));
    }
    row = next;
  }
  return row.at(-1) ?? 0;
}
