import { ENGINE } from './tools/modules/order.ts';
import { misplaced, readTree, strangersOf } from './tools/modules/tree.ts';

/*
 * The lint. Most of it lists what the files of a folder must not import. The modules come from the tree, and their order
 * from tools/modules/order.ts. A later line wins over an earlier one for the files of both, so a module's line repeats
 * the rules of its folder. test/toolchain/arrows.ts tries each arrow.
 */

/** A pattern of `no-restricted-imports`. */
type Refusal = { message: string; allowTypeImports?: boolean } & ({ regex: string } | { group: string[] });

interface Arrow {
  files: string[];
  rules: { 'no-restricted-imports': ['error', { patterns: Refusal[] }] };
}

/** Why a workflow reaches nothing outside. */
const RUN_AGAIN =
  'Temporal runs its code again to find where it was, and the answers would differ (docs/extend/add-workflow.md, "Rules")';
/** Globals that Node offers and Temporal withholds from workflows; Temporal replaces the clock, timers and chance. */
const OUTSIDE_GLOBALS = ['fetch', 'WebSocket', 'EventSource', 'process', 'performance', 'crypto'];

const tree = readTree(import.meta.dirname);
const [problem] = misplaced(tree);
if (problem !== undefined) throw new Error(problem);

/** Folders anywhere above the file: of the project, or modules of its own folder. */
const into = (...folders: string[]): string => String.raw`^(\.\./)+(${folders.join('|')})/`;
const intoAllBut = (...folders: string[]): string =>
  into(...Object.keys(ENGINE).filter((folder) => !folders.includes(folder)));
const TEMPORAL = '^@temporalio/';
/** The adapters that only activities use. */
const NOT_BACKEND = ['egress', 'media-store', 'models'].map((name) => `adapters/${name}`);
const anyOf = (...patterns: string[]): string => patterns.join('|');

const arrow = (files: string, ...patterns: Refusal[]): Arrow => ({
  files: [`${files}/**`],
  rules: { 'no-restricted-imports': ['error', { patterns }] },
});

/** The modules of a folder: each may import the modules below it, by the order. */
const modulesOf = (folder: string, own: Refusal[], more: Readonly<Record<string, Refusal[]>> = {}): Arrow[] => [
  ...(own.length > 0 ? [arrow(folder, ...own)] : []),
  ...(tree.modules[folder] ?? []).flatMap((module) => {
    const strangers = strangersOf(folder, module);
    const all = [...(more[module] ?? own)];
    if (strangers.length > 0) {
      all.unshift({
        regex: into(...strangers),
        message: `${folder}/${module} imports only modules below it (tools/modules/order.ts): move the shared part down`,
      });
    }
    return all.length > 0 ? [arrow(`${folder}/${module}`, ...all)] : [];
  }),
];

/** Allows only the named packages. It comes last, because later patterns do not apply to a path that a group allows. */
const onlyPackages = (...names: string[]): { group: string[] } => ({
  group: ['*', '!./**', '!../**', ...names.map((name) => `!${name}`)],
});

/** Small libraries of the console's controls (docs/decisions/tooling.md). */
const OF_DATA = ['@tanstack/query-core', '@tanstack/virtual-core'];
const OF_CONTROLS = ['@github/combobox-nav', 'keyux', 'linkify-it', 'lucide-static/icons/*', 'uplot'];

const OF_DOMAIN: Refusal[] = [
  {
    regex: intoAllBut('domain'),
    message: 'domain imports zod and itself',
  },
  { ...onlyPackages('zod'), message: 'domain imports zod and itself' },
];

/** The language of workflows reads YAML and evaluates expressions in threads. */
const OF_FLOWS: Refusal[] = [
  {
    regex: intoAllBut('domain'),
    message: 'domain imports zod and itself',
  },
  {
    ...onlyPackages('zod', 'yaml', '@marcbachmann/cel-js', 'node:fs', 'node:worker_threads'),
    message: 'domain/flows imports zod, a parser of YAML, the expressions and threads',
  },
];

const OF_DB: Refusal[] = [
  {
    regex: anyOf(intoAllBut('db', 'domain'), TEMPORAL),
    message: 'db imports domain, MikroORM, kysely, pg',
  },
  {
    regex: String.raw`^(\.\./)+domain/error\.ts$`,
    message: 'db answers null or an outcome; api and activities, its callers, make an error of that',
  },
];

/** A client of its own would go to one server, wherever a session is. */
const NO_CLIENT: Refusal = {
  regex: String.raw`^(\.\./)+adapters/backend/client\.ts$`,
  message: 'a backend is reached by naming the session: adapters/backend/backends.ts',
};

const OF_ACTIVITIES: Refusal[] = [
  NO_CLIENT,
  { regex: into('workflows'), allowTypeImports: true, message: 'workflows as types only' },
  {
    regex: anyOf(
      intoAllBut('activities', 'workflows', 'db', 'adapters', 'domain'),
      '^@temporalio/(worker|client|workflow)$',
    ),
    message: 'activities import domain, db, adapters, @temporalio/activity',
  },
];

const OF_API: Refusal[] = [
  NO_CLIENT,
  {
    regex: anyOf(
      intoAllBut('api', 'loops', 'db', 'adapters', 'config', 'domain'),
      into('loops/dispatch', ...NOT_BACKEND),
      TEMPORAL,
    ),
    message: 'api imports domain, db and adapters/backend; api/start.ts also the loops that it runs',
  },
];

const OF_WORKFLOWS: Refusal[] = [
  { regex: into('activities'), allowTypeImports: true, message: 'activities as types only' },
  {
    regex: intoAllBut('activities', 'workflows', 'domain'),
    message: 'workflows are deterministic: they import domain values, other workflows and types of activities',
  },
  {
    ...onlyPackages('@temporalio/workflow', '@temporalio/common'),
    message: 'workflows import no package but @temporalio/workflow',
  },
];

const OF_AUTOMATIONS: Refusal[] = [
  { regex: into('activities'), allowTypeImports: true, message: 'activities as types only' },
  {
    regex: intoAllBut('activities', 'workflows', 'domain'),
    message:
      'an automation is deterministic: what it does outside it does by its context (docs/reference/automation-context.md)',
  },
  {
    ...onlyPackages('@temporalio/workflow', '@temporalio/common', 'zod'),
    message: `an automation imports zod for its parameters and @temporalio/workflow, and no other package: ${RUN_AGAIN}`,
  },
];

const OF_ADAPTERS: Refusal[] = [
  {
    regex: anyOf(intoAllBut('adapters', 'domain'), TEMPORAL),
    message: 'a client of a foreign host imports domain and knows no rows: its caller gives it what it needs',
  },
];

const OF_EMBEDDED: Refusal[] = [
  {
    regex: anyOf(intoAllBut('local'), into('sandbox'), TEMPORAL, '^zod$'),
    message: 'embedded imports node and its binaries only',
  },
];

const OF_SANDBOX: Refusal[] = [
  {
    regex: anyOf(intoAllBut('domain', 'local'), TEMPORAL),
    message: 'the sandbox stands alone: the engine meets it over HTTP only',
  },
  { regex: into('domain'), allowTypeImports: true, message: 'types of the network only' },
];

const OF_DISPATCH: Refusal[] = [
  { regex: into('workflows'), allowTypeImports: true, message: 'workflows as types only' },
  {
    regex: anyOf(
      intoAllBut('workflows', 'loops', 'db', 'domain'),
      String.raw`^(\.\./)+[\w-]+\.ts$`,
      '^@temporalio/(worker|activity|workflow)$',
    ),
    message: "dispatch imports domain, db and Temporal's client",
  },
];

const OF_LOOPS: Refusal[] = [
  NO_CLIENT,
  { regex: into('activities'), allowTypeImports: true, message: 'activities as types only' },
  {
    regex: anyOf(
      intoAllBut('activities', 'loops', 'db', 'adapters', 'domain'),
      into(...NOT_BACKEND),
      '^@temporalio/(worker|activity|workflow)$',
    ),
    message: 'loops import domain, db and adapters/backend',
  },
];

const ARROWS: Arrow[] = [
  arrow(
    'packages/console',
    {
      regex: anyOf(intoAllBut(), into('n8n', 'tools'), String.raw`^(\.\./)+typescript/src/([^i]|i[^n])`),
      message: 'the console reaches the engine by its client alone, packages/typescript/src/index.ts',
    },
    {
      ...onlyPackages('preact', 'preact/*', '@preact/signals', ...OF_DATA, ...OF_CONTROLS),
      message: 'the console imports preact, its signals and the libraries of its data and controls',
    },
  ),

  ...modulesOf('domain', OF_DOMAIN, { flows: OF_FLOWS }),
  ...modulesOf('db', OF_DB),

  arrow('config', { regex: intoAllBut('config', 'domain'), message: 'config imports domain' }),
  ...modulesOf('adapters', OF_ADAPTERS),
  ...modulesOf('loops', OF_LOOPS, { dispatch: OF_DISPATCH }),
  ...modulesOf('activities', OF_ACTIVITIES),
  ...modulesOf('workflows', OF_WORKFLOWS, { automations: OF_AUTOMATIONS }),
  ...modulesOf('api', OF_API),

  arrow('worker', { regex: into('api', 'local', 'bin'), message: 'worker never imports api or sandbox' }),

  arrow(
    'packages/typescript',
    {
      regex: anyOf(intoAllBut(), into('console', 'n8n', 'tools')),
      message: 'the client runs wherever there is fetch: it imports itself alone',
    },
    { ...onlyPackages(), message: 'the client runs wherever there is fetch: it imports no package' },
  ),

  ...modulesOf('local', [], { embedded: OF_EMBEDDED, sandbox: OF_SANDBOX }),
  ...modulesOf('local/embedded', OF_EMBEDDED),
  ...modulesOf('bin', []),
];

/** They import n8n's packages, which are not installed here; its own `npm run build` and `npm run lint` check them. */
const OF_N8N = ['credentials', 'nodes', 'dist', 'eslint.config.mjs'].map((part) => `packages/n8n/${part}`);

export default {
  plugins: ['import', 'typescript', 'unicorn'],
  ignorePatterns: ['node_modules', 'data', 'coverage', 'docs/snippets/verify-n8n.js', ...OF_N8N],
  categories: { correctness: 'error' },
  rules: {
    'import/no-cycle': 'error',
    'typescript/no-import-type-side-effects': 'error',
    'typescript/consistent-type-imports': 'error',
    'typescript/no-floating-promises': 'error',
    'typescript/no-misused-promises': 'error',
    'typescript/await-thenable': 'error',
    'typescript/no-explicit-any': 'error',
    'typescript/no-non-null-assertion': 'error',
    'no-console': 'error',
    'no-empty': 'error',
    'no-restricted-properties': [
      'error',
      { object: 'process', property: 'env', message: 'config/config.ts is the only reader of the environment' },
    ],
  },
  overrides: [
    {
      files: [
        'config/config.ts',
        'bin/settings/env-file.ts',
        'bin/start.mjs',
        'test/**',
        'tools/**',
        'tools/bench/**',
        'docs/snippets/**',
      ],
      rules: { 'no-restricted-properties': 'off' },
    },
    { files: ['bin/**', 'tools/bench/**', 'docs/snippets/**'], rules: { 'no-console': 'off' } },
    {
      // Tasks of the Serverless Workflow DSL have a property `then`, which is never a function.
      files: ['domain/flows/**', 'packages/console/pages/workflows/**', 'test/**/{flows,workflows}/**'],
      rules: { 'unicorn/no-thenable': 'off' },
    },
    {
      files: ['workflows/**'],
      rules: {
        'no-restricted-globals': [
          'error',
          ...OUTSIDE_GLOBALS.map((name) => ({ name, message: `a workflow reaches nothing outside: ${RUN_AGAIN}` })),
        ],
      },
    },
    ...ARROWS,
  ],
};
