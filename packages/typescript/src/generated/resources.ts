// Made from openapi.json by `npm run client`: change the routes, not this file.
import type { Caller } from '../caller.ts';
import { MessagesCalls } from './messages/calls.ts';
import { FilesCalls } from './files/calls.ts';
import { ConversationsCalls } from './conversations/calls.ts';
import { SessionsCalls } from './sessions/calls.ts';
import { ContactsCalls } from './contacts/calls.ts';
import { LabelsCalls } from './labels/calls.ts';
import { ErasuresCalls } from './erasures/calls.ts';
import { AgentStateCalls } from './agentState/calls.ts';
import { AgentPersonaCalls } from './agentPersona/calls.ts';
import { AgentTurnsCalls } from './agentTurns/calls.ts';
import { MemoriesCalls } from './memories/calls.ts';
import { NotesCalls } from './notes/calls.ts';
import { AgentContextCalls } from './agentContext/calls.ts';
import { AgentRehearsalsCalls } from './agentRehearsals/calls.ts';
import { AutomationsCalls } from './automations/calls.ts';
import { WorkflowsCalls } from './workflows/calls.ts';
import { WorkflowSecretsCalls } from './workflowSecrets/calls.ts';
import { TenantSettingsCalls } from './tenantSettings/calls.ts';
import { BrandCalls } from './brand/calls.ts';
import { CannedAnswersCalls } from './cannedAnswers/calls.ts';
import { ExportsCalls } from './exports/calls.ts';
import { ExecutionsCalls } from './executions/calls.ts';
import { AdminParkedDispatchesCalls } from './adminParkedDispatches/calls.ts';
import { AdminUnknownReportsCalls } from './adminUnknownReports/calls.ts';
import { AdminWorkCalls } from './adminWork/calls.ts';
import { ApiKeysCalls } from './apiKeys/calls.ts';
import { ConsoleLinksCalls } from './consoleLinks/calls.ts';
import { ConsoleLoginsCalls } from './consoleLogins/calls.ts';
import { WebhookEndpointsCalls } from './webhookEndpoints/calls.ts';
import { SessionWebhooksCalls } from './sessionWebhooks/calls.ts';
import { WebhookEventTypesCalls } from './webhookEventTypes/calls.ts';
import { WebhookEventsCalls } from './webhookEvents/calls.ts';
import { EventStreamsCalls } from './eventStreams/calls.ts';
import { WebhookDeliveriesCalls } from './webhookDeliveries/calls.ts';
import { WebhookAttemptsCalls } from './webhookAttempts/calls.ts';
import { WebhookNoticesCalls } from './webhookNotices/calls.ts';
import { WebhookMirrorCalls } from './webhookMirror/calls.ts';
import { DashboardsCalls } from './dashboards/calls.ts';
import { LimitsCalls } from './limits/calls.ts';
import { AdminBackendsCalls } from './adminBackends/calls.ts';
import { AdminDashboardsCalls } from './adminDashboards/calls.ts';
import { AuditCalls } from './audit/calls.ts';
import { AdminAutomationsCalls } from './adminAutomations/calls.ts';
import { EncryptionKeyCalls } from './encryptionKey/calls.ts';
import { ParkedEventsCalls } from './parkedEvents/calls.ts';
import { AdminParkedEventsCalls } from './adminParkedEvents/calls.ts';
import { PassthroughRequestsCalls } from './passthroughRequests/calls.ts';
import { HealthCalls } from './health/calls.ts';

/** All resources of the engine. */
export class Resources {
  /** Send, forward, change, cancel and resend messages, and follow them. Edit or delete a message for everyone, or react to it. */
  readonly messages: MessagesCalls;
  /** Upload files to send, of any size that the engine accepts; list and end uploads. */
  readonly files: FilesCalls;
  /** List, read and answer conversations. Assign them to a person or to the AI agent. */
  readonly conversations: ConversationsCalls;
  /** Connect messaging accounts, and read their status and capabilities. Start, stop, restart, log out and delete sessions. */
  readonly sessions: SessionsCalls;
  /** List, look up, block and unblock people. Undo a merge of two contacts. */
  readonly contacts: ContactsCalls;
  /** The labels of an account, and which chats have them. */
  readonly labels: LabelsCalls;
  /** Erase all data of a person, and see what was erased where. */
  readonly erasures: ErasuresCalls;
  /** Switch the AI sales agent of a tenant on and off. */
  readonly agentState: AgentStateCalls;
  /** The AI sales agent's style, hours and handover. */
  readonly agentPersona: AgentPersonaCalls;
  /** The AI sales agent's decision about each message. */
  readonly agentTurns: AgentTurnsCalls;
  /** Facts about contacts or the tenant that the AI sales agent uses. */
  readonly memories: MemoriesCalls;
  /** Internal notes of the team about contacts. */
  readonly notes: NotesCalls;
  /** The prompt that the AI sales agent uses for a conversation. */
  readonly agentContext: AgentContextCalls;
  /** Try a persona on a conversation without sending anything. */
  readonly agentRehearsals: AgentRehearsalsCalls;
  /** Configure automations, run them, and read their runs. */
  readonly automations: AutomationsCalls;
  /** Create, check, change, copy and delete the workflows of an agency. */
  readonly workflows: WorkflowsCalls;
  /** Secrets for the HTTP requests of an agency's workflows. */
  readonly workflowSecrets: WorkflowSecretsCalls;
  /** A tenant's pace, quiet hours, time zone, retention, webhook and storage. */
  readonly tenantSettings: TenantSettingsCalls;
  /** An agency's logo and colour, shown to people with a console link. */
  readonly brand: BrandCalls;
  /** Texts that people of a tenant insert into their answers by a shortcut. */
  readonly cannedAnswers: CannedAnswersCalls;
  /** Export all data of a tenant as one file. */
  readonly exports: ExportsCalls;
  /** All work of the engine for a tenant: automations, agent, actions, erasures and exports. */
  readonly executions: ExecutionsCalls;
  /** Work that Temporal has refused permanently. Requires the master key. */
  readonly adminParkedDispatches: AdminParkedDispatchesCalls;
  /** Backend reports that this version does not know. Requires the master key. */
  readonly adminUnknownReports: AdminUnknownReportsCalls;
  /** Waiting work of the whole engine, by the rule that holds it. Requires the master key. */
  readonly adminWork: AdminWorkCalls;
  /** Keys that are bound to one session, for tools that act for one account. */
  readonly apiKeys: ApiKeysCalls;
  /** Console links for people without a key, each for one tenant, session or endpoint. */
  readonly consoleLinks: ConsoleLinksCalls;
  /** Browsers that are logged in to the console. */
  readonly consoleLogins: ConsoleLoginsCalls;
  /** Create, pause, resume, test and repair endpoints that receive events. */
  readonly webhookEndpoints: WebhookEndpointsCalls;
  /** Webhooks of one session, for tools with that session's key. */
  readonly sessionWebhooks: SessionWebhooksCalls;
  /** The catalogue of event types, with the schema and an example of each. */
  readonly webhookEventTypes: WebhookEventTypesCalls;
  /** List, pull, stream and resend events. */
  readonly webhookEvents: WebhookEventsCalls;
  /** List and end open event streams. */
  readonly eventStreams: EventStreamsCalls;
  /** The delivery of one event to one endpoint. */
  readonly webhookDeliveries: WebhookDeliveriesCalls;
  /** Single HTTP requests to endpoints, with how each ended. */
  readonly webhookAttempts: WebhookAttemptsCalls;
  /** Notices to agencies about their endpoints. */
  readonly webhookNotices: WebhookNoticesCalls;
  /** Mirror inboxes by pull or stream. */
  readonly webhookMirror: WebhookMirrorCalls;
  /** The registry of dashboards. Requires the pre-shared key of the operator. */
  readonly dashboards: DashboardsCalls;
  /** The limits of an agency: requests, models, tenants and share. Requires the master key. */
  readonly limits: LimitsCalls;
  /** The messaging backends, and which of them holds a session. */
  readonly adminBackends: AdminBackendsCalls;
  /** List, suspend and activate dashboards, for the operator. */
  readonly adminDashboards: AdminDashboardsCalls;
  /** Changes, with their actor, time and reason. */
  readonly audit: AuditCalls;
  /** Stop the automations of one agency, or of all agencies, and resume them. */
  readonly adminAutomations: AdminAutomationsCalls;
  /** Replace the key that encrypts secrets at rest. */
  readonly encryptionKey: EncryptionKeyCalls;
  /** Backend events that could not be applied and wait for an operator. */
  readonly parkedEvents: ParkedEventsCalls;
  /** Backend events that could not be applied. Requires the master key. */
  readonly adminParkedEvents: AdminParkedEventsCalls;
  /** Requests that were forwarded to the messaging backend. */
  readonly passthroughRequests: PassthroughRequestsCalls;
  /** The health of the engine. */
  readonly health: HealthCalls;

  constructor(caller: Caller) {
    this.messages = new MessagesCalls(caller);
    this.files = new FilesCalls(caller);
    this.conversations = new ConversationsCalls(caller);
    this.sessions = new SessionsCalls(caller);
    this.contacts = new ContactsCalls(caller);
    this.labels = new LabelsCalls(caller);
    this.erasures = new ErasuresCalls(caller);
    this.agentState = new AgentStateCalls(caller);
    this.agentPersona = new AgentPersonaCalls(caller);
    this.agentTurns = new AgentTurnsCalls(caller);
    this.memories = new MemoriesCalls(caller);
    this.notes = new NotesCalls(caller);
    this.agentContext = new AgentContextCalls(caller);
    this.agentRehearsals = new AgentRehearsalsCalls(caller);
    this.automations = new AutomationsCalls(caller);
    this.workflows = new WorkflowsCalls(caller);
    this.workflowSecrets = new WorkflowSecretsCalls(caller);
    this.tenantSettings = new TenantSettingsCalls(caller);
    this.brand = new BrandCalls(caller);
    this.cannedAnswers = new CannedAnswersCalls(caller);
    this.exports = new ExportsCalls(caller);
    this.executions = new ExecutionsCalls(caller);
    this.adminParkedDispatches = new AdminParkedDispatchesCalls(caller);
    this.adminUnknownReports = new AdminUnknownReportsCalls(caller);
    this.adminWork = new AdminWorkCalls(caller);
    this.apiKeys = new ApiKeysCalls(caller);
    this.consoleLinks = new ConsoleLinksCalls(caller);
    this.consoleLogins = new ConsoleLoginsCalls(caller);
    this.webhookEndpoints = new WebhookEndpointsCalls(caller);
    this.sessionWebhooks = new SessionWebhooksCalls(caller);
    this.webhookEventTypes = new WebhookEventTypesCalls(caller);
    this.webhookEvents = new WebhookEventsCalls(caller);
    this.eventStreams = new EventStreamsCalls(caller);
    this.webhookDeliveries = new WebhookDeliveriesCalls(caller);
    this.webhookAttempts = new WebhookAttemptsCalls(caller);
    this.webhookNotices = new WebhookNoticesCalls(caller);
    this.webhookMirror = new WebhookMirrorCalls(caller);
    this.dashboards = new DashboardsCalls(caller);
    this.limits = new LimitsCalls(caller);
    this.adminBackends = new AdminBackendsCalls(caller);
    this.adminDashboards = new AdminDashboardsCalls(caller);
    this.audit = new AuditCalls(caller);
    this.adminAutomations = new AdminAutomationsCalls(caller);
    this.encryptionKey = new EncryptionKeyCalls(caller);
    this.parkedEvents = new ParkedEventsCalls(caller);
    this.adminParkedEvents = new AdminParkedEventsCalls(caller);
    this.passthroughRequests = new PassthroughRequestsCalls(caller);
    this.health = new HealthCalls(caller);
  }
}
