/**
 * The order of the code, written once. A first-level folder is one kind of code; a module in it is one subject, or what
 * its subjects share. The lint, the guards and the generated part of `docs/extend/architecture.md` read it.
 * A folder of the tree that is missing here fails the lint.
 */

/** The folders of the engine, with what each of them does. */
export const ENGINE: Readonly<Record<string, string>> = {
  bin: 'composes',
  local: "what npm start adds: servers, and the network's double",
  api: 'HTTP',
  worker: 'runs the rest',
  loops: 'moves things while nobody calls',
  activities: 'touch the world',
  workflows: 'deterministic stories',
  adapters: 'clients of foreign hosts',
  config: 'settings',
  db: 'rows and their queries',
  domain: 'what things are',
};

/** The folders that ship, explain, call, prove or measure the engine. */
export const BESIDE: readonly string[] = ['deploy', 'docs', 'packages', 'test', 'tools'];

/**
 * The modules of each folder, the highest line first. A module imports only modules of lower lines; those of one line
 * do not know each other. A folder without modules has no lines. A large module may have an order of its own.
 */
export const ORDER: Readonly<Record<string, readonly (readonly string[])[]>> = {
  bin: [['cli'], ['automation-new', 'dry-run', 'screen', 'settings', 'telemetry']],
  local: [['embedded', 'sandbox']],
  'local/embedded': [['postgres', 'temporal'], ['process']],
  api: [
    ['console', 'personal-data'],
    ['conversations', 'tenants', 'webhooks'],
    ['sessions'],
    ['agent', 'flows', 'passthrough'],
    ['automations'],
    ['network', 'operations', 'reference', 'sending'],
    ['docs', 'route'],
    ['wire'],
  ],
  worker: [],
  loops: [['dispatch']],
  activities: [
    ['flows'],
    ['automations', 'personal-data'],
    ['agent', 'network', 'sending', 'sessions', 'webhooks'],
    ['media', 'thumbnails'],
  ],
  workflows: [
    ['agent', 'automations', 'network', 'personal-data', 'sending', 'webhooks'],
    ['flows', 'sessions'],
  ],
  adapters: [['models'], ['backend', 'egress', 'media-store']],
  config: [],
  db: [
    ['operations'],
    ['network', 'repairs'],
    ['personal-data'],
    ['tenants'],
    ['flows'],
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
    ['flows'],
    ['automations', 'inbox'],
    ['agent', 'sending', 'sessions'],
    ['errors', 'network', 'personal-data', 'telemetry', 'words'],
  ],
};
