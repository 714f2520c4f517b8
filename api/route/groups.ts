/**
 * The groups of the API's methods, in the order of the reference. An operation's group stands before the dot of its
 * `operationId`, and is its tag.
 */
export const GROUPS = {
  messages:
    'Send, forward, change, cancel and resend messages, and follow them. Edit or delete a message for ' +
'everyone, or react to it.',
  files: 'Upload files to send, of any size that the engine accepts; list and end uploads.',
  conversations:
    'List, read and answer conversations. Assign them to a person or to the AI agent.',
  contacts:
    'List, look up, block and unblock people. Undo a merge of two contacts.',
  sessions:
    'Connect messaging accounts, and read their status and capabilities. Start, stop, restart, log out ' +
'and delete sessions.',
  erasures: 'Erase all data of a person, and see what was erased where.',
  exports: 'Export all data of a tenant as one file.',
  labels: 'The labels of an account, and which chats have them.',
  agentState: 'Switch the AI sales agent of a tenant on and off.',
  agentPersona: "The AI sales agent's style, hours and handover.",
  agentTurns: "The AI sales agent's decision about each message.",
  agentRehearsals: 'Try a persona on a conversation without sending anything.',
  agentContext: 'The prompt that the AI sales agent uses for a conversation.',
  notes: 'Internal notes of the team about contacts.',
  memories: 'Facts about contacts or the tenant that the AI sales agent uses.',
  automations: 'Configure automations, run them, and read their runs.',
  executions:
    'All work of the engine for a tenant: automations, agent, actions, erasures and exports.',
  tenantSettings: "A tenant's pace, quiet hours, time zone, retention, webhook and storage.",
  cannedAnswers: 'Texts that people of a tenant insert into their answers by a shortcut.',
  apiKeys: 'Keys that are bound to one session, for tools that act for one account.',
  brand: "An agency's logo and colour, shown to people with a console link.",
  consoleLinks: 'Console links for people without a key, each for one tenant, session or endpoint.',
  consoleLogins: 'Browsers that are logged in to the console.',
  webhookEndpoints: 'Create, pause, resume, test and repair endpoints that receive events.',
  sessionWebhooks: "Webhooks of one session, for tools with that session's key.",
  webhookEvents:
    'List, pull, stream and resend events.',
  eventStreams: 'List and end open event streams.',
  webhookMirror: 'Mirror inboxes by pull or stream.',
  webhookEventTypes: 'The catalogue of event types, with the schema and an example of each.',
  webhookDeliveries: 'The delivery of one event to one endpoint.',
  webhookAttempts: 'Single HTTP requests to endpoints, with how each ended.',
  webhookNotices: 'Notices to agencies about their endpoints.',
  events: 'Events that the engine posts to webhook endpoints.',
  dashboards: 'The registry of dashboards. Requires the pre-shared key of the operator.',
  limits: 'The limits of an agency: requests, models, tenants and share. Requires the master key.',
  adminBackends: 'The messaging backends, and which of them holds a session.',
  adminDashboards: 'List, suspend and activate dashboards, for the operator.',
  adminWork: 'Waiting work of the whole engine, by the rule that holds it. Requires the master key.',
  adminParkedEvents: 'Backend events that could not be applied. Requires the master key.',
  adminUnknownReports:
    'Backend reports that this version does not know. Requires the master key.',
  adminParkedDispatches: 'Work that Temporal has refused permanently. Requires the master key.',
  adminAutomations: 'Stop the automations of one agency, or of all agencies, and resume them.',
  encryptionKey: 'Replace the key that encrypts secrets at rest.',
  audit: 'Changes, with their actor, time and reason.',
  backendEvents: 'The address that receives events of the messaging backend.',
  parkedEvents: 'Backend events that could not be applied and wait for an operator.',
  passthroughRequests: 'Requests that were forwarded to the messaging backend.',
  health: 'The health of the engine.',
} as const;
