import QRCode from 'qrcode';
import { z } from 'zod';
import { toChatId } from '../chat-id.ts';
import { newRouter, paramOf } from '../http/context.ts';
import { badRequest, notFound } from '../http/failures.ts';
import { bareId } from '../ids.ts';
import { emit, emitWhileWorking, viewOf } from '../network/emit.ts';
import { call, edit, react, revoke, vote } from '../network/changes.ts';
import { changeGroup, leaveGroup } from '../network/groups.ts';
import { receive } from '../network/inbound.ts';
import { sendFromPhone } from '../network/phone.ts';
import type { Parts } from '../parts.ts';
import { sessionInfo } from '../shapes/session-info.ts';
import { waMessage } from '../shapes/wa-message.ts';
import { Capping, Engine, Status } from '../state/fact.ts';
import type { Session, StoredMessage } from '../state/session.ts';
import { EVENTS } from '../state/session-settings.ts';
import {
  Acked,
  Called,
  Edited,
  Grouped,
  Inbound,
  LongPast,
  Phone,
  Reacted,
  Revoked,
  SavedContact,
  Typing,
  Voted,
} from './bodies.ts';
import { Nothing, parseControl } from './parse-control.ts';

export function sessionControlRoutes({ core, sessions, lifecycle, aftermath }: Parts) {
  const router = newRouter();
  const told = (session: Session, message: StoredMessage) => waMessage(message, viewOf(core, session));

  /** Adds one control route: it finds the session, acts on it and answers 201 with the result of `act`. */
  const on = (name: string, act: (session: Session, body: unknown) => object | Promise<object>) => {
    router.post(`/sandbox/sessions/:session/${name}`, async (ctx) => {
      const session = sessions.controlled(paramOf(ctx, 'session'));
      ctx.body = await act(session, ctx.state.body);
      ctx.status = 201;
    });
  };

  on('scan', async (session, body) => {
    parseControl(Nothing, body);
    if (!(await lifecycle.scanned(session))) throw badRequest(`No QR code is shown: the session is ${session.status}`);
    return sessionInfo(session);
  });
  router.get('/sandbox/sessions/:session/qr', async (ctx) => {
    const session = sessions.controlled(paramOf(ctx, 'session'));
    if (session.status !== 'SCAN_QR_CODE') throw badRequest(`No QR code is shown: the session is ${session.status}`);
    const png = await QRCode.toBuffer(lifecycle.qrCode(session), { type: 'png' });
    ctx.body = { mimetype: 'image/png', data: png.toString('base64') };
  });
  router.post('/sandbox/scanning', (ctx) => {
    const { byItself } = parseControl(z.object({ byItself: z.boolean() }), ctx.state.body);
    lifecycle.scansByItself = byItself;
    ctx.status = 201;
    ctx.body = { byItself };
  });

  router.post('/sandbox/version', (ctx) => {
    const { version } = parseControl(
      z.object({ version: z.string().regex(/^\d{4}\.\d{1,2}(\.\d{1,2})?$/) }),
      ctx.state.body,
    );
    core.version = version;
    ctx.status = 201;
    ctx.body = { version };
  });

  on('lose', (session, body) => {
    parseControl(Nothing, body);
    lifecycle.lose(session);
    return { name: session.name };
  });
  on('history', (session, body) => {
    parseControl(Nothing, body);
    lifecycle.bringHistory(linked(session));
    return { name: session.name };
  });
  on('past', (session, body) => {
    const past = parseControl(LongPast, body);
    core.world.record({ kind: 'session.past', session: linked(session).name, at: Date.now(), ...past });
    return past;
  });
  on('status', (session, body) => {
    lifecycle.force(session, parseControl(z.object({ status: Status }), body).status);
    return sessionInfo(session);
  });
  on('engine', (session, body) => {
    const { engine } = parseControl(z.object({ engine: Engine }), body);
    core.world.record({ kind: 'session.engine', session: session.name, engine });
    return { engine };
  });
  on('capping', (session, body) => {
    const capping = parseControl(Capping, body);
    core.world.record({ kind: 'session.capping', session: session.name, capping });
    return capping;
  });
  on('inbound', (session, body) => told(session, receive(core, linked(session), parseControl(Inbound, body))));
  on('contact', (session, body) => {
    const contact = parseControl(SavedContact, body);
    const id = toChatId(contact.id);
    core.world.record({ kind: 'contact.saved', session: linked(session).name, contact: { ...contact, id } });
    if (contact.lid !== undefined) {
      core.world.record({ kind: 'lid.learned', session: session.name, lid: contact.lid, pn: id });
    }
    return { id };
  });
  on('group', (session, body) => {
    const { leave, ...change } = parseControl(Grouped, body);
    return leave ? leaveGroup(core, linked(session), change.id) : changeGroup(core, linked(session), change);
  });
  on('typing', (session, body) => {
    const { from, presence } = parseControl(Typing, body);
    const id = toChatId(from);
    const payload = { id, presences: [{ participant: id, lastKnownPresence: presence, lastSeen: null }] };
    emitWhileWorking(core, linked(session), 'presence.update', payload);
    return payload;
  });
  on('phone', (session, body) => told(session, sendFromPhone(core, linked(session), parseControl(Phone, body))));
  on('ack', (session, body) => {
    const { id, ack, reader } = parseControl(Acked, body);
    const message = found(session, id);
    aftermath.ack(session, message, ack, reader && toChatId(reader));
    return told(session, message);
  });
  on('edit', (session, body) => {
    const { id, text } = parseControl(Edited, body);
    return told(session, edit(core, session, found(session, id), text));
  });
  on('revoke', (session, body) => told(session, revoke(core, session, found(session, parseControl(Revoked, body).id))));
  on('reaction', (session, body) => {
    const { from, id, text } = parseControl(Reacted, body);
    return react(core, session, found(session, id), { from, text, fromMe: false });
  });
  on('vote', (session, body) => {
    const { id, ...voted } = parseControl(Voted, body);
    return vote(core, session, found(session, id), voted);
  });
  on('call', (session, body) => call(core, linked(session), parseControl(Called, body)));
  on('event', (session, body) => {
    const { event, payload } = parseControl(
      z.object({ event: z.enum(EVENTS), payload: z.record(z.string(), z.unknown()) }),
      body,
    );
    emit(core, session, event, payload);
    return { event };
  });

  return router;
}

function linked(session: Session): Session {
  if (!session.account) throw badRequest('The session has never been linked to a phone: scan its QR code first');
  return session;
}

function found(session: Session, id: string): StoredMessage {
  const message = linked(session).account?.messages.get(bareId(id));
  if (!message) throw notFound('Message not found');
  return message;
}
