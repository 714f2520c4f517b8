/**
 * The reads that are passed on; whatever is not listed is refused. Source: the backend's OpenAPI document. Left out on
 * purpose: what shows secrets or other sessions (auth, keys, server, apps, sessions, screenshot, files).
 */
const PATH_ADDRESSED = [
  'chats',
  'chats/overview',
  'chats/{chatId}/picture',
  'chats/{chatId}/messages',
  'chats/{chatId}/messages/{messageId}',
  'contacts/{id}',
  'labels',
  'labels/chats/{chatId}',
  'labels/{labelId}/chats',
  'lids',
  'lids/count',
  'lids/pn/{phoneNumber}',
  'lids/{lid}',
  'groups',
  'groups/count',
  'groups/join-info',
  'groups/{id}',
  'groups/{id}/picture',
  'groups/{id}/settings/security/info-admin-only',
  'groups/{id}/settings/security/messages-admin-only',
  'groups/{id}/invite-code',
  'groups/{id}/participants',
  'groups/{id}/participants/v2',
  'presence',
  'presence/{chatId}',
  'profile',
];

/** These name their session in the query. */
const QUERY_ADDRESSED = [
  'contacts',
  'contacts/all',
  'contacts/check-exists',
  'contacts/about',
  'contacts/profile-picture',
];

/** Path segments that the backend reads as something else than a session: a session of that name is not passed on. */
const RESERVED = new Set(['apps', 'contacts', 'files', 'keys', 'screenshot', 'server', 'sessions', 'version']);

export interface PassthroughMatch {
  /** For logs: without ids. */
  template: string;
  /** The session as the path names it; undefined where the query does. */
  sessionInPath: string | undefined;
  /** Decoded segments after the session. */
  segments: string[];
}

export function isReservedName(sessionName: string): boolean {
  return RESERVED.has(sessionName);
}

/** The gate has refused every path with more than one spelling, so decoding cannot make or move a slash. */
export function matchPassthrough(path: string): PassthroughMatch | undefined {
  if (!path.startsWith('/api/v1/')) return undefined;
  const segments = path.slice('/api/v1/'.length).split('/').map(decodeURIComponent);
  const direct = QUERY_ADDRESSED.find((template) => fits(template, segments));
  if (direct !== undefined) return { template: `/api/v1/${direct}`, sessionInPath: undefined, segments };
  const [sessionInPath, ...rest] = segments;
  const template = PATH_ADDRESSED.find((candidate) => fits(candidate, rest));
  if (template === undefined || sessionInPath === undefined) return undefined;
  return { template: `/api/v1/{session}/${template}`, sessionInPath, segments: rest };
}

function fits(template: string, segments: string[]): boolean {
  const parts = template.split('/');
  return parts.length === segments.length && parts.every((part, i) => part.startsWith('{') || part === segments[i]);
}
