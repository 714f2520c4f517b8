import { EngineError, notFound } from '../../domain/error.ts';
import type { Scope } from '../../domain/scope.ts';
import type { Access } from '../route/auth.ts';
import type { Identified } from '../route/caller.ts';
import { namedTarget } from '../route/target.ts';
import { textIn } from './body.ts';
import type { PassedBody } from './body.ts';
import type { PassthroughMatch } from './match.ts';
import { isReservedName } from './names.ts';
import type { BackendRoute } from './table/row.ts';
import { asWord } from './unknown.ts';

/**
 * Finds a session of the scope by id or name; without a name it finds the key's own session or the tenant's default.
 */
export interface SessionLookup {
  find(scope: Scope, idOrName: string | undefined): Promise<SessionAtBackend | undefined>;
  /** True if a session of any agency has, or had, that name. */
  isNameOfSession(name: string): Promise<boolean>;
  /** Told that the backend does not know the session's key, where that may be another than the engine's own. */
  refused?(session: SessionAtBackend): Promise<void>;
}

export interface SessionAtBackend {
  id: string;
  name: string;
  /** The backend that holds it. */
  backend: string;
  /** The address of that backend, without `/api`, and the key by which it takes requests. */
  baseUrl: string;
  apiKey: string | null;
  /** The key opens this session alone, so that the backend itself refuses every other. */
  hasOwnKey: boolean;
  status: string;
  platform: string | null;
  /** The account's own address, once it is known. */
  chatId: string | null;
}

/** Clients of the backend name this session when they name none, so it stands for the session of the key. */
const DEFAULT = 'default';

/** Refuses a key that may not use the route at all. */
export function requireMayUse({ who, why }: BackendRoute, { kind }: Identified): void {
  if (who === 'nobody') throw new EngineError('forbidden', `This route of the backend is closed (${why}).`);
  if (who === 'dashboard' && kind === 'session') {
    throw new EngineError(
      'forbidden',
      `This route takes the dashboard's key: use that instead of a session's key, because the route ${why}.`,
    );
  }
}

export interface Asked {
  match: PassthroughMatch;
  who: Identified;
  query: Record<string, string | string[] | undefined>;
  search: URLSearchParams;
  body: PassedBody;
}

/** Takes the first word of an unknown path for a session only if there is one of that name. */
export async function asSessionOrWord(match: PassthroughMatch, sessions: SessionLookup): Promise<PassthroughMatch> {
  const word = match.isUnknown && match.sessionInPath !== DEFAULT ? asWord(match) : undefined;
  return word === undefined || (await sessions.isNameOfSession(word.segments[0] ?? '')) ? match : word;
}

/** Finds whose session the request is for; what is not the caller's is answered as if it did not exist. */
export async function whose(
  asked: Asked,
  { access, sessions }: { access: Access; sessions: SessionLookup },
): Promise<{ scope: Scope; session: SessionAtBackend }> {
  const { match, who, query, body } = asked;
  if (match.isUnknown) requireNamed(asked);
  const { sessionInPath } = match;
  const isNamed = sessionInPath !== undefined && sessionInPath !== DEFAULT;
  const target = namedTarget(
    {
      params: isNamed ? { session: sessionInPath } : {},
      query,
      body: body.kind === 'fields' ? body.fields : undefined,
    },
    { template: '/:session', takesBody: false },
  );
  // A body of the backend names other things, too; those are the backend's own.
  const objects = target.objects.filter(({ kind, ref }) => kind === 'session' && ref !== DEFAULT);
  const { scope } = await access.grant('tenant', who, { ...target, objects }, false);
  const session = await sessionOf(asked, scope, sessions);
  if (session === undefined || isReservedName(session.name)) throw notFound('session');
  return { scope, session };
}

/** Nobody but the holder of the session's own key may leave the session out of a route that the engine does not know. */
export class NoSessionNamed extends EngineError {
  constructor() {
    super('unknown_route', 'The engine knows no such route.');
  }
}

function requireNamed({ match, who, search, body }: Asked): void {
  if (who.kind === 'session') return;
  const isNamed = match.sessionInPath !== undefined || search.has('session');
  const isInBody = body.kind === 'fields' && textIn(body, 'session') !== undefined;
  if (who.kind !== 'dashboard' || (!isNamed && !isInBody)) throw new NoSessionNamed();
}

async function sessionOf(
  { match, search, body }: Asked,
  scope: Scope,
  sessions: SessionLookup,
): Promise<SessionAtBackend | undefined> {
  const inBody = body.kind === 'fields' ? textIn(body, 'session') : undefined;
  const named = [match.sessionInPath ?? [], search.getAll('session'), inBody ?? []].flat();
  const found = await Promise.all([...new Set(named)].map((name) => findNamed(name, scope, sessions)));
  if (found.length === 0) return sessions.find(scope, undefined);
  // One session may be named by its id in one place and by its name in another.
  return found.every((each) => each?.id === found[0]?.id) ? found[0] : undefined;
}

async function findNamed(name: string, scope: Scope, sessions: SessionLookup): Promise<SessionAtBackend | undefined> {
  return (await sessions.find(scope, name)) ?? (name === DEFAULT ? sessions.find(scope, undefined) : undefined);
}
