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
  /** Send texts, files, buttons, lists, locations, contacts and polls, or forward a message; follow, change, cancel and resend what was sent; edit it, delete it for everyone, react to it. */
  readonly messages: MessagesCalls;
  /** Upload files to send, of any size that the engine accepts; list and end uploads. */
  readonly files: FilesCalls;
  /** The inbox: list conversations, read and answer them, and decide whether a person or the AI agent has them. */
  readonly conversations: ConversationsCalls;
  /** Messaging accounts: connect one by QR code, pairing code or link, read its status and capabilities, change its profile; start, stop and restart it, log it out, delete it. */
  readonly sessions: SessionsCalls;
  /** People whom an account knows: list them, look one up by any reference, block and unblock them, and undo a merge of contacts who are not one person. */
  readonly contacts: ContactsCalls;
  /** The labels of an account, and which chats have them. */
  readonly labels: LabelsCalls;
  /** Erase all data of a person, and see what was erased where. */
  readonly erasures: ErasuresCalls;
  /** Switch the AI sales agent of a tenant on and off. */
  readonly agentState: AgentStateCalls;
  /** How the AI sales agent speaks, when it answers, and when it hands over to a person. */
  readonly agentPersona: AgentPersonaCalls;
  /** What the AI sales agent did with each message, and why it stayed silent. */
  readonly agentTurns: AgentTurnsCalls;
  /** Facts about contacts, or about the tenant, that are given to the AI sales agent. */
  readonly memories: MemoriesCalls;
  /** Notes of the team about contacts, which neither the contact nor the AI agent sees. */
  readonly notes: NotesCalls;
  /** The prompt that the AI sales agent uses for a conversation. */
  readonly agentContext: AgentContextCalls;
  /** Try a persona on a conversation without sending anything. */
  readonly agentRehearsals: AgentRehearsalsCalls;
  /** What runs automatically: switch automations on, configure them, run one, and see every run. */
  readonly automations: AutomationsCalls;
  /** Automations that an agency defines itself: create, check, change, copy and delete their definitions. */
  readonly workflows: WorkflowsCalls;
  /** Secrets that the HTTP requests of an agency's workflows use. */
  readonly workflowSecrets: WorkflowSecretsCalls;
  /** Pace, quiet hours, time zone, country, files and the webhook of a tenant, and how much it stores. */
  readonly tenantSettings: TenantSettingsCalls;
  /** An agency's logo and colour, which people see who came by a console link. */
  readonly brand: BrandCalls;
  /** Texts that people of a tenant insert into their answers by a shortcut. */
  readonly cannedAnswers: CannedAnswersCalls;
  /** All data of a tenant in one file: start an export, follow it, download it. */
  readonly exports: ExportsCalls;
  /** What the engine does and did for a tenant, in one list: automations, the agent, actions, erasures, exports. */
  readonly executions: ExecutionsCalls;
  /** Work that Temporal has refused permanently, for anyone who has the master key. */
  readonly adminParkedDispatches: AdminParkedDispatchesCalls;
  /** What the messaging backend reported and this version does not know, for anyone who has the master key. */
  readonly adminUnknownReports: AdminUnknownReportsCalls;
  /** What waits in the whole engine, and which rule holds it, for anyone who has the master key. */
  readonly adminWork: AdminWorkCalls;
  /** Keys that are bound to one session, for tools that act for one account. */
  readonly apiKeys: ApiKeysCalls;
  /** Links into the console for people who have no key: one tenant, one session, or one endpoint. */
  readonly consoleLinks: ConsoleLinksCalls;
  /** Browsers that are logged in to the console by a key or a link of the agency, or by the master key. */
  readonly consoleLogins: ConsoleLoginsCalls;
  /** Where events are posted: create, pause, resume, test and repair endpoints. */
  readonly webhookEndpoints: WebhookEndpointsCalls;
  /** Where one session's events are posted, for tools that have that session's key. */
  readonly sessionWebhooks: SessionWebhooksCalls;
  /** The catalogue of event types, with the schema and an example of each. */
  readonly webhookEventTypes: WebhookEventTypesCalls;
  /** Events by the time of what they report: list them, pull after a cursor, receive them at once, resend them. */
  readonly webhookEvents: WebhookEventsCalls;
  /** Event streams that readers have open: list them, and end one. */
  readonly eventStreams: EventStreamsCalls;
  /** The delivery of one event to one endpoint. */
  readonly webhookDeliveries: WebhookDeliveriesCalls;
  /** Single HTTP requests to endpoints, with how each ended. */
  readonly webhookAttempts: WebhookAttemptsCalls;
  /** What agencies were notified of about their endpoints. */
  readonly webhookNotices: WebhookNoticesCalls;
  /** Keep a copy of inboxes by pull or stream: the events that are written only if someone does this. */
  readonly webhookMirror: WebhookMirrorCalls;
  /** The registry of dashboards. Requires the pre-shared key of the operator. */
  readonly dashboards: DashboardsCalls;
  /** What one agency may use: requests, models, tenants and its share. Requires the master key. */
  readonly limits: LimitsCalls;
  /** The messaging backends, and which of them holds a session. */
  readonly adminBackends: AdminBackendsCalls;
  /** All dashboards, for the operator: see what they have, suspend one, and resume it. */
  readonly adminDashboards: AdminDashboardsCalls;
  /** Who changed what, when and why. */
  readonly audit: AuditCalls;
  /** Stop the automations of one agency, or of all agencies, and resume them. */
  readonly adminAutomations: AdminAutomationsCalls;
  /** Replace the key that encrypts secrets at rest. */
  readonly encryptionKey: EncryptionKeyCalls;
  /** Events of the messaging backend that could not be applied and wait for an operator. */
  readonly parkedEvents: ParkedEventsCalls;
  /** Events of the messaging backend that could not be applied, for anyone who has the master key. */
  readonly adminParkedEvents: AdminParkedEventsCalls;
  /** Which requests were passed on to routes of the messaging backend. */
  readonly passthroughRequests: PassthroughRequestsCalls;
  /** Whether the engine works. */
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
