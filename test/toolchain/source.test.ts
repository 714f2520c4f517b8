import { describe, expect, it } from '@jest/globals';
import { dirname, join } from 'node:path';
import { isEngine, sourceFiles } from './source-files.ts';

const files = sourceFiles();
const engine = files.filter(isEngine);
const paths = (found: typeof files): string[] => found.map(({ path }) => path);
const importsOf = (text: string): string[] =>
  [...text.matchAll(/(?:from|import)\s*\(?\s*'([^']+)'/g)].map(([, specifier = '']) => specifier);

/** Without comments: prose may use any word. */
const codeOf = (text: string): string => text.replaceAll(/\/\*[\s\S]*?\*\/|(?<=^|\s)\/\/.*$/gm, '');

describe('the source', () => {
  it('has files to look at in every folder that exists', () => {
    expect(files.length).toBeGreaterThan(200);
  });

  it('reads the environment in config/config.ts alone, after a start has read .env into it', () => {
    const readers = engine.filter(({ text }) => /process\s*(\?\.|\.|\[['"])\s*env\b|node:process/.test(codeOf(text)));
    // bin/start.mjs tells the next Node only that it is the second one.
    expect(paths(readers)).toEqual(['bin/settings/env-file.ts', 'bin/start.mjs', 'config/config.ts']);
  });

  it('imports the configuration where processes are composed, and nowhere else', () => {
    const readers = engine.filter(({ text }) =>
      importsOf(text).some((specifier) => /(^|\/)config\.ts$/.test(specifier)),
    );
    expect(paths(readers).filter((path) => !path.startsWith('bin/') && !path.endsWith('/main.ts'))).toEqual([]);
  });

  it('keeps the configuration free of everything but zod', () => {
    const read = (path: string): Set<string> =>
      new Set(importsOf(files.find((file) => file.path === path)?.text ?? ''));
    const reached = new Set<string>();
    const follow = (path: string): void => {
      if (reached.has(path)) return;
      reached.add(path);
      for (const specifier of read(path)) if (specifier.startsWith('.')) follow(join(dirname(path), specifier));
    };
    follow('config/config.ts');
    // Bounds and names that domain owns; and of packages, zod alone.
    expect([...reached].filter((path) => !/^(config|domain)\//.test(path))).toEqual([]);
    expect(new Set([...reached].flatMap((path) => [...read(path)]).filter((name) => !name.startsWith('.')))).toEqual(
      new Set(['zod']),
    );
  });

  it('has no any', () => {
    const any = files.filter(({ text }) => /(:\s*|<|\bas\s+|\|\s*|,\s*)any\b\s*(\[\]|[>,;)=|{]|$)/m.test(codeOf(text)));
    expect(paths(any)).toEqual([]);
  });

  it('switches no check of the compiler or the lint off', () => {
    const off = files.filter(({ text }) => /@ts-(ignore|nocheck|expect-error)|(ox|es)lint-disable/.test(text));
    expect(paths(off)).toEqual([]);
  });
});
