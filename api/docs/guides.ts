import { readdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { posix } from 'node:path';
import { ROOT, SERVED } from './shelves.ts';

const SNIPPETS = 'docs/snippets/';
const IMAGES = 'docs/images/';

/** Pages whose files are named as others are. */
const OTHER_NAMES: Readonly<Record<string, string>> = {
  'SECURITY.md': 'security-policy',
  'packages/typescript/README.md': 'typescript-client',
  'packages/n8n/README.md': 'n8n',
};

/** Decisions have the names of the guides about the same subject, so their pages carry the folder's name. */
const DECISIONS = 'docs/decisions/';

/** The name of a guide's page below `/docs`: `words` for `docs/start/words.md`. */
export function pageOf(file: string): string {
  const name = OTHER_NAMES[file] ?? posix.basename(file, '.md').toLowerCase();
  return file.startsWith(DECISIONS) ? `decisions-${name}` : name;
}

const FILE_OF = new Map(SERVED.map((file) => [pageOf(file), file]));

/** Pages that say why or how fast something is. The search lists them after those that say how to use it. */
export function isBackground(file: string): boolean {
  return file.startsWith(DECISIONS) || BACKGROUND.includes(file);
}

const BACKGROUND = [
  'CHANGELOG.md',
  'docs/evaluate/performance.md',
  'docs/evaluate/benchmark-method.md',
  'docs/reference/benchmarks.md',
];

/** Pages of releases up to 0.1.0, and the page that has most of each today. Links to them still lead somewhere. */
const MOVED = new Map([
  ['authors', 'first-automation'],
  ['backend', 'connect-a-backend'],
  ['beside', 'compare'],
  ['dashboards', 'send'],
  ['decisions', 'architecture'],
  ['operators', 'monitor'],
  ['runbooks', 'monitor'],
  ['scaling', 'scale'],
  ['webhooks', 'receive'],
]);

/** The page that a former page became; undefined for a name that is or was no page. */
export function movedTo(page: string): string | undefined {
  return FILE_OF.has(page) ? undefined : MOVED.get(page);
}

export function guideFile(page: string): string | undefined {
  return FILE_OF.get(page);
}

export async function readGuide(file: string): Promise<string> {
  return readFile(new URL(file, ROOT), 'utf8');
}

/**
 * Translates a link of a guide, or the address of a picture, for the served page, whose neighbours are the other guides.
 * Null for a file that is not served: it is in the repository only.
 */
export function servedLink(file: string, href: string): string | null {
  if (/^[a-z]+:|^#/.test(href)) return href;
  const [path = '', hash] = href.split('#');
  const target = posix.join(posix.dirname(file), path);
  const anchor = hash === undefined ? '' : `#${hash}`;
  if (SERVED.includes(target)) return pageOf(target) + anchor;
  if (target.startsWith(SNIPPETS)) return `snippets/${target.slice(SNIPPETS.length)}`;
  if (target.startsWith(IMAGES)) return `images/${target.slice(IMAGES.length)}`;
  return target === 'openapi.json' ? '../openapi.json' : null;
}

/** Addresses of the engine that guides name as code, with their paths from a guide's page. */
export const NAMED_PAGES: ReadonlyMap<string, string> = new Map([
  ['/docs', '../docs'],
  ['/docs/api', 'api'],
  ['/docs/errors', 'errors'],
  ['/openapi.json', '../openapi.json'],
]);

const RECEIVERS = readdirSync(new URL(SNIPPETS, ROOT));
const PICTURES = readdirSync(new URL(IMAGES, ROOT));

/** Reads a receiver that the guides show; undefined for an unknown name. */
export async function readSnippet(name: string): Promise<string | undefined> {
  return RECEIVERS.includes(name) ? readFile(new URL(SNIPPETS + name, ROOT), 'utf8') : undefined;
}

/** Reads a picture that the guides show; undefined for an unknown name. */
export async function readPicture(name: string): Promise<Buffer | undefined> {
  return PICTURES.includes(name) ? readFile(new URL(IMAGES + name, ROOT)) : undefined;
}

/** Reads the OpenAPI document that `npm run openapi` has made. */
export function readOpenApi(): Promise<string> {
  return readFile(new URL('../../openapi.json', import.meta.url), 'utf8');
}
