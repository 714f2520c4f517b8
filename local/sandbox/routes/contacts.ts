import { z } from 'zod';
import { toChatId } from '../chat-id.ts';
import { newRouter, paramOf, queryOf } from '../http/context.ts';
import { badRequest, notImplemented } from '../http/failures.ts';
import type { Context } from '../http/context.ts';
import { page } from '../http/page.ts';
import { parse } from '../http/parse.ts';
import { accountOf, engineOf } from '../network/core.ts';
import { personAt } from '../network/identity.ts';
import { hasStore } from '../network/history.ts';
import type { Parts } from '../parts.ts';
import { contactView } from '../shapes/contact.ts';
import type { Session } from '../state/session.ts';
import { blocksOn } from '../version.ts';

/** The name of a picture's file begins with this. */
export const PICTURE = 'picture_';

const Block = z.object({ contactId: z.string() });
const Rename = z.object({ firstName: z.string(), lastName: z.string().nullish() });

export function contactRoutes({ core, sessions }: Parts) {
  const router = newRouter();
  const view = (session: Session, id: string) => contactView(accountOf(session), engineOf(core, session), id);
  /** Answers one contact. For an unknown contact WEBJS makes an entry, and the other engines answer an empty body. */
  const answerOne = (ctx: Context, session: Session, id: string) => {
    const known = accountOf(session).contacts.has(id) || engineOf(core, session) === 'WEBJS';
    ctx.status = 200;
    ctx.body = known ? view(session, id) : '';
  };

  router.get('/api/contacts/all', async (ctx) => {
    const session = await sessions.working(ctx, 'query');
    const { limit, offset } = page(ctx, Number.MAX_SAFE_INTEGER);
    const ids = hasStore(core, session) ? [...accountOf(session).contacts.keys()] : [];
    const all = ids.map((id) => view(session, id));
    const by = queryOf(ctx, 'sortBy');
    if (by === 'name') all.sort((a, b) => (a.name ?? '').localeCompare(b.name ?? ''));
    if (by === 'id') all.sort((a, b) => (a.id < b.id ? -1 : 1));
    const sorted = queryOf(ctx, 'sortOrder') === 'desc' ? all.toReversed() : all;
    ctx.body = sorted.slice(offset, offset + limit);
  });

  for (const route of ['contacts/check-exists', 'checkNumberStatus'])
    router.get(`/api/${route}`, async (ctx) => {
      const session = await sessions.working(ctx, 'query');
      const phone = queryOf(ctx, 'phone');
      if (phone === undefined) throw badRequest(['phone should not be empty', 'phone must be a string']);
      const chatId = toChatId(phone);
      const { onNetwork, shorterId } = personAt(accountOf(session), chatId);
      const told = shorterId ? chatId.slice(0, 4) + chatId.slice(5) : chatId;
      const known = accountOf(session).id === chatId || onNetwork;
      ctx.body = known ? { numberExists: true, chatId: told } : { numberExists: false };
    });

  router.get('/api/contacts/about', async (ctx) => {
    const session = await sessions.working(ctx, 'query');
    requireBlocking(session);
    const { id, about, contacts } = accountOf(session);
    ctx.body = { about: contactId(ctx) === id ? about : (contacts.get(contactId(ctx))?.about ?? noAbout(session)) };
  });

  router.get('/api/contacts/profile-picture', async (ctx) => {
    const session = await sessions.working(ctx, 'query');
    const id = contactId(ctx);
    // The network's own hosts are not played, so the picture is a file of the backend.
    const shows = Boolean(accountOf(session).contacts.get(id)?.picture);
    ctx.body = { profilePictureURL: shows ? `${core.url}/api/files/${session.name}/${PICTURE}${id}.png` : null };
  });

  router.get('/api/contacts', async (ctx) => {
    const session = await sessions.working(ctx, 'query');
    answerOne(ctx, session, contactId(ctx));
  });

  router.get('/api/:session/contacts/:id', async (ctx) => {
    const session = await sessions.working(ctx, 'path');
    answerOne(ctx, session, toChatId(paramOf(ctx, 'id')));
  });

  router.put('/api/:session/contacts/:id', async (ctx) => {
    const session = await sessions.working(ctx, 'path');
    const { firstName, lastName } = parse(Rename, ctx.state.body);
    const name = [firstName, lastName].filter(Boolean).join(' ');
    const contact = { id: toChatId(paramOf(ctx, 'id')), name };
    core.world.record({ kind: 'contact.saved', session: session.name, contact });
    ctx.body = { success: true };
  });

  for (const act of ['block', 'unblock']) {
    router.post(`/api/contacts/${act}`, async (ctx) => {
      const session = await sessions.working(ctx, 'body');
      const { contactId: id } = parse(Block, ctx.state.body);
      requireBlocking(session);
      const chatId = toChatId(id);
      core.world.record({ kind: 'contact.blocked', session: session.name, chatId, blocked: act === 'block' });
      ctx.status = 201;
      ctx.body = engineOf(core, session) === 'NOWEB' ? { contact: id, status: `${act}ed` } : '';
    });
  }

  const requireBlocking = (session: Session) => {
    const engine = engineOf(core, session);
    if (!blocksOn(engine, core.version)) throw notImplemented(engine);
  };
  /** NOWEB says of an about text that is hidden, or not there, that it is empty. */
  const noAbout = (session: Session) => (engineOf(core, session) === 'NOWEB' ? '' : null);
  return router;
}

function contactId(ctx: Context): string {
  const id = queryOf(ctx, 'contactId');
  if (id === undefined) throw badRequest(['contactId should not be empty', 'contactId must be a string']);
  return toChatId(id);
}
