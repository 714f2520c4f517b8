import { randomBytes } from 'node:crypto';
import type Router from '@koa/router';
import type { ParameterizedContext } from 'koa';
import type { Database } from '../../../db/engine/database.ts';
import {
  countCode,
  findLinkAgency,
  findOpenedLink,
  mayBeOpened,
  openConnectLink,
  recordConnected,
} from '../../../db/sessions/connect-link.ts';
import { findSessionById } from '../../../db/sessions/session.ts';
import type { Session } from '../../../db/sessions/session.ts';
import { EngineError } from '../../../domain/error.ts';
import { MAX_PHONE_LENGTH } from '../../../domain/pairing.ts';
import { SCAN_QR_CODE, WORKING } from '../../../domain/sessions/session.ts';
import type { ApiDeps } from '../../deps.ts';
import { readBody } from '../../wire/body.ts';
import { enterFor } from '../../wire/doors.ts';
import { createGate, HELD } from '../../wire/held.ts';
import { cutSlowWriter } from '../../wire/pace.ts';
import type { RequestState } from '../../wire/request-state.ts';
import { doorOf } from '../at-backend.ts';
import { requireOursAtBackend } from '../session-in-scope.ts';
import { SCRIPT, STYLE } from './assets.ts';
import { connectPage, noPage, startPage } from './pages.ts';
import type { PageState } from './pages.ts';
import { pairingCodeFor } from './pairing-code.ts';

type ConnectPages = Pick<ApiDeps, 'database' | 'backends' | 'qrReads' | 'connectLinks'>;

type Context = ParameterizedContext<RequestState>;
/** Serves a genuine link; false where it is not good for this browser. */
type Serve = (context: Context, asked: { linkId: string; page: string }) => Promise<boolean>;

interface Opened {
  linkId: string;
  session: Session;
  state: PageState;
}

const PATH = '/connect/:linkId/:signature';
const COOKIE = 'connect';
const COOKIE_BYTES = 32;
/** The longest time that a link works; the link itself ends sooner where it is to. */
const COOKIE_MAX_AGE_SECONDS = 3_600;
const MAX_CODES = 5;
const MAX_FORM_BYTES = 1_024;

const HEADERS = {
  'content-security-policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; form-action 'self'; " +
    "base-uri 'none'; frame-ancestors 'none'",
  'x-frame-options': 'DENY',
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'x-robots-tag': 'noindex',
  'cache-control': 'no-store',
};

/** Serves the pages by which the owner of a phone connects an account, without a key. */
export function mountConnectPages(router: Router<RequestState>, pages: ConnectPages): void {
  const { database, connectLinks } = pages;
  const { root } = connectLinks;
  const gate = createGate('connectPage');
  const none = noPage(root);

  /** Answers the one plain page unless `serve` finds that the link is good for this browser. */
  const on = (method: 'get' | 'post', path: string, serve: Serve): void => {
    router[method](path, async (context) => {
      context.state.route = path;
      context.set(HEADERS);
      const { linkId = '', signature = '' } = context.params;
      const agencyId = connectLinks.isGenuine(linkId, signature)
        ? await database.read((queries) => findLinkAgency(queries, linkId))
        : null;
      if (agencyId !== null) {
        await gate.enterFor(context.res, { owner: linkId, agencyId });
        if (await serve(context, { linkId, page: `${connectLinks.pathOf(linkId)}/${signature}` })) return;
      }
      show(context, none, 404);
    });
  };

  on('get', PATH, async (context, { linkId, page }) => {
    const opened = await openedBy(context, linkId, database);
    if (opened) {
      show(context, connectPage({ root, page, state: opened.state }));
      return true;
    }
    if (!(await database.read((queries) => mayBeOpened(queries, linkId)))) return false;
    if (context.cookies.get(COOKIE) === undefined) giveCookie(context, connectLinks, linkId);
    show(context, startPage({ root, page }));
    return true;
  });

  on('post', PATH, async (context, { linkId, page }) => {
    const cookie = context.cookies.get(COOKIE);
    if (cookie === undefined) return false;
    // A click that comes twice finds the link opened by its own browser.
    const isFirst = await database.statement((tx) => openConnectLink(tx, linkId, cookie));
    if (!isFirst && !(await openedBy(context, linkId, database))) return false;
    context.status = 303;
    context.set('location', page);
    return true;
  });

  on('get', `${PATH}/state`, async (context, { linkId }) => {
    const opened = await openedBy(context, linkId, database);
    if (opened) context.body = { state: opened.state };
    return opened !== undefined;
  });

  on('get', `${PATH}/code.png`, async (context, { linkId }) => {
    const opened = await openedBy(context, linkId, database);
    if (opened?.state !== 'scan') return false;
    requireOursAtBackend(opened.session);
    await enterFor(context.res, [doorOf(pages.qrReads, opened.session)], HELD.qr.waitMs);
    context.body = await pages.backends.of(opened.session).getQr(opened.session.name);
    context.type = 'image/png';
    return true;
  });

  on('post', `${PATH}/code`, async (context, { linkId, page }) => {
    const opened = await openedBy(context, linkId, database);
    if (!opened) return false;
    const phone = await phoneIn(context);
    const paired = await pairing({ ...opened, phone }, pages);
    show(context, connectPage({ root, page, state: opened.state, paired }));
    return true;
  });

  const asset = (path: string, type: string, content: string): void => {
    router.get(path, (context) => {
      context.state.route = path;
      context.set('x-content-type-options', 'nosniff');
      context.body = content;
      context.type = type;
    });
  };
  asset('/connect/page.js', 'text/javascript; charset=utf-8', SCRIPT);
  asset('/connect/page.css', 'text/css; charset=utf-8', STYLE);
}

/** Gives the browser the cookie by which the link knows it, once its owner has clicked. */
function giveCookie(context: Context, { pathOf, isSecure }: ConnectPages['connectLinks'], linkId: string): void {
  const attributes = [
    `${COOKIE}=${randomBytes(COOKIE_BYTES).toString('base64url')}`,
    `Path=${pathOf(linkId)}`,
    `Max-Age=${COOKIE_MAX_AGE_SECONDS}`,
    'HttpOnly',
    'SameSite=Lax',
    ...(isSecure ? ['Secure'] : []),
  ];
  context.set('set-cookie', attributes.join('; '));
}

/** Finds the link as the browser that opened it may see it; undefined for any other browser. */
async function openedBy(context: Context, linkId: string, database: Database): Promise<Opened | undefined> {
  const cookie = context.cookies.get(COOKIE);
  if (cookie === undefined) return undefined;
  const found = await database.read(async (queries) => {
    const link = await findOpenedLink(queries, linkId, cookie);
    const session = link && (await findSessionById(queries, link.sessionId));
    return link && session ? { link, session } : undefined;
  });
  if (found === undefined) return undefined;
  const { link, session } = found;
  if (link.isConnected) return { linkId, session, state: 'connected' };
  if (session.status === WORKING) {
    await database.statement((tx) => recordConnected(tx, linkId));
    return { linkId, session, state: 'connected' };
  }
  return { linkId, session, state: session.status === SCAN_QR_CODE ? 'scan' : 'wait' };
}

async function phoneIn(context: Context): Promise<string> {
  const stop = cutSlowWriter(context.req, HELD.connectPage);
  const bytes = await readBody(context.req, 'raw', MAX_FORM_BYTES).finally(stop);
  const form = new URLSearchParams(Buffer.isBuffer(bytes) ? bytes.toString('utf8') : '');
  return (form.get('phone') ?? '').slice(0, MAX_PHONE_LENGTH);
}

/** Asks for a pairing code. Failures show on the page, because a person reads it. */
async function pairing(
  { linkId, session, phone }: Opened & { phone: string },
  pages: ConnectPages,
): Promise<{ code: string } | { problem: string }> {
  if (!(await pages.database.statement((tx) => countCode(tx, linkId, MAX_CODES)))) {
    return { problem: 'No more codes can be requested here. Scan the code, or ask for a new link.' };
  }
  try {
    const { code } = await pairingCodeFor(session, phone, pages);
    return { code };
  } catch (error) {
    if (!(error instanceof EngineError)) throw error;
    return {
      problem:
        error.code === 'invalid_request'
          ? 'That is not a phone number. Write it with + and the country code.'
          : 'There is no code to type at the moment. Try again in a minute, or scan the code.',
    };
  }
}

function show(context: Context, html: string, status = 200): void {
  context.status = status;
  context.body = html;
  context.type = 'text/html; charset=utf-8';
}
