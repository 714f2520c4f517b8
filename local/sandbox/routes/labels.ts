import { z } from 'zod';
import { toChatId } from '../chat-id.ts';
import { newRouter, paramOf } from '../http/context.ts';
import { notFound, unprocessable } from '../http/failures.ts';
import { parse } from '../http/parse.ts';
import { accountOf } from '../network/core.ts';
import { emitWhileWorking } from '../network/emit.ts';
import type { Parts } from '../parts.ts';
import type { Account } from '../state/session.ts';

const COLORS = ['#ff9485', '#64c4ff', '#ffd429', '#dfaef0', '#99b6c1', '#55ccb3', '#ff9dff', '#d3a91d'] as const;

const LabelBody = z.object({
  name: z.string('name must be a string').min(1, 'name should not be empty'),
  color: z.number().int().min(0).nullish(),
  colorHex: z.string().nullish(),
});
const SetLabels = z.object({ labels: z.array(z.object({ id: z.coerce.string() })) });

export function labelRoutes({ core, sessions }: Parts) {
  const router = newRouter();

  router.get('/api/:session/labels', async (ctx) => {
    const session = await sessions.working(ctx, 'path');
    ctx.body = [...accountOf(session).labels.values()];
  });

  router.post('/api/:session/labels', async (ctx) => {
    const session = await sessions.working(ctx, 'path');
    const account = accountOf(session);
    const label = labelOf(ctx.state.body, nextId(account));
    const twin = [...account.labels.values()].find(({ name }) => name === label.name);
    if (twin) throw unprocessable(`Label with '${twin.name}' already exists, id: ${twin.id}`);
    core.world.record({ kind: 'label.saved', session: session.name, label });
    emitWhileWorking(core, session, 'label.upsert', label);
    ctx.status = 201;
    ctx.body = label;
  });

  router.put('/api/:session/labels/:labelId', async (ctx) => {
    const session = await sessions.working(ctx, 'path');
    const id = known(accountOf(session), paramOf(ctx, 'labelId'));
    const label = labelOf(ctx.state.body, id);
    core.world.record({ kind: 'label.saved', session: session.name, label });
    emitWhileWorking(core, session, 'label.upsert', label);
    ctx.body = label;
  });

  router.delete('/api/:session/labels/:labelId', async (ctx) => {
    const session = await sessions.working(ctx, 'path');
    const id = known(accountOf(session), paramOf(ctx, 'labelId'));
    const label = accountOf(session).labels.get(id) ?? {};
    core.world.record({ kind: 'label.deleted', session: session.name, id });
    emitWhileWorking(core, session, 'label.deleted', label);
    ctx.body = { result: true };
  });

  router.get('/api/:session/labels/chats/:chatId', async (ctx) => {
    const account = accountOf(await sessions.working(ctx, 'path'));
    ctx.body = labelsOf(account, toChatId(paramOf(ctx, 'chatId')));
  });

  router.put('/api/:session/labels/chats/:chatId', async (ctx) => {
    const session = await sessions.working(ctx, 'path');
    const account = accountOf(session);
    const chatId = toChatId(paramOf(ctx, 'chatId'));
    const before = account.chats.get(chatId)?.labels ?? [];
    // An unknown label is set like any other, and the labels that are not in the list go.
    const labels = parse(SetLabels, ctx.state.body).labels.map(({ id }) => id);
    const told = (labelId: string) => ({ labelId, chatId, label: account.labels.get(labelId) ?? null });
    core.world.record({ kind: 'chat.labelled', session: session.name, chatId, labels });
    // The list replaces the chat's labels, so a label that is not in it is removed.
    for (const labelId of labels.filter((id) => !before.includes(id))) {
      emitWhileWorking(core, session, 'label.chat.added', told(labelId));
    }
    for (const labelId of before.filter((id) => !labels.includes(id))) {
      emitWhileWorking(core, session, 'label.chat.deleted', told(labelId));
    }
    ctx.status = 200;
    ctx.body = '';
  });

  router.get('/api/:session/labels/:labelId/chats', async (ctx) => {
    const account = accountOf(await sessions.working(ctx, 'path'));
    const id = known(account, paramOf(ctx, 'labelId'));
    const chats = [...account.chats.values()].filter((chat) => chat.labels.includes(id));
    ctx.body = chats.map((chat) => ({ id: chat.id, name: chat.name }));
  });

  return router;
}

function labelOf(body: unknown, id: string) {
  const { name, color, colorHex } = parse(LabelBody, body);
  if (typeof color === 'number' && colorHex) throw unprocessable("Use either 'color' or 'colorHex'");
  const number = color ?? Math.max(0, COLORS.indexOf(COLORS.find((hex) => hex === colorHex) ?? COLORS[0]));
  return { id, name, color: number, colorHex: colorHex ?? COLORS[number % COLORS.length] ?? COLORS[0] };
}

const nextId = (account: Account): string => String(Math.max(0, ...[...account.labels.keys()].map(Number)) + 1);

function known(account: Account, id: string): string {
  if (!account.labels.has(id)) throw notFound('Label not found');
  return id;
}

function labelsOf(account: Account, chatId: string) {
  return (account.chats.get(chatId)?.labels ?? []).flatMap((id) => account.labels.get(id) ?? []);
}
