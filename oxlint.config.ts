/*
 * The lint. Most of it is one table: what the files of a folder must not import. A later line wins over an earlier one
 * for the files of both, so a room's line repeats its folder's rules by calling the same function.
 * test/toolchain/arrows.ts tries each arrow.
 */

/** A pattern of `no-restricted-imports`. */
type Refusal = { message: string; allowTypeImports?: boolean } & ({ regex: string } | { group: string[] });

interface Arrow {
  files: string[];
  rules: { 'no-restricted-imports': ['error', { patterns: Refusal[] }] };
}

/** Why a workflow reaches nothing outside. */
const RUN_AGAIN =
  'Temporal runs its code again to find where it was, and the answers would differ (docs/authors.md, The rules)';
/** What Node offers everywhere and Temporal does not give to workflows; its clock, timers and chance it replaces. */
const OUTSIDE_GLOBALS = ['fetch', 'WebSocket', 'EventSource', 'process', 'performance', 'crypto'];

const SUBJECTS = ['sending', 'network', 'conversations', 'sessions', 'webhooks', 'agent', 'tenants'] as const;
type Subject = (typeof SUBJECTS)[number];

const KINDS = [
  'api',
  'activities',
  'workflows',
  'worker',
  'dispatch',
  'loops',
  'db',
  'backend',
  'domain',
  'sandbox',
  'embedded',
  'bin',
] as const;
type Kind = (typeof KINDS)[number];

/** Folders anywhere above the file: of the project, or rooms of its own folder. */
const into = (...folders: string[]): string => String.raw`^(\.\./)+(${folders.join('|')})/`;
const intoAllBut = (...kinds: Kind[]): string => into(...KINDS.filter((kind) => !kinds.includes(kind)));
const CONFIG = String.raw`config\.ts$`;
const TEMPORAL = '^@temporalio/';
const anyOf = (...patterns: string[]): string => patterns.join('|');

const arrow = (files: string, ...patterns: Refusal[]): Arrow => ({
  files: [`${files}/**`],
  rules: { 'no-restricted-imports': ['error', { patterns }] },
});

/** A room of a folder, which may know these subjects and no others. */
const subjectOf =
  (folder: string, own: Refusal[]) =>
  (subject: Subject, ...mayKnow: Subject[]) => {
    const strangers = SUBJECTS.filter((other) => other !== subject && !mayKnow.includes(other));
    const known = ['itself', ...mayKnow].join(', ');
    return arrow(
      `${folder}/${subject}`,
      {
        regex: into(...strangers),
        message: `of the subjects, ${folder}/${subject} knows ${known}; the shared piece belongs into one of them or to the root of ${folder}`,
      },
      ...own,
    );
  };

/** Of the packages, these alone. It comes last, because a path that a group allows is not held against what follows. */
const onlyPackages = (...names: string[]): { group: string[] } => ({
  group: ['*', '!./**', '!../**', ...names.map((name) => `!${name}`)],
});

const OF_DOMAIN: Refusal[] = [
  {
    regex: anyOf(intoAllBut('domain'), CONFIG),
    message: 'domain imports zod and itself',
  },
  { ...onlyPackages('zod'), message: 'domain imports zod and itself' },
];
const inDomain = subjectOf('domain', OF_DOMAIN);

const OF_DB: Refusal[] = [
  {
    regex: anyOf(intoAllBut('db', 'domain'), TEMPORAL, CONFIG),
    message: 'db imports domain, MikroORM, kysely, pg',
  },
  {
    regex: String.raw`^(\.\./)+domain/error\.ts$`,
    message: 'db answers null or an outcome; api and activities, its callers, make an error of that',
  },
];
const inDb = subjectOf('db', OF_DB);

/** A client of its own would go to one server, wherever a session is. */
const NO_CLIENT: Refusal = {
  regex: String.raw`^(\.\./)+backend/client\.ts$`,
  message: 'a backend is reached by naming the session: backend/backends.ts',
};

const OF_ACTIVITIES: Refusal[] = [
  NO_CLIENT,
  { regex: into('workflows'), allowTypeImports: true, message: 'workflows as types only' },
  {
    regex: anyOf(
      intoAllBut('activities', 'workflows', 'db', 'backend', 'domain'),
      CONFIG,
      '^@temporalio/(worker|client|workflow)$',
    ),
    message: 'activities import domain, db, backend, @temporalio/activity',
  },
];
const NO_ROWS: Refusal = {
  regex: into('db', ...SUBJECTS),
  message: 'what speaks to models or to foreign hosts knows no rows: its caller gives it what it needs',
};

const OF_API: Refusal[] = [
  NO_CLIENT,
  {
    regex: anyOf(intoAllBut('api', 'loops', 'db', 'backend', 'domain'), TEMPORAL),
    message: 'api imports domain, db and backend; api/start.ts also the loops that it runs',
  },
];

const ARROWS: Arrow[] = [
  arrow(
    'console',
    {
      regex: anyOf(into(...KINDS), CONFIG, String.raw`^(\.\./)+sdk/(generator|typescript/src/([^i]|i[^n]))`),
      message: 'the console reaches the engine by its client alone, sdk/typescript/src/index.ts',
    },
    { ...onlyPackages('preact', 'preact/*', '@preact/signals'), message: 'the console imports preact and its signals' },
  ),

  arrow('domain', ...OF_DOMAIN),
  inDomain('network'),
  inDomain('sending', 'network'),
  inDomain('webhooks', 'sending', 'sessions'),
  inDomain('sessions'),
  inDomain('tenants', 'webhooks'),
  inDomain('agent'),

  arrow('db', ...OF_DB),
  inDb('conversations'),
  inDb('sessions'),
  inDb('webhooks'),
  inDb('tenants', 'webhooks'),
  inDb('sending', 'conversations'),
  inDb('agent', 'conversations', 'sending'),
  inDb('network', 'agent', 'conversations', 'sending', 'sessions'),

  arrow('backend', {
    regex: anyOf(intoAllBut('backend', 'domain'), TEMPORAL, CONFIG),
    message: 'backend imports domain and undici',
  }),

  arrow(
    'dispatch',
    { regex: into('workflows'), allowTypeImports: true, message: 'workflows as types only' },
    {
      regex: anyOf(
        intoAllBut('workflows', 'dispatch', 'db', 'domain'),
        CONFIG,
        '^@temporalio/(worker|activity|workflow)$',
      ),
      message: "dispatch imports domain, db and Temporal's client",
    },
  ),

  arrow(
    'loops',
    NO_CLIENT,
    { regex: into('activities'), allowTypeImports: true, message: 'activities as types only' },
    {
      regex: anyOf(
        intoAllBut('activities', 'dispatch', 'loops', 'db', 'backend', 'domain'),
        CONFIG,
        '^@temporalio/(worker|activity|workflow)$',
      ),
      message: 'loops import domain, db, backend and dispatch',
    },
  ),

  arrow('activities', ...OF_ACTIVITIES),
  arrow('activities/models', ...OF_ACTIVITIES, NO_ROWS),
  arrow('activities/egress', ...OF_ACTIVITIES, NO_ROWS),

  arrow(
    'workflows',
    { regex: into('activities'), allowTypeImports: true, message: 'activities as types only' },
    {
      regex: anyOf(intoAllBut('activities', 'workflows', 'domain'), CONFIG),
      message: 'workflows are deterministic: they import domain values, other workflows and types of activities',
    },
    {
      ...onlyPackages('@temporalio/workflow', '@temporalio/common'),
      message: 'workflows import no package but @temporalio/workflow',
    },
  ),

  arrow(
    'workflows/automations',
    { regex: into('activities'), allowTypeImports: true, message: 'activities as types only' },
    {
      regex: anyOf(intoAllBut('activities', 'workflows', 'domain'), CONFIG),
      message: 'an automation is deterministic: what it does outside it does by its context (docs/authors.md)',
    },
    {
      ...onlyPackages('@temporalio/workflow', '@temporalio/common', 'zod'),
      message: `an automation imports zod for its parameters and @temporalio/workflow, and no other package: ${RUN_AGAIN}`,
    },
  ),

  arrow('api', ...OF_API),
  arrow('api/wire', ...OF_API, {
    regex: into('route', 'passthrough', ...SUBJECTS),
    message: 'api/wire is HTTP alone: it knows neither routes nor subjects',
  }),
  arrow('api/route', ...OF_API, {
    regex: into('passthrough', ...SUBJECTS),
    message: 'api/route is what every route is made of: it knows no subject',
  }),

  arrow('worker', { regex: into('api', 'sandbox', 'embedded', 'bin'), message: 'worker never imports api or sandbox' }),

  arrow(
    'sandbox',
    {
      regex: anyOf(intoAllBut('domain', 'sandbox'), CONFIG, TEMPORAL),
      message: 'the sandbox stands alone: the engine meets it over HTTP only',
    },
    { regex: into('domain'), allowTypeImports: true, message: 'types of the network only' },
  ),

  arrow(
    'sdk/typescript',
    {
      regex: anyOf(intoAllBut(), into('generator'), CONFIG),
      message: 'the client runs wherever there is fetch: it imports itself alone',
    },
    { ...onlyPackages(), message: 'the client runs wherever there is fetch: it imports no package' },
  ),

  arrow('embedded', {
    regex: anyOf(intoAllBut('embedded'), CONFIG, TEMPORAL, '^zod$'),
    message: 'embedded imports node and its binaries only',
  }),
];

/** They import n8n's packages, which are not installed here; its own `npm run build` and `npm run lint` check them. */
const OF_N8N = ['credentials', 'nodes', 'dist', 'eslint.config.mjs'].map((part) => `integrations/n8n/${part}`);

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
      { object: 'process', property: 'env', message: 'config.ts is the only reader of the environment' },
    ],
  },
  overrides: [
    {
      files: [
        'config.ts',
        'bin/settings/env-file.ts',
        'bin/start.mjs',
        'test/**',
        'tools/**',
        'bench/**',
        'docs/snippets/**',
      ],
      rules: { 'no-restricted-properties': 'off' },
    },
    { files: ['bin/**', 'bench/**', 'docs/snippets/**'], rules: { 'no-console': 'off' } },
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
