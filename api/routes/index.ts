import type { ApiDeps } from '../deps.ts';
import type { Route } from '../route.ts';
import { apiKeyRoutes } from './api-keys.ts';
import { backendEventRoutes } from './backend-events.ts';
import { conversationRoutes } from './conversations.ts';
import { dashboardRoutes } from './dashboards.ts';
import { inboxRoutes } from './inbox.ts';
import { messageRoutes } from './messages.ts';
import { salesAgentRoutes } from './sales-agent.ts';
import { sessionRoutes } from './sessions.ts';
import { statusRoutes } from './status.ts';

/** The table of contents of the API. */
export const routes: readonly Route<ApiDeps>[] = [
  ...messageRoutes,
  ...inboxRoutes,
  ...sessionRoutes,
  ...conversationRoutes,
  ...salesAgentRoutes,
  ...apiKeyRoutes,
  ...dashboardRoutes,
  ...backendEventRoutes,
  ...statusRoutes,
];
