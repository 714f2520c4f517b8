import { newRouter, paramOf } from '../http/context.ts';
import type { Context } from '../http/context.ts';
import { newMessageId } from '../ids.ts';
import type { Parts } from '../parts.ts';

type Answer = (ctx: Context) => unknown;

const nothing: Answer = () => '';
const success: Answer = () => ({ success: true });

/**
 * Routes whose effect nothing in the sandbox shows: they check the session and answer. The record has the calls. A status
 * that is left out is the backend's usual one.
 */
const ROUTES: readonly (readonly ['get' | 'post' | 'put' | 'delete', string, Answer, number?])[] = [
  ['get', 'channels', () => []],
  ['post', 'channels', (ctx) => channel(`${Date.now()}@newsletter`, ctx)],
  ['get', 'channels/search/views', () => [{ value: 'TRENDING', name: 'Trending' }]],
  ['get', 'channels/search/countries', () => [{ code: 'US', name: 'United States' }]],
  ['get', 'channels/search/categories', () => [{ value: 'NEWS', name: 'News' }]],
  ['post', 'channels/search/by-view', () => emptyPage(), 200],
  ['post', 'channels/search/by-text', () => emptyPage(), 200],
  ['get', 'channels/:id', (ctx) => channel(paramOf(ctx, 'id'), ctx)],
  ['get', 'channels/:id/messages/preview', () => []],
  ['delete', 'channels/:id', nothing],
  ['post', 'channels/:id/follow', nothing],
  ['post', 'channels/:id/unfollow', nothing],
  ['post', 'channels/:id/mute', nothing],
  ['post', 'channels/:id/unmute', nothing],
  ['post', 'status/text', nothing],
  ['post', 'status/image', nothing],
  ['post', 'status/voice', nothing],
  ['post', 'status/video', nothing],
  ['post', 'status/delete', nothing],
  ['get', 'status/new-message-id', () => ({ id: newMessageId() })],
  ['get', 'presence', () => []],
  ['delete', 'chats/:chatId', nothing],
  ['delete', 'chats/:chatId/messages', nothing],
  ['post', 'chats/:chatId/messages/:messageId/pin', nothing],
  ['post', 'chats/:chatId/messages/:messageId/unpin', nothing],
  ['post', 'groups', () => ({ id: `${Date.now()}@g.us` })],
  ['get', 'groups/join-info', () => ({ id: '120363000000000000@g.us' })],
  ['post', 'groups/join', () => ({ id: '120363000000000000@g.us' }), 200],
  ['delete', 'groups/:id', nothing],
  ['post', 'groups/:id/leave', nothing, 200],
  ['get', 'groups/:id/picture', () => ({ url: null })],
  ['put', 'groups/:id/picture', success],
  ['delete', 'groups/:id/picture', success],
  ['put', 'groups/:id/description', nothing],
  ['put', 'groups/:id/subject', nothing],
  ['put', 'groups/:id/settings/security/info-admin-only', nothing],
  ['get', 'groups/:id/settings/security/info-admin-only', () => ({ adminsOnly: false })],
  ['put', 'groups/:id/settings/security/messages-admin-only', nothing],
  ['get', 'groups/:id/settings/security/messages-admin-only', () => ({ adminsOnly: false })],
  ['get', 'groups/:id/invite-code', () => JSON.stringify('Abc123')],
  ['post', 'groups/:id/invite-code/revoke', () => JSON.stringify('Def456'), 200],
  ['get', 'groups/:id/participants', () => []],
  ['post', 'groups/:id/participants/add', nothing, 200],
  ['post', 'groups/:id/participants/remove', nothing, 200],
  ['post', 'groups/:id/admin/promote', nothing, 200],
  ['post', 'groups/:id/admin/demote', nothing, 200],
  ['post', 'media/convert/voice', nothing],
  ['post', 'media/convert/video', nothing],
];

export function answeredOnlyRoutes({ sessions }: Parts) {
  const router = newRouter();
  for (const [method, path, answer, status = method === 'post' ? 201 : 200] of ROUTES) {
    router[method](`/api/:session/${path}`, async (ctx) => {
      await sessions.working(ctx, 'path');
      ctx.body = answer(ctx);
      ctx.status = status;
      if (path.includes('invite-code')) ctx.type = 'application/json';
    });
  }
  return router;
}

function emptyPage(): object {
  return { page: { startCursor: null, endCursor: null, hasNextPage: false, hasPreviousPage: false }, channels: [] };
}

function channel(id: string, ctx: Context): object {
  const { body } = ctx.state;
  const name = typeof body === 'object' && body !== null && 'name' in body ? String(body.name) : 'Channel';
  const invite = 'https://www.whatsapp.com/channel/sandbox';
  return {
    id,
    name,
    invite,
    preview: null,
    picture: null,
    role: 'OWNER',
    description: null,
    verified: false,
    subscribersCount: 0,
  };
}
