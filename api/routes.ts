import type { ApiDeps } from './deps.ts';
import type { Route } from './route/route.ts';
import { adminRoutes } from './tenants/admin.ts';
import { apiKeyRoutes } from './tenants/api-keys.ts';
import { automationAdminRoutes } from './automations/admin.ts';
import { automationRoutes } from './automations/automations.ts';
import { automationDefaultRoutes } from './automations/defaults.ts';
import { definitionRoutes } from './automations/definitions.ts';
import { dryRunRoutes } from './automations/dry-run.ts';
import { executionDecisionRoutes } from './automations/execution-decisions.ts';
import { executionRoutes } from './automations/executions.ts';
import { brandRoutes } from './tenants/brand.ts';
import { auditRoutes } from './tenants/audit.ts';
import { backendEventRoutes } from './network/backend-events.ts';
import { cannedAnswerRoutes } from './tenants/canned-answers.ts';
import { consoleLoginRoutes } from './console/login-list.ts';
import { operatorLoginRoutes } from './console/operator-logins.ts';
import { consoleLinkRoutes } from './console/links.ts';
import { contactActionRoutes } from './conversations/contact-actions.ts';
import { contactRoutes } from './conversations/contacts.ts';
import { optOutRoutes } from './conversations/opt-outs.ts';
import { conversationRoutes } from './conversations/handoff.ts';
import { dashboardRoutes } from './tenants/dashboards.ts';
import { encryptionKeyRoutes } from './tenants/encryption-key.ts';
import { inboxContextRoutes } from './agent/inbox-context.ts';
import { chatRoutes } from './conversations/inbox/chats.ts';
import { conversationDetailsRoutes } from './conversations/inbox/conversation.ts';
import { messageListRoutes } from './conversations/inbox/messages.ts';
import { searchRoutes } from './conversations/inbox/search.ts';
import { messageStatusRoutes } from './conversations/inbox/message-status.ts';
import { interactiveRoutes } from './sending/interactive.ts';
import { labelRoutes } from './conversations/labels.ts';
import { engineExecutionRoutes } from './operations/executions.ts';
import { parkedDispatchRoutes } from './operations/parked-dispatches.ts';
import { engineWorkRoutes } from './operations/engine-work.ts';
import { unknownReportRoutes } from './operations/unknown-reports.ts';
import { loadRoutes } from './tenants/load.ts';
import { limitRoutes } from './tenants/limits.ts';
import { noteRoutes } from './conversations/team/notes.ts';
import { teamRoutes } from './conversations/team/viewers.ts';
import { memoryRoutes } from './agent/memories.ts';
import { messageRoutes } from './sending/messages.ts';
import { uploadRoutes } from './sending/uploads.ts';
import { readRoutes } from './conversations/read.ts';
import { participantRoutes } from './conversations/participants.ts';
import { passedRequestRoutes } from './passthrough/requests.ts';
import { planRoutes } from './sending/plans.ts';
import { parkedEventRoutes } from './network/parked-events.ts';
import { rehearsalRoutes } from './agent/rehearsals.ts';
import { replyRoutes } from './conversations/replies.ts';
import { resolveRoutes } from './sending/resolve.ts';
import { salesAgentRoutes } from './agent/sales-agent.ts';
import { settleOwedRoutes } from './agent/settle-owed.ts';
import { actionRoutes } from './sending/actions.ts';
import { scheduledRoutes } from './conversations/waiting.ts';
import { erasureRoutes } from './personal-data/erasures.ts';
import { exportRoutes } from './personal-data/exports.ts';
import { retentionRoutes } from './personal-data/retention.ts';
import { capabilityRoutes } from './sessions/capabilities.ts';
import { sessionDirectoryRoutes } from './sessions/directory.ts';
import { pairingRoutes } from './sessions/pairing.ts';
import { profileRoutes } from './sessions/profile.ts';
import { backendRoutes } from './sessions/backends.ts';
import { lifecycleRoutes } from './sessions/lifecycle.ts';
import { gapRoutes } from './sessions/gaps.ts';
import { syncRoutes } from './sessions/sync.ts';
import { sessionRoutes } from './sessions/sessions.ts';
import { settingsRoutes } from './tenants/settings.ts';
import { usageRoutes } from './tenants/usage.ts';
import { statusRoutes } from './status.ts';
import { turnRoutes } from './agent/turns.ts';
import { workflowHookRoutes } from './flows/hooks.ts';
import { workflowFunctionRoutes } from './flows/functions.ts';
import { workflowTemplateRoutes } from './flows/templates.ts';
import { workflowSecretRoutes } from './flows/secrets.ts';
import { workflowRoutes } from './flows/workflows.ts';
import { unmergeRoutes } from './conversations/unmerge.ts';
import { webhookDeliveryRoutes } from './webhooks/deliveries.ts';
import { webhookEndpointActionRoutes } from './webhooks/endpoint-actions.ts';
import { endpointStatisticsRoutes } from './webhooks/endpoint-statistics.ts';
import { webhookEndpointRoutes } from './webhooks/endpoints.ts';
import { sessionEndpointRoutes } from './webhooks/session-endpoints.ts';
import { webhookEventTypeRoutes } from './webhooks/event-types.ts';
import { webhookEventRoutes } from './webhooks/events.ts';
import { eventStreamRoutes } from './webhooks/stream/route.ts';
import { openStreamRoutes } from './webhooks/stream/stream-list.ts';
import { webhookMirrorRoutes } from './webhooks/mirror.ts';
import { webhookNoticeRoutes } from './webhooks/notices.ts';
import { webhookPayloadRoutes } from './webhooks/payloads.ts';

/** The table of contents of the API. */
export const routes: readonly Route<ApiDeps>[] = [
  ...messageRoutes,
  ...uploadRoutes,
  ...interactiveRoutes,
  ...replyRoutes,
  ...planRoutes,
  ...resolveRoutes,
  ...scheduledRoutes,
  ...chatRoutes,
  ...messageListRoutes,
  ...messageStatusRoutes,
  ...searchRoutes,
  ...conversationDetailsRoutes,
  ...actionRoutes,
  ...sessionRoutes,
  ...optOutRoutes,
  ...gapRoutes,
  ...sessionDirectoryRoutes,
  ...profileRoutes,
  ...pairingRoutes,
  ...capabilityRoutes,
  ...lifecycleRoutes,
  ...syncRoutes,
  ...conversationRoutes,
  ...readRoutes,
  ...labelRoutes,
  ...contactRoutes,
  ...contactActionRoutes,
  ...participantRoutes,
  ...unmergeRoutes,
  ...erasureRoutes,
  ...salesAgentRoutes,
  ...settleOwedRoutes,
  ...turnRoutes,
  ...memoryRoutes,
  ...noteRoutes,
  ...teamRoutes,
  ...inboxContextRoutes,
  ...rehearsalRoutes,
  ...definitionRoutes,
  ...automationRoutes,
  ...automationDefaultRoutes,
  ...dryRunRoutes,
  ...workflowRoutes,
  ...workflowFunctionRoutes,
  ...workflowTemplateRoutes,
  ...workflowSecretRoutes,
  ...workflowHookRoutes,
  ...executionRoutes,
  ...executionDecisionRoutes,
  ...settingsRoutes,
  ...brandRoutes,
  ...cannedAnswerRoutes,
  ...retentionRoutes,
  ...exportRoutes,
  ...engineExecutionRoutes,
  ...parkedDispatchRoutes,
  ...unknownReportRoutes,
  ...engineWorkRoutes,
  ...usageRoutes,
  ...loadRoutes,
  ...apiKeyRoutes,
  ...consoleLinkRoutes,
  ...consoleLoginRoutes,
  ...operatorLoginRoutes,
  ...webhookEndpointRoutes,
  ...endpointStatisticsRoutes,
  ...webhookEndpointActionRoutes,
  ...sessionEndpointRoutes,
  ...webhookEventTypeRoutes,
  ...webhookEventRoutes,
  ...eventStreamRoutes,
  ...openStreamRoutes,
  ...webhookDeliveryRoutes,
  ...webhookNoticeRoutes,
  ...webhookMirrorRoutes,
  ...webhookPayloadRoutes,
  ...dashboardRoutes,
  ...limitRoutes,
  ...backendRoutes,
  ...adminRoutes,
  ...auditRoutes,
  ...automationAdminRoutes,
  ...encryptionKeyRoutes,
  ...backendEventRoutes,
  ...parkedEventRoutes,
  ...passedRequestRoutes,
  ...statusRoutes,
];
