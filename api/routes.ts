import type { ApiDeps } from './deps.ts';
import type { Route } from './route/route.ts';
import { adminRoutes } from './tenants/admin.ts';
import { apiKeyRoutes } from './tenants/api-keys.ts';
import { auditRoutes } from './tenants/audit.ts';
import { backendEventRoutes } from './network/backend-events.ts';
import { contactActionRoutes } from './conversations/contact-actions.ts';
import { contactRoutes } from './conversations/contacts.ts';
import { conversationRoutes } from './conversations/handoff.ts';
import { dashboardRoutes } from './tenants/dashboards.ts';
import { encryptionKeyRoutes } from './tenants/encryption-key.ts';
import { inboxContextRoutes } from './agent/inbox-context.ts';
import { inboxRoutes } from './conversations/inbox.ts';
import { interactiveRoutes } from './sending/interactive.ts';
import { labelRoutes } from './conversations/labels.ts';
import { limitRoutes } from './tenants/limits.ts';
import { memoryRoutes } from './agent/memories.ts';
import { messageRoutes } from './sending/messages.ts';
import { readRoutes } from './conversations/read.ts';
import { participantRoutes } from './conversations/participants.ts';
import { passedRequestRoutes } from './passthrough/requests.ts';
import { parkedEventRoutes } from './network/parked-events.ts';
import { rehearsalRoutes } from './agent/rehearsals.ts';
import { replyRoutes } from './conversations/replies.ts';
import { resolveRoutes } from './sending/resolve.ts';
import { salesAgentRoutes } from './agent/sales-agent.ts';
import { scheduledRoutes } from './sending/waiting.ts';
import { capabilityRoutes } from './sessions/capabilities.ts';
import { sessionDirectoryRoutes } from './sessions/directory.ts';
import { pairingRoutes } from './sessions/pairing.ts';
import { profileRoutes } from './sessions/profile.ts';
import { backendRoutes } from './sessions/backends.ts';
import { lifecycleRoutes } from './sessions/lifecycle.ts';
import { sessionRoutes } from './sessions/sessions.ts';
import { settingsRoutes } from './tenants/settings.ts';
import { statusRoutes } from './status.ts';
import { turnRoutes } from './agent/turns.ts';
import { unmergeRoutes } from './conversations/unmerge.ts';
import { webhookDeliveryRoutes } from './webhooks/deliveries.ts';
import { webhookEndpointActionRoutes } from './webhooks/endpoint-actions.ts';
import { webhookEndpointRoutes } from './webhooks/endpoints.ts';
import { webhookEventTypeRoutes } from './webhooks/event-types.ts';
import { webhookEventRoutes } from './webhooks/events.ts';
import { eventStreamRoutes } from './webhooks/stream/route.ts';
import { webhookNoticeRoutes } from './webhooks/notices.ts';
import { webhookPayloadRoutes } from './webhooks/payloads.ts';

/** The table of contents of the API. */
export const routes: readonly Route<ApiDeps>[] = [
  ...messageRoutes,
  ...interactiveRoutes,
  ...replyRoutes,
  ...resolveRoutes,
  ...scheduledRoutes,
  ...inboxRoutes,
  ...sessionRoutes,
  ...sessionDirectoryRoutes,
  ...profileRoutes,
  ...pairingRoutes,
  ...capabilityRoutes,
  ...lifecycleRoutes,
  ...conversationRoutes,
  ...readRoutes,
  ...labelRoutes,
  ...contactRoutes,
  ...contactActionRoutes,
  ...participantRoutes,
  ...unmergeRoutes,
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
  ...eventStreamRoutes,
  ...webhookDeliveryRoutes,
  ...webhookNoticeRoutes,
  ...webhookPayloadRoutes,
  ...dashboardRoutes,
  ...limitRoutes,
  ...backendRoutes,
  ...adminRoutes,
  ...auditRoutes,
  ...encryptionKeyRoutes,
  ...backendEventRoutes,
  ...parkedEventRoutes,
  ...passedRequestRoutes,
  ...statusRoutes,
];
