import { comesFrom, findLogins, insertLogin, logOut } from '../../db/tenants/console-login.ts';
import type { LoginRow } from '../../db/tenants/console-login.ts';
import { findEmbedders, isEmbedder, useTicket } from '../../db/tenants/console-link.ts';
import { holderOf } from '../../db/tenants/find-caller.ts';
import type { Database } from '../../db/engine/database.ts';
import { LOGIN_SECONDS } from '../../domain/console/pages.ts';
import { EngineError } from '../../domain/error.ts';
import type { Caller, LinkBounds } from '../../domain/caller.ts';
import type { Asking, Identified } from '../route/caller.ts';
import { createBriefCache } from '../wire/brief-cache.ts';
import { gathered } from '../wire/gathered.ts';
import { createLoginCookies } from './cookie.ts';
import { scopesAtUse } from './link-scopes.ts';
import { crossSite, otherOrigin, requireOwnPage } from './own-page.ts';
import { ENDPOINT_ROUTES, READS_BY_POST, ROUTES_OF_ALL_LINKS, ROUTES_OF_PAGES } from './opened-routes.ts';

const CACHE = { maxAgeMs: 1_000, maxEntries: 10_000 };

/**
 * A page in a frame names the link for which it may be framed. Without it the page would show whichever login the
 * browser gets later, in the frame of an origin that this login never named.
 */
const LINK_HEADER = 'x-engine-link';

interface Framing {
  linkId: string;
  origins: readonly string[];
}

/** A login that has just been made, with the header that gives the browser its cookie. */
interface MadeLogin {
  login: LoginRow;
  cookie: string;
}

export type ConsoleLogins = ReturnType<typeof createConsoleLogins>;

/** Knows who is logged in to the console, by the cookie of a request. */
export function createConsoleLogins(parts: { database: Database; masterKey: string | undefined; publicUrl: string }) {
  const { database, masterKey, publicUrl } = parts;
  const cookies = createLoginCookies(publicUrl);
  const logins = createBriefCache(
    CACHE,
    gathered((ids) => database.read((queries) => findLogins(queries, ids, masterKey))),
  );
  const embedders = createBriefCache(CACHE, (origin: string) =>
    database.read((queries) => isEmbedder(queries, origin)),
  );
  const stopListening = database.wakeups.on('agency', () => {
    logins.forget();
    embedders.forget();
  });

  async function loginOf(headers: Asking['headers']): Promise<LoginRow | undefined> {
    const boundTo = headers[LINK_HEADER];
    for (const given of cookies.read(headers)) {
      const login = await logins(given.id);
      if (!login || login.expiresAt <= database.clock.now()) continue;
      if (boundTo !== undefined && login.link?.id !== boundTo) continue;
      if (database.secrets.isDigest(login.digest, given.secret)) return login;
    }
    return undefined;
  }

  /** The login by which a page calls the API: the console itself, or a page that the login's link names. */
  async function callersLogin(asking: Asking): Promise<LoginRow> {
    const origin = otherOrigin(asking, publicUrl);
    if (origin === null) return find(asking);
    const login = await loginOf(asking.headers);
    if (!login?.link?.embedIn.includes(origin)) throw crossSite();
    return login;
  }

  /** The login of a request that the console itself has made. */
  async function find(asking: Asking): Promise<LoginRow> {
    requireOwnPage(asking, publicUrl);
    const login = await loginOf(asking.headers);
    if (login === undefined) throw notLoggedIn();
    return login;
  }

  async function made(by: Parameters<typeof insertLogin>[1], seconds: number, isEmbedded: boolean): Promise<MadeLogin> {
    const { id, secret } = await database.transaction((tx) => insertLogin(tx, by, seconds));
    const login = await logins(id);
    if (login === undefined) throw notLoggedIn();
    return { login, cookie: cookies.write({ id, secret }, seconds, isEmbedded) };
  }

  return {
    find,
    /** Refuses what another page asks, by cookie or not: nobody is to be logged in or out from elsewhere. */
    requireOwnPage: (asking: Asking) => requireOwnPage(asking, publicUrl),
    /** Undefined where the request has no cookie of the console. */
    async callerOf(asking: Asking): Promise<Caller | undefined> {
      return cookies.read(asking.headers).length === 0 ? undefined : callerOf(await callersLogin(asking));
    },
    requireWithinLink,
    /**
     * The link for which the console may be framed, with the origins that may; null for none. `embed` names a link
     * before its ticket is known. A browser that is logged in otherwise shows it in no frame: else any agency could
     * frame the login of another and steal its clicks.
     */
    async framing(headers: Asking['headers'], embed: string | undefined): Promise<Framing | null> {
      const login = await loginOf(headers);
      if (login === undefined) {
        if (embed === undefined) return null;
        const origins = await database.read((queries) => findEmbedders(queries, embed));
        return origins.length === 0 ? null : { linkId: embed, origins };
      }
      const { link } = login;
      const isFramed = link !== null && link.embedIn.length > 0 && (embed ?? link.id) === link.id;
      return isFramed ? { linkId: link.id, origins: link.embedIn } : null;
    },
    isEmbedder: (origin: string) => embedders(origin),
    async byKey(who: Identified): Promise<MadeLogin> {
      if ('keyId' in who) return made({ keyId: who.keyId }, LOGIN_SECONDS, false);
      if (who.kind !== 'master' || masterKey === undefined) throw notLoggedIn();
      return made({ masterKey }, LOGIN_SECONDS, false);
    },
    /** Undefined where the ticket is good for nothing. */
    async byTicket(ticket: string): Promise<MadeLogin | undefined> {
      const used = await database.statement((tx) => useTicket(tx, ticket, masterKey));
      return used && made({ linkId: used.id }, used.loginSeconds, used.isEmbedded);
    },
    /**
     * Ends the login that the browser had before, because it forgets the cookie of it. A login that made the link of
     * the next one stays: with it the next one would end at once.
     */
    async endFormer(headers: Asking['headers'], next: LoginRow): Promise<void> {
      const former = await loginOf(headers);
      if (former === undefined || (await database.read((queries) => comesFrom(queries, next.id, former.id)))) return;
      await database.transaction((tx) => logOut(tx, former));
      logins.forget(former.id);
    },
    async end(login: LoginRow): Promise<string> {
      await database.transaction((tx) => logOut(tx, login));
      logins.forget(login.id);
      return cookies.end((login.link?.embedIn.length ?? 0) > 0);
    },
    close: stopListening,
  };
}

/** Whoever is logged in, as if the key itself had been sent. */
export function callerOf({ id, expiresAt, isMaster, key, link, chain }: LoginRow): Caller {
  const login = { id, expiresAt, link };
  if (isMaster) return { kind: 'master', login };
  const holder = key && chain && holderOf({ ...key, chain });
  if (holder) return { ...holder, login };
  if (link === null) throw notLoggedIn();
  const { id: keyId, agencyId, tenantId, sessionId, endpointId, readOnly, embedIn } = link;
  const bounds = { tenantId, endpointId, readOnly, pages: link.pages ?? [], embedIn };
  const common = { keyId, agencyId, scopes: scopesAtUse(link, chain), bounds, login };
  return sessionId === null ? { kind: 'dashboard', ...common } : { kind: 'session', tenantId, sessionId, ...common };
}

function notLoggedIn(): EngineError {
  return new EngineError('unauthorized', 'Nobody is logged in here any more: log in with a key.', {
    headers: { 'www-authenticate': 'ApiKey realm="engine"' },
  });
}

/**
 * Refuses what the link does not open: routes, changes, and every endpoint but the one of a link that shows no other.
 * The checks of every key say whose a thing is.
 */
function requireWithinLink(bounds: LinkBounds, asking: Asking): void {
  const { method, route } = asking;
  const named = `${method === 'HEAD' ? 'GET' : method} ${route}`;
  const isRead = named.startsWith('GET ') || READS_BY_POST.has(named);
  if (ROUTES_OF_ALL_LINKS.has(named)) return;
  if (bounds.readOnly && !isRead) throw new EngineError('forbidden', 'This link is read-only.');
  if (bounds.endpointId !== null) {
    const place = ENDPOINT_ROUTES.get(named);
    if (place === undefined) throw notOpened();
    const given = place === 'path' ? asking.params['id'] : asking.query['endpointId'];
    if (given === bounds.endpointId) return;
    throw new EngineError('forbidden', `This link shows only the endpoint ${bounds.endpointId}: name it.`);
  }
  if (!bounds.pages.some((page) => ROUTES_OF_PAGES[page].has(named))) throw notOpened();
}

function notOpened(): EngineError {
  return new EngineError(
    'forbidden',
    'This link does not open this page or route: ask the sender for a link that does.',
  );
}
