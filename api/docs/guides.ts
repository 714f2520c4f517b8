import { readFile } from 'node:fs/promises';
import { posix } from 'node:path';

/** The files lie beside the engine's own: in a checkout and in the image. */
const ROOT = new URL('../../', import.meta.url);

/** The guides that are served, by their readers; a test demands that each page of docs/ is here. */
export const SHELVES = [
  {
    title: 'Begin, and build a dashboard',
    files: [
      'README.md',
      'docs/dashboards.md',
      'docs/webhooks.md',
      'docs/mirror.md',
      'docs/agent.md',
      'docs/console.md',
      'docs/automations.md',
      'docs/people.md',
      'docs/personal-data.md',
      'docs/sandbox.md',
      'packages/typescript/README.md',
      'packages/n8n/README.md',
      'docs/contract.md',
      'docs/beside.md',
      'docs/words.md',
    ],
  },
  {
    title: 'Operate',
    files: [
      'docs/connect-a-backend.md',
      'docs/deploy.md',
      'docs/configuration.md',
      'docs/operators.md',
      'docs/runbooks.md',
      'docs/metrics.md',
      'docs/scaling.md',
      'docs/performance.md',
      'docs/security.md',
      'SECURITY.md',
      'CHANGELOG.md',
    ],
  },
  {
    title: 'Understand and change',
    files: [
      'docs/architecture.md',
      'docs/authors.md',
      'docs/backend.md',
      'docs/backend-routes.md',
      'docs/decisions.md',
      'CONTRIBUTING.md',
    ],
  },
] as const;

const FILES: readonly string[] = SHELVES.flatMap(({ files }) => files);
const SNIPPETS = 'docs/snippets/';
const IMAGES = 'docs/images/';

/** Pages whose files are named as others are. */
const OTHER_NAMES: Readonly<Record<string, string>> = {
  'SECURITY.md': 'security-policy',
  'packages/typescript/README.md': 'typescript-client',
  'packages/n8n/README.md': 'n8n',
};

/** The name of a guide's page below `/docs`: `dashboards` for `docs/dashboards.md`. */
export function pageOf(file: string): string {
  return OTHER_NAMES[file] ?? posix.basename(file, '.md').toLowerCase();
}

const FILE_OF = new Map(FILES.map((file) => [pageOf(file), file]));

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
  if (FILES.includes(target)) return pageOf(target) + anchor;
  if (target.startsWith(SNIPPETS)) return `snippets/${target.slice(SNIPPETS.length)}`;
  if (target.startsWith(IMAGES)) return `images/${target.slice(IMAGES.length)}`;
  return target === 'openapi.json' ? '../openapi.json' : null;
}

/** Addresses of the engine that guides name as code, and where they are from a guide's page. */
export const NAMED_PAGES: ReadonlyMap<string, string> = new Map([
  ['/docs', '../docs'],
  ['/docs/api', 'api'],
  ['/docs/errors', 'errors'],
  ['/openapi.json', '../openapi.json'],
]);

/** The receivers that the guides show. */
const RECEIVERS = ['mirror.ts', 'verify.go', 'verify.php', 'verify.py', 'verify.ts', 'verify-n8n.js'];

/** Reads a receiver; undefined where there is none of this name. */
export async function readSnippet(name: string): Promise<string | undefined> {
  return RECEIVERS.includes(name) ? readFile(new URL(SNIPPETS + name, ROOT), 'utf8') : undefined;
}

/** Reads the OpenAPI document that `npm run openapi` has made. */
export function readOpenApi(): Promise<string> {
  return readFile(new URL('../../openapi.json', import.meta.url), 'utf8');
}

/** The pictures that the guides show. */
const PICTURES = [
  'connect-link.png',
  ...['walk-1', 'walk-2', 'walk-3', 'connect', 'message', 'events', 'agent', 'automations', 'operations'].map(
    (name) => `console-${name}.png`,
  ),
];

/** Reads a picture; undefined where there is none of this name. */
export async function readPicture(name: string): Promise<Buffer | undefined> {
  return PICTURES.includes(name) ? readFile(new URL(IMAGES + name, ROOT)) : undefined;
}
