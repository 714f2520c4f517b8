/** Maps each route to the names of the query that it takes; no other name is passed on. */
type Routes = Readonly<Record<string, readonly string[]>>;

/**
 * The reads that are passed on and name their session in the path; a read that is in neither list is refused. Source:
 * the backend's OpenAPI document. Routes that show secrets or other sessions are left out on purpose (auth, keys,
 * server, apps, sessions, screenshot, files).
 */
const PATH_ADDRESSED: Routes = {
  chats: ['sortBy', 'sortOrder', 'merge', 'limit', 'offset'],
  'chats/overview': ['merge', 'limit', 'offset', 'ids'],
  'chats/{chatId}/picture': ['refresh'],
  'chats/{chatId}/messages': [
    'sortBy',
    'sortOrder',
    'downloadMedia',
    'merge',
    'limit',
    'offset',
    'filter.timestamp.lte',
    'filter.timestamp.gte',
    'filter.fromMe',
    'filter.ack',
  ],
  'chats/{chatId}/messages/{messageId}': ['downloadMedia', 'merge'],
  'contacts/{id}': [],
  labels: [],
  'labels/chats/{chatId}': [],
  'labels/{labelId}/chats': [],
  lids: ['limit', 'offset'],
  'lids/count': [],
  'lids/pn/{phoneNumber}': [],
  'lids/{lid}': [],
  groups: ['sortBy', 'sortOrder', 'limit', 'offset', 'exclude'],
  'groups/count': [],
  'groups/join-info': ['code'],
  'groups/{id}': [],
  'groups/{id}/picture': ['refresh'],
  'groups/{id}/settings/security/info-admin-only': [],
  'groups/{id}/settings/security/messages-admin-only': [],
  'groups/{id}/invite-code': [],
  'groups/{id}/participants': [],
  'groups/{id}/participants/v2': [],
  presence: [],
  'presence/{chatId}': [],
  profile: [],
};

/** The reads that are passed on and name their session in the query. */
const QUERY_ADDRESSED: Routes = {
  contacts: ['contactId'],
  'contacts/all': ['sortBy', 'sortOrder', 'limit', 'offset'],
  'contacts/check-exists': ['phone'],
  'contacts/about': ['contactId'],
  'contacts/profile-picture': ['contactId', 'refresh'],
};

/**
 * The backend reads these path segments as something other than a session, so a request for a session of such a name is
 * not passed on.
 */
const RESERVED = new Set(['apps', 'contacts', 'files', 'keys', 'screenshot', 'server', 'sessions', 'version']);

/**
 * The words with which the engine's own routes begin. A session of such a name would make a path mean two things, so no
 * new session gets one (`test/api/passthrough/reserved-names.test.ts` holds the list to the routes).
 */
const OWN_WORDS = new Set([
  'admin',
  'ai',
  'ai-sales-agent',
  'api-keys',
  'conversations',
  'inbox',
  'media',
  'memories',
  'messages',
  'sendButtons',
  'sendList',
  'sessions',
  'status',
  'tenants',
  'webhooks',
]);

export interface PassthroughMatch {
  /** The route for logs, without ids. */
  template: string;
  /** The session that the path names; undefined when the query names it. */
  sessionInPath: string | undefined;
  /** Decoded segments after the session. */
  segments: string[];
  /** The query's parameters that are passed on, by name. */
  parameters: readonly string[];
}

export function isReservedName(sessionName: string): boolean {
  return RESERVED.has(sessionName);
}

/** Tells whether a new session may have the name. */
export function isFreeWord(sessionName: string): boolean {
  return !RESERVED.has(sessionName) && !OWN_WORDS.has(sessionName);
}

/** The gate has refused every path with more than one spelling, so decoding cannot make or move a slash. */
export function matchPassthrough(path: string): PassthroughMatch | undefined {
  if (!path.startsWith('/api/v1/')) return undefined;
  const segments = path.slice('/api/v1/'.length).split('/').map(decodeURIComponent);
  const direct = routeOf(QUERY_ADDRESSED, segments);
  if (direct) {
    const [template, parameters] = direct;
    return { template: `/api/v1/${template}`, sessionInPath: undefined, segments, parameters };
  }
  const [sessionInPath, ...rest] = segments;
  const route = routeOf(PATH_ADDRESSED, rest);
  if (!route || sessionInPath === undefined) return undefined;
  const [template, parameters] = route;
  return { template: `/api/v1/{session}/${template}`, sessionInPath, segments: rest, parameters };
}

function routeOf(routes: Routes, segments: string[]): [string, readonly string[]] | undefined {
  return Object.entries(routes).find(([template]) => fits(template, segments));
}

function fits(template: string, segments: string[]): boolean {
  const parts = template.split('/');
  return parts.length === segments.length && parts.every((part, i) => part.startsWith('{') || part === segments[i]);
}
