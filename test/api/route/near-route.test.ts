import { describe, expect, it } from '@jest/globals';
import { routes } from '../../../api/routes.ts';
import { nearestRoute } from '../../../api/route/near-route.ts';

describe('a path that is no route', () => {
  it.each([
    ['POST', '/api/v1/messages/sned', 'POST', '/api/v1/messages/send'],
    ['POST', '/api/v1/mesages/send', 'POST', '/api/v1/messages/send'],
    ['GET', '/api/v1/messages/serach', 'GET', '/api/v1/messages/search'],
    ['POST', '/api/v1/sessions/statuss', 'GET', '/api/v1/sessions/status'],
    ['GET', '/api/v1/inbox/chat', 'GET', '/api/v1/inbox/chats'],
    [
      'POST',
      '/api/v1/message/msg_019a8f3e-9d20-7c01-8a2b-3c5d7e9f1a24/cancel',
      'POST',
      '/api/v1/messages/:messageId/cancel',
    ],
  ])('%s %s is taken for %s %s', (method, path, meantMethod, meant) => {
    expect(nearestRoute(routes, method, path)).toMatchObject({ method: meantMethod, path: meant });
  });

  it.each([
    ['an id', '/api/v1/messages/msg_019a8f3e-9d20-7c01-8a2b-3c5d7e9f1a24'],
    ['another word', '/api/v1/messages/deliver'],
    ['a very long word', `/api/v1/messages/${'a'.repeat(8_000)}`],
    ['a path that goes on', '/api/v1/messages/send/now'],
  ])('%s is near to none', (_, path) => {
    expect(nearestRoute(routes, 'POST', path)).toBeUndefined();
  });
});
