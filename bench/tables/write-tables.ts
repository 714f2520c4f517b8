import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** The comments around a table that is made from files of results. */
const BEGIN = '<!-- made by npm run bench -- --table -->\n\n';
const END = '\n\n<!-- end of what is made -->';

/** Puts a table into its document, between the two comments. */
export function writeTable(document: string, table: string): void {
  const path = fileURLToPath(new URL(`../../docs/${document}`, import.meta.url));
  const text = readFileSync(path, 'utf8');
  const [from, to] = [text.indexOf(BEGIN) + BEGIN.length, text.indexOf(END)];
  if (from < BEGIN.length || to < from) throw new Error(`${path} has no place for a table.`);
  writeFileSync(path, text.slice(0, from) + table + text.slice(to));
}
