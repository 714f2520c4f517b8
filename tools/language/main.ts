import { checkLanguage } from './check.ts';
import { readingEase, sentencesOf, wordsOf } from './sentences.ts';
import { GROUPS, readTexts } from './texts.ts';

/*
 * Prints the language report: words, long sentences and reading ease by document, then each fault of a group that has
 * more than its limit. `npm run language -- docs` lists the faults of a group in any case.
 */

const [shown] = process.argv.slice(2);
const texts = readTexts();

function row(name: string, words: number | string, long: number | string, ease: number | string | null): string {
  return `${name.padEnd(34)} ${String(words).padStart(8)} ${String(long).padStart(8)} ${String(ease ?? '').padStart(8)}`;
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

say(row('document', 'words', '> 25', 'ease'));
for (const group of GROUPS) {
  const documents = Map.groupBy(texts[group], ({ place }) => (group === 'docs' ? place.replace(/:\d+$/, '') : group));
  for (const [name, all] of documents) {
    const prose = all.map(({ text }) => text);
    const sentences = prose.flatMap(sentencesOf);
    const long = sentences.filter((sentence) => wordsOf(sentence).length > 25).length;
    say(row(name, sentences.flatMap(wordsOf).length, long, readingEase(prose)));
  }
}

say('');
let isFine = true;
for (const { group, rule, found, limit } of checkLanguage(texts)) {
  const verdict = found.length > limit ? 'too many' : found.length < limit ? 'fewer: lower the limit' : 'ok';
  if (found.length > limit) isFine = false;
  if (found.length > 0 || limit > 0)
    say(`${group}, rule "${rule}": ${found.length} faults, limit ${limit} (${verdict})`);
  if (found.length > limit || group === shown) for (const fault of found) say(`  ${fault}`);
}
if (!isFine) process.exitCode = 1;
