/**
 * The order of the code, written once. A first-level folder is one kind of code; a module in it is one subject, or what
 * its subjects share. The lint, the guards and the generated part of `docs/architecture.md` read it.
 * A folder of the tree that is missing here fails the lint.
 */

/** The folders of the engine, with what each of them does. */
export const ENGINE: Readonly<Record<string, string>> = {
  bin: 'composes',
  sandbox: "the network's double",
  embedded: 'the servers that npm start brings',
  api: 'HTTP',
  worker: 'runs the rest',
  loops: 'moves things while nobody calls',
  activities: 'touch the world',
  workflows: 'deterministic stories',
  dispatch: 'the way into Temporal',
  backend: 'the clients of the network',
  db: 'rows and their queries',
  domain: 'what things are',
};

/** The folders that measure, prove, show, ship or call the engine. */
export const BESIDE: readonly string[] = [
  'bench',
  'console',
  'demo',
  'deploy',
  'docs',
  'faults',
  'integrations',
  'sdk',
  'test',
  'tools',
];

/**
 * The modules of each folder, the highest line first. A module imports only modules of lower lines; those of one line
 * do not know each other. A folder without modules has no lines.
 */
export const ORDER: Readonly<Record<string, readonly (readonly string[])[]>> = {
  bin: [['cli'], ['automation-new', 'dry-run', 'screen', 'settings', 'telemetry']],
  embedded: [['postgres', 'temporal'], ['process']],
  api: [
    ['console', 'personal-data'],
    ['conversations', 'tenants', 'webhooks'],
    ['sessions'],
    ['agent', 'passthrough'],
    ['automations', 'network', 'operations', 'reference', 'sending'],
    ['docs', 'route'],
    ['wire'],
  ],
  worker: [],
  loops: [],
  activities: [
    ['automations', 'personal-data'],
    ['agent', 'network', 'sending', 'sessions', 'webhooks'],
    ['models'],
    ['egress', 'media-store', 'thumbnails'],
  ],
  workflows: [['agent', 'automations', 'network', 'personal-data', 'sending', 'webhooks'], ['sessions']],
  dispatch: [],
  db: [
    ['operations'],
    ['network', 'repairs'],
    ['personal-data'],
    ['tenants'],
    ['automations'],
    ['media'],
    ['agent'],
    ['sending', 'webhooks'],
    ['conversations', 'sessions'],
    ['engine', 'indexes', 'migrations', 'registry'],
  ],
  domain: [
    ['console'],
    ['tenants'],
    ['operations', 'webhooks'],
    ['automations', 'inbox'],
    ['agent', 'sending', 'sessions'],
    ['errors', 'network', 'personal-data', 'telemetry', 'words'],
  ],
};
