import type Router from '@koa/router';
import type { ParameterizedContext } from 'koa';
import { z } from 'zod';
import { findBrand, findLogo } from '../../db/tenants/brand.ts';
import type { LoginRow } from '../../db/tenants/console-login.ts';
import type { Database } from '../../db/engine/database.ts';
import { EngineError, notFound } from '../../domain/error.ts';
import type { Access } from '../route/auth.ts';
import type { Asking } from '../route/caller.ts';
import { networkOf, refusal } from '../route/failed-keys.ts';
import type { FailedKeys } from '../route/failed-keys.ts';
import { parseInput } from '../route/parse-input.ts';
import type { Admission } from '../route/rate-limits.ts';
import { readBody } from '../wire/body.ts';
import { answerEncoded } from '../wire/encoded.ts';
import type { RequestState } from '../wire/request-state.ts';
import type { ReadConsole } from './files.ts';
import { callerOf } from './logins.ts';
import type { ConsoleLogins } from './logins.ts';
import { assetSources, consolePage, consolePolicy } from './page.ts';
import type { Brand } from '../../db/tenants/brand.ts';

export interface ConsoleServing {
  database: Database;
  logins: ConsoleLogins;
  readConsole: ReadConsole;
  publicUrl: string;
  mediaPublicUrl: string;
  version: string;
  temporalUi: { url: string; namespace: string } | null;
  /** True where the network is the sandbox, which everybody who looks is to know. */
  isSimulated: boolean;
}

interface Doors {
  access: Access;
  admission: Admission;
  failedKeys: FailedKeys;
}

type Context = ParameterizedContext<RequestState>;

const HTML = 'text/html';
const JSON_TYPE = 'application/json';
const SESSION = '/console/session';
const MAX_BODY_BYTES = 4_096;
const LOGIN_COST = 5;
const ANY_KEY = { auth: 'client', scope: null } as const;
const Login = z.union([
  z.strictObject({ apiKey: z.string().min(1).max(512) }),
  z.strictObject({ ticket: z.string().min(1).max(256) }),
]);

/** Serves the console: its page, its files, and who is logged in. */
export function mountConsole(router: Router<RequestState>, serving: ConsoleServing, doors: Doors): void {
  mountLogins(router, serving, doors);
  // Before the files: the console's page answers every other address below it.
  mountLogos(router, serving.database);
  mountFiles(router, serving);
}

function mountLogins(router: Router<RequestState>, serving: ConsoleServing, doors: Doors): void {
  const { logins } = serving;
  const { access, admission, failedKeys } = doors;

  router.get(SESSION, async (context) => {
    begin(context);
    const login = await logins.find(askingOf(context));
    // A suspended agency is told here, too.
    await access.identify(ANY_KEY, askingOf(context));
    context.body = await whoIs(login, serving);
  });

  router.post(SESSION, async (context) => {
    begin(context);
    const asking = askingOf(context);
    logins.requireOwnPage(asking);
    const raw = { params: {}, query: {}, body: await readBody(context.req, 'json', MAX_BODY_BYTES) };
    const { body: given } = parseInput('public', { body: Login }, raw);
    if ('ticket' in given) {
      if (failedKeys.waitMs(networkOf(context.ip)) > 0) throw refusal(failedKeys, [networkOf(context.ip)], noTicket());
      const made = await logins.byTicket(given.ticket);
      if (made === undefined) throw refusal(failedKeys, [networkOf(context.ip)], noTicket());
      await logins.endFormer(context.req.headers, made.login);
      context.set('set-cookie', made.cookie);
      context.body = await whoIs(made.login, serving);
      return;
    }
    const headers = { 'x-api-key': given.apiKey };
    const who = await access.identify(ANY_KEY, { ...asking, headers });
    context.set(await admission.admit(who, LOGIN_COST));
    const made = await logins.byKey(who);
    await logins.endFormer(context.req.headers, made.login);
    context.set('set-cookie', made.cookie);
    context.body = await whoIs(made.login, serving);
  });

  router.delete(SESSION, async (context) => {
    begin(context);
    context.set('set-cookie', await logins.end(await logins.find(askingOf(context))));
    context.status = 204;
  });
}

function mountFiles(router: Router<RequestState>, serving: ConsoleServing): void {
  const { logins, readConsole, publicUrl } = serving;
  const root = `${new URL(publicUrl).pathname.replace(/\/$/, '')}/console`;

  router.get('/console/assets/:name', async (context) => {
    context.state.route = '/console/assets/:name';
    const file = (await readConsole())?.files.get(context.params['name'] ?? '');
    if (file === undefined) throw notFound('file');
    context.set('x-content-type-options', 'nosniff');
    context.set('cache-control', 'public, max-age=31536000, immutable');
    answerEncoded(context, file);
    context.type = file.type;
  });

  router.get('/console{/*path}', async (context) => {
    context.state.route = '/console';
    const isBelow = context.params['path'] !== undefined;
    // A program that reads an address below the console by mistake is to see that it is none.
    if (context.accepts(isBelow ? [JSON_TYPE, HTML] : [HTML, JSON_TYPE]) !== HTML) {
      throw new EngineError('unknown_route', 'The console is a page for browsers; the API is under /api/v1.');
    }
    const { embed } = context.query;
    const framing = await logins.framing(context.req.headers, typeof embed === 'string' ? embed : undefined);
    const policy = consolePolicy({
      embedders: framing?.origins ?? [],
      mediaOrigin: mediaOriginOf(serving),
      assets: assetSources(context.host, publicUrl, root),
    });
    context.set('content-security-policy', policy);
    context.set('x-content-type-options', 'nosniff');
    context.set('referrer-policy', 'no-referrer');
    context.set('cross-origin-opener-policy', 'same-origin');
    if (framing === null) context.set('x-frame-options', 'DENY');
    context.set('cache-control', 'no-store');
    context.body = consolePage(root, await readConsole(), framing?.linkId ?? null);
    context.type = 'text/html; charset=utf-8';
  });
}

/** Returns the origin of files outside the console's own origin. Null if they come from there. */
function mediaOriginOf({ publicUrl, mediaPublicUrl }: ConsoleServing): string | null {
  const { origin } = new URL(mediaPublicUrl);
  return origin === new URL(publicUrl).origin ? null : origin;
}

function begin(context: Context): void {
  context.state.route = SESSION;
  context.set('cache-control', 'no-store');
  context.set('x-content-type-options', 'nosniff');
}

function askingOf(context: Context): Asking {
  const { method, ip: address } = context;
  return { headers: context.req.headers, address, method, route: SESSION, params: {}, query: {} };
}

function noTicket(): EngineError {
  return new EngineError(
    'ticket_invalid',
    'This link no longer works: each link works once. Log in with a key, or ask for a new link.',
  );
}

/** Returns the login as the console reads it. */
async function whoIs(login: LoginRow, serving: ConsoleServing) {
  const { database, version, temporalUi, isSimulated: sandbox } = serving;
  const caller = callerOf(login);
  const { key, link } = login;
  const brand = link && (await database.read((queries) => findBrand(queries, link.agencyId)));
  return {
    kind: link === null ? caller.kind : 'link',
    keyId: key?.id ?? null,
    keyName: key?.name ?? null,
    scopes: 'scopes' in caller ? caller.scopes : 'all',
    agencyId: 'agencyId' in caller ? caller.agencyId : null,
    tenantId: key?.tenantId ?? link?.tenantId ?? null,
    sessionId: key?.sessionId ?? link?.sessionId ?? null,
    endpointId: link?.endpointId ?? null,
    readOnly: link?.readOnly ?? false,
    pages: link?.pages ?? null,
    link: link && { id: link.id, name: link.name },
    // Staff of the agency know whose pages these are.
    brand: brand && shownBrand(brand),
    expiresAt: login.expiresAt.toISOString(),
    // Temporal's UI shows the operator's data, so no customer may see it.
    temporalUi: link === null ? temporalUi : null,
    mediaOrigin: mediaOriginOf(serving),
    sandbox,
    version,
  };
}

const ROUTE = '/console/brands/:file';

/** Serves logos from the console's own origin, which its policy allows and no other. */
function mountLogos(router: Router<RequestState>, database: Database): void {
  router.get(ROUTE, async (context) => {
    context.state.route = ROUTE;
    const digest = /^([0-9a-f]{64})\.png$/.exec(context.params['file'] ?? '')?.[1];
    const logo = digest === undefined ? undefined : await database.read((queries) => findLogo(queries, digest));
    if (logo === undefined) throw notFound('file');
    // The bytes come from an agency, so no browser may take them for anything but a picture.
    context.set('x-content-type-options', 'nosniff');
    context.set('content-security-policy', "default-src 'none'; sandbox");
    context.set('cross-origin-resource-policy', 'same-origin');
    context.set('cache-control', 'public, max-age=31536000, immutable');
    context.body = logo;
    context.type = 'image/png';
  });
}

/** A brand as the console reads it: the name of the file is below its own address. */
function shownBrand(brand: Brand | undefined): { name: string; colour: string | null; logo: string | null } | null {
  if (brand === undefined) return null;
  const { name, colour, logoDigest } = brand;
  return { name, colour, logo: logoDigest === null ? null : `${logoDigest}.png` };
}
