import { globSync, readFileSync } from 'node:fs';
import { createOpenApiDocument } from '../../api/openapi.ts';
import { routes } from '../../api/routes.ts';
import { ERRORS } from '../../domain/error.ts';
import type { ErrorEntry } from '../../domain/errors/entry.ts';
import { OF_PROCESSES } from '../../domain/telemetry/of-processes.ts';
import { OF_ROWS } from '../../domain/telemetry/of-rows.ts';
import { literalsOf } from './literals.ts';
import { proseOf } from './prose.ts';
import type { Text } from './rules.ts';

const ROOT = new URL('../../', import.meta.url);
const CONSOLE = 'packages/console/{parts/words/**,**/*words}.{ts,tsx}';

export const GROUPS = ['docs', 'openapi', 'errors', 'metrics', 'cli', 'temporal', 'console'] as const;
export type Group = (typeof GROUPS)[number];

/** Reads every text for people, by its group. */
export function readTexts(): Record<Group, Text[]> {
  return {
    docs: pages('README.md', 'CONTRIBUTING.md', 'SECURITY.md', 'docs/**/*.md'),
    openapi: openApiTexts(JSON.parse(JSON.stringify(createOpenApiDocument(routes)))),
    errors: errorTexts(),
    metrics: Object.entries({ ...OF_PROCESSES, ...OF_ROWS }).map(([place, { help }]) => ({ place, text: help })),
    cli: code('bin/**/*.ts'),
    temporal: code('workflows/**/*.ts'),
    console: code(CONSOLE),
  };
}

function read(patterns: readonly string[]): { path: string; text: string }[] {
  return globSync(patterns, { cwd: ROOT })
    .toSorted()
    .map((path) => ({ path, text: readFileSync(new URL(path, ROOT), 'utf8') }));
}

function pages(...patterns: string[]): Text[] {
  return read(patterns).flatMap(({ path, text }) =>
    proseOf(text).map((block) => ({ place: `${path}:${block.line}`, text: block.text })),
  );
}

function code(...patterns: string[]): Text[] {
  return read(patterns).flatMap(({ path, text }) =>
    literalsOf(text).map((literal) => ({ place: `${path}:${literal.line}`, text: literal.text })),
  );
}

function errorTexts(): Text[] {
  const rows: [string, ErrorEntry][] = Object.entries(ERRORS);
  return rows.flatMap(([code, { title, cause, mend, example }]) =>
    [title, cause, mend, example.detail].map((text) => ({ place: code, text })),
  );
}

/** Reads summaries and descriptions; a paragraph of a list of values is a text of its own. */
function openApiTexts(document: unknown): Text[] {
  const texts = new Map<string, string>();
  visit(document, '', (text, place) => {
    for (const part of text.split(/\n\n|\n- /)) if (!texts.has(part)) texts.set(part, place);
  });
  return [...texts].map(([text, place]) => ({ place, text: text.replace(/^(?:- )?(`[^`]*`): /, '') }));
}

function visit(node: unknown, place: string, each: (text: string, place: string) => void, isNames = false): void {
  if (typeof node !== 'object' || node === null) return;
  for (const [key, inner] of Object.entries(node)) {
    const isText = typeof inner === 'string' && (key === 'summary' || key === 'description');
    if (isText && !isNames) each(inner, place);
    else if (isNames || (key !== 'example' && key !== 'examples'))
      visit(inner, `${place}.${key}`, each, key === 'properties' && !isNames);
  }
}
