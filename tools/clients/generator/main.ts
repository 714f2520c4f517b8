import { globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { format, resolveConfig } from 'prettier';
import { readDocument } from './document.ts';
import { filesOf } from './files.ts';

const FOLDER = fileURLToPath(new URL('../../../packages/typescript/src/generated/', import.meta.url));

/** Makes the files of the client from the document, as they are committed. */
export async function generate(): Promise<Map<string, string>> {
  const config = await resolveConfig(FOLDER);
  return filesOf(readDocument(), (text) => format(text, { ...config, parser: 'typescript' }));
}

/** Returns the committed files. */
export function committed(): Map<string, string> {
  const paths = globSync('**/*.ts', { cwd: FOLDER });
  return new Map(paths.map((path) => [path, readFileSync(FOLDER + path, 'utf8')]));
}

if (import.meta.main) {
  const files = await generate();
  rmSync(FOLDER, { recursive: true, force: true });
  for (const [path, text] of files) {
    mkdirSync(dirname(FOLDER + path), { recursive: true });
    writeFileSync(FOLDER + path, text);
  }
}
