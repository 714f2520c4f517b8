import type { ApiDeps } from '../deps.ts';
import type { Route } from '../route.ts';
import { apiKeyRoutes } from './api-keys.ts';
import { backendEventRoutes } from './backend-events.ts';
import { conversationRoutes } from './conversations.ts';
import { dashboardRoutes } from './dashboards.ts';
import { inboxContextRoutes } from './inbox-context.ts';
import { inboxRoutes } from './inbox.ts';
import { interactiveRoutes } from './interactive.ts';
import { memoryRoutes } from './memories.ts';
import { messageRoutes } from './messages.ts';
import { readRoutes } from './read.ts';
import { parkedEventRoutes } from './parked-events.ts';
import { rehearsalRoutes } from './rehearsals.ts';
import { replyRoutes } from './replies.ts';
import { resolveRoutes } from './resolve.ts';
import { salesAgentRoutes } from './sales-agent.ts';
import { scheduledRoutes } from './scheduled.ts';
import { sessionRoutes } from './sessions.ts';
import { settingsRoutes } from './settings.ts';
import { statusRoutes } from './status.ts';
import { turnRoutes } from './turns.ts';
import { webhookDeliveryRoutes } from './webhook-deliveries.ts';
import { webhookEndpointActionRoutes } from './webhook-endpoint-actions.ts';
import { webhookEndpointRoutes } from './webhook-endpoints.ts';
import { webhookEventTypeRoutes } from './webhook-event-types.ts';
import { webhookEventRoutes } from './webhook-events.ts';
import { webhookNoticeRoutes } from './webhook-notices.ts';
import { webhookPayloadRoutes } from './webhook-payloads.ts';

/** The table of contents of the API. */
export const routes: readonly Route<ApiDeps>[] = [
  ...messageRoutes,
  ...interactiveRoutes,
  ...replyRoutes,
  ...resolveRoutes,
  ...scheduledRoutes,
  ...inboxRoutes,
  ...sessionRoutes,
  ...conversationRoutes,
  ...readRoutes,
  ...salesAgentRoutes,
  ...turnRoutes,
  ...memoryRoutes,
  ...inboxContextRoutes,
  ...rehearsalRoutes,
  ...settingsRoutes,
  ...apiKeyRoutes,
  ...webhookEndpointRoutes,
  ...webhookEndpointActionRoutes,
  ...webhookEventTypeRoutes,
  ...webhookEventRoutes,
  ...webhookDeliveryRoutes,
  ...webhookNoticeRoutes,
  ...webhookPayloadRoutes,
  ...dashboardRoutes,
  ...backendEventRoutes,
  ...parkedEventRoutes,
  ...statusRoutes,
];
