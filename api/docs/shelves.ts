import { readdirSync } from 'node:fs';
import { posix } from 'node:path';

/** The files lie beside the engine's own: in a checkout and in the image. */
export const ROOT = new URL('../../', import.meta.url);

/** A part of the navigation, with its files in the order in which it lists them. */
export interface Shelf {
  title: string;
  files: readonly string[];
}

interface Place {
  title: string;
  folder: string;
  /** The names of pages in their order. A page that is not named follows the named ones. */
  order: readonly string[];
  /** Files outside of `docs/`. */
  before?: readonly string[];
  after?: readonly string[];
}

const PLACES: readonly Place[] = [
  { title: 'Start', folder: 'docs/start', before: ['README.md'], order: ['concepts', 'words', 'sandbox'] },
  {
    title: 'Guides',
    folder: 'docs/guides',
    order: [
      'keys-and-tenants',
      'connect-an-account',
      'send',
      'retry-safely',
      'media',
      'buttons-and-lists',
      'change-a-message',
      'pace-and-limits',
      'why-not-sent',
      'inbox',
      'people',
      'groups',
      'history-and-gaps',
      'take-over',
      'agent',
      'agent-failures',
      'automations',
      'automation-requests',
      'opt-outs',
      'console',
      'mirror',
    ],
  },
  {
    title: 'Webhooks',
    folder: 'docs/webhooks',
    order: ['receive', 'verify', 'retries-and-order', 'replay-and-pull'],
  },
  {
    title: 'Reference',
    folder: 'docs/reference',
    order: ['contract', 'events', 'cli', 'configuration', 'metrics', 'backend-routes', 'automation-context'],
    after: ['packages/typescript/README.md', 'packages/n8n/README.md'],
  },
  {
    title: 'Operate',
    folder: 'docs/operate',
    order: [
      'deploy',
      'connect-a-backend',
      'database',
      'files',
      'models',
      'upgrade',
      'backup',
      'monitor',
      'temporal-ui',
      'scale',
      'limits',
      'several-backends',
      'security',
      'encryption-key',
      'audit-log',
      'personal-data',
    ],
    after: ['SECURITY.md'],
  },
  {
    title: 'Extend',
    folder: 'docs/extend',
    order: ['first-automation', 'define-automation', 'test-automation', 'change-running-code', 'architecture', 'walks'],
    after: ['CONTRIBUTING.md'],
  },
  {
    title: 'Evaluate',
    folder: 'docs/evaluate',
    order: ['compare', 'performance', 'benchmark-method'],
    after: ['CHANGELOG.md'],
  },
];

/** All pages below `docs/`, by their paths from the root. */
const PAGES = readdirSync(new URL('docs/', ROOT), { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.md'))
  .map((name) => `docs/${name.replaceAll('\\', '/')}`)
  .toSorted();

/** The navigation. It comes from the folders, so a new page appears in it by itself. */
export const SHELVES: readonly Shelf[] = PLACES.map(({ title, folder, order, before = [], after = [] }) => ({
  title,
  files: [...before, ...inOrder(folder, order), ...after],
}));

/** Every file that has a served page: those of the navigation, then the rest of `docs/`, such as the decisions. */
export const SERVED: readonly string[] = [...new Set([...SHELVES.flatMap(({ files }) => files), ...PAGES])];

function inOrder(folder: string, order: readonly string[]): string[] {
  const rank = (path: string): number => {
    const index = order.indexOf(posix.basename(path, '.md'));
    return index < 0 ? order.length : index;
  };
  return PAGES.filter((path) => path.startsWith(`${folder}/`)).toSorted((a, b) => rank(a) - rank(b));
}
