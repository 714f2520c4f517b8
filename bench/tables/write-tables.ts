import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** The comments around a table that is made from files of results; the first names the table where a page has two. */
const beginOf = (name: string): string => `<!-- made by npm run bench -- --table${name} -->\n\n`;
const END = '\n\n<!-- end of what is made -->';

/** Puts a table into its document, between the two comments. */
export function writeTable(document: string, table: string, name = ''): void {
  const path = fileURLToPath(new URL(`../../docs/${document}`, import.meta.url));
  const text = readFileSync(path, 'utf8');
  const begin = beginOf(name);
  const from = text.indexOf(begin) + begin.length;
  const to = text.indexOf(END, from - 2);
  if (from < begin.length || to < 0) throw new Error(`${path} has no place for a table.`);
  writeFileSync(path, text.slice(0, from) + table + text.slice(to));
}
