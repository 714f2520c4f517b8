import { BACKEND_ROUTES } from './table/table.ts';

/**
 * The backend reads these path segments as something other than a session, and the engine reads `v1` as the beginning
 * of its own paths, so a request for a session of such a name is not passed on. Case does not
 * count, because it does not to the backend's router.
 */
const RESERVED = new Set([
  'v1',
  ...Object.values(BACKEND_ROUTES)
    .flat()
    .map(({ path }) => path.split('/')[2] ?? '')
    .filter((word) => word !== '' && !word.startsWith('{'))
    .map((word) => word.toLowerCase()),
]);

/**
 * The words with which the engine's own routes begin. A session of such a name would make a path mean two things, so no
 * new session gets one (`test/api/passthrough/reserved-names.test.ts` holds the list to the routes).
 */
const OWN_WORDS = new Set([
  'admin',
  'ai',
  'ai-sales-agent',
  'api-keys',
  'audit',
  'automation-defaults',
  'automation-definitions',
  'automation-executions',
  'automations',
  'brand',
  'canned-answers',
  'colleagues',
  'console',
  'conversations',
  'erasures',
  'events',
  'executions',
  'files',
  'inbox',
  'media',
  'memories',
  'messages',
  'notes',
  'opt-outs',
  'passthrough',
  'sendButtons',
  'sendList',
  'sessions',
  'status',
  'tenants',
  'webhooks',
  'workflow-functions',
  'workflow-secrets',
  'workflow-templates',
  'workflows',
]);

export function isReservedName(sessionName: string): boolean {
  return RESERVED.has(sessionName.toLowerCase());
}

/** Tells whether paths under `/api/v1/` that begin with the word are the engine's own. */
export function isOwnWord(word: string): boolean {
  return OWN_WORDS.has(word);
}

/**
 * Every literal part of the engine's paths. A session called `me` could not be read at `GET /sessions/me`, while
 * `DELETE /sessions/me` would act on it. The same test holds the list to the routes.
 */
const OWN_SEGMENTS = new Set(
  `
  about actions activate admin agencies ai ai-sales-agent api api-keys apply assign attempts audit
  automation-defaults automation-definitions automation-executions automations backend backends block brand cancel
  canned-answers capabilities chats colleagues config connect-link console contacts conversations copy dashboard dashboards deliveries
  dry-run edit encryption-key endpoints engine-work erase erasures event-types events executions exports file files gaps
  hand-over hook hooks inbox inbox-context internal labels limits links load logins logout me media memories messages mirror
  move name notes notices opt-outs owed pairing-code parked-dispatches parked-events participants passthrough pause
  payloads persona picture plan profile qr reaction read recover register rehearsals rehearse release replay
  requests resend resolve restart resume retention retry revoke rotate rotate-secret search send sendButtons
  sendList sessions set settings skip-wait start state statistics status stop stream streams suspend sync syncContacts tenants
  test turns unblock unknown-reports unmerge usage v1 validate viewers webhooks workflow-functions workflow-secrets
  workflow-templates workflows
  `.split(/\s+/),
);

/** Tells whether a new session may have the name. */
export function isFreeWord(sessionName: string): boolean {
  return !isReservedName(sessionName) && !OWN_SEGMENTS.has(sessionName);
}
