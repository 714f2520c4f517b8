import { BROADCAST_ROUTES } from './broadcasts.ts';
import { CHAT_ROUTES } from './chats.ts';
import { GROUP_ROUTES } from './groups.ts';
import { PEOPLE_ROUTES } from './people.ts';
import type { BackendRoute } from './row.ts';
import { SENDING_ROUTES } from './sending.ts';
import { SERVER_ROUTES } from './server.ts';
import { SESSION_ROUTES } from './sessions.ts';

/** Every route of the backend, by subject. A route that is not here is not passed on. */
export const BACKEND_ROUTES: Readonly<Record<string, readonly BackendRoute[]>> = {
  Sending: SENDING_ROUTES,
  Chats: CHAT_ROUTES,
  People: PEOPLE_ROUTES,
  Groups: GROUP_ROUTES,
  'Channels and stories': BROADCAST_ROUTES,
  Sessions: SESSION_ROUTES,
  Server: SERVER_ROUTES,
};
