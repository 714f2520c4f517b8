import type { Guard } from './guards.ts';
import type { SourceFile } from './source-files.ts';

/** A name in code has no spaces. */
const patternOf = (term: string): RegExp => new RegExp(term.replaceAll(' ', '[ _-]?'), 'i');

/** Each term of the page of words has one definition, and the code uses the same word. */
export function guardTerms(files: readonly SourceFile[]): Guard {
  return (pages) =>
    pages.flatMap(({ path, text }) => {
      const terms = [...text.matchAll(/^## (.+)$/gm)].map(([, term = '']) => term);
      const twice = terms.filter((term, index) => terms.indexOf(term) < index);
      const unused = terms.filter((term) => !files.some((file) => patternOf(term).test(file.text)));
      return [
        ...twice.map((term) => `${path} defines "${term}" twice: keep one definition.`),
        ...unused.map((term) => `${path} defines "${term}", and no code uses that word: use the word of the code.`),
      ];
    });
}
