import type { Guard } from './guards.ts';
import type { SourceFile } from './source-files.ts';

/** The cells of the tables that say where a word lives. */
function rowsOf(page: string): { word: string; means: string; home: string }[] {
  return page
    .split('\n')
    .filter((line) => /^\|.*\| `[\w./-]+`.*\|$/.test(line))
    .map((line) => {
      const [word = '', means = '', home = ''] = line
        .slice(1, -1)
        .split('|')
        .map((cell) => cell.trim());
      return { word, means, home };
    });
}

const quotedIn = (text: string): string[] => [...text.matchAll(/`([^`]+)`/g)].map(([, quoted = '']) => quoted);

/** A verb stands in code in other forms, too, and a name without the spaces. */
function patternOf(word: string): RegExp {
  const plain = word
    .replaceAll('`', '')
    .replaceAll('…', '')
    .replace(/ \(.*\)$/, '');
  const stem = plain.startsWith('to ') ? plain.slice(3).replace(/e$/, '') : plain;
  return new RegExp(stem.replaceAll(' ', '[ _-]?'), 'i');
}

/** Each word of docs/words.md, or the name in the code that its row tells in brackets, stands in a file that the row names. */
export function guardWords(files: readonly SourceFile[]): Guard {
  return (pages) =>
    pages.flatMap(({ path, text }) =>
      rowsOf(text).flatMap(({ word, means, home }) => {
        const homes = quotedIn(home);
        const texts = files.filter((file) => homes.some((place) => file.path === place || file.path.startsWith(place)));
        const inCode = [...means.matchAll(/\((`[^()]+`)\)/g)].flatMap(([, names = '']) => quotedIn(names));
        return word
          .replace(/ \((?:of|at|a) .*\)$/, '')
          .split(', ')
          .filter((each) => {
            const patterns = [each, ...inCode].map(patternOf);
            return !texts.some((file) => patterns.some((pattern) => pattern.test(file.text)));
          })
          .map(
            (each) =>
              `${path} says that "${each}" lives in ${home}, where it does not stand: name the file where it does, or tell its name there in brackets.`,
          );
      }),
    );
}
