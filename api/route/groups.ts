/**
 * The groups of the API's methods, in the order of the reference. An operation's group stands before the dot of its
 * `operationId`, and is its tag.
 */
export const GROUPS = {
  messages:
    'Send texts, files, buttons, lists, locations, contacts and polls, or forward a message; follow, change, cancel and resend what was sent; edit it, delete it for everyone, react to it.',
  files: 'Upload files to send, of any size that the engine accepts; list and end uploads.',
  conversations:
    'The inbox: list conversations, read and answer them, and decide whether a person or the AI agent has them.',
  contacts:
    'People whom an account knows: list them, look one up by any reference, block and unblock them, and undo a ' +
    'merge of contacts who are not one person.',
  sessions:
    'Messaging accounts: connect one by QR code, pairing code or link, read its status and capabilities, change ' +
    'its profile; start, stop and restart it, log it out, delete it.',
  erasures: 'Erase all data of a person, and see what was erased where.',
  exports: 'All data of a tenant in one file: start an export, follow it, download it.',
  labels: 'The labels of an account, and which chats have them.',
  agentState: 'Switch the AI sales agent of a tenant on and off.',
  agentPersona: 'How the AI sales agent speaks, when it answers, and when it hands over to a person.',
  agentTurns: 'What the AI sales agent did with each message, and why it stayed silent.',
  agentRehearsals: 'Try a persona on a conversation without sending anything.',
  agentContext: 'The prompt that the AI sales agent uses for a conversation.',
  notes: 'Notes of the team about contacts, which neither the contact nor the AI agent sees.',
  memories: 'Facts about contacts, or about the tenant, that are given to the AI sales agent.',
  automations: 'What runs automatically: switch automations on, configure them, run one, and see every run.',
  workflows: 'Automations that an agency defines itself: create, check, change, copy and delete their definitions.',
  workflowSecrets: "Secrets that the HTTP requests of an agency's workflows use.",
  executions:
    'What the engine does and did for a tenant, in one list: automations, the agent, actions, erasures, exports.',
  tenantSettings: 'Pace, quiet hours, time zone, country, files and the webhook of a tenant, and how much it stores.',
  cannedAnswers: 'Texts that people of a tenant insert into their answers by a shortcut.',
  apiKeys: 'Keys that are bound to one session, for tools that act for one account.',
  brand: "An agency's logo and colour, which people see who came by a console link.",
  consoleLinks: 'Links into the console for people who have no key: one tenant, one session, or one endpoint.',
  consoleLogins: 'Browsers that are logged in to the console by a key or a link of the agency, or by the master key.',
  webhookEndpoints: 'Where events are posted: create, pause, resume, test and repair endpoints.',
  sessionWebhooks: "Where one session's events are posted, for tools that have that session's key.",
  webhookEvents:
    'Events by the time of what they report: list them, pull after a cursor, receive them at once, resend them.',
  eventStreams: 'Event streams that readers have open: list them, and end one.',
  webhookMirror: 'Keep a copy of inboxes by pull or stream: the events that are written only if someone does this.',
  webhookEventTypes: 'The catalogue of event types, with the schema and an example of each.',
  webhookDeliveries: 'The delivery of one event to one endpoint.',
  webhookAttempts: 'Single HTTP requests to endpoints, with how each ended.',
  webhookNotices: 'What agencies were notified of about their endpoints.',
  events: 'What the engine posts to webhook endpoints.',
  dashboards: 'The registry of dashboards. Requires the pre-shared key of the operator.',
  limits: 'What one agency may use: requests, models, tenants and its share. Requires the master key.',
  adminBackends: 'The messaging backends, and which of them holds a session.',
  adminDashboards: 'All dashboards, for the operator: see what they have, suspend one, and resume it.',
  adminWork: 'What waits in the whole engine, and which rule holds it, for anyone who has the master key.',
  adminParkedEvents: 'Events of the messaging backend that could not be applied, for anyone who has the master key.',
  adminUnknownReports:
    'What the messaging backend reported and this version does not know, for anyone who has the master key.',
  adminParkedDispatches: 'Work that Temporal has refused permanently, for anyone who has the master key.',
  adminAutomations: 'Stop the automations of one agency, or of all agencies, and resume them.',
  encryptionKey: 'Replace the key that encrypts secrets at rest.',
  audit: 'Who changed what, when and why.',
  backendEvents: 'Where the messaging backend posts its events.',
  parkedEvents: 'Events of the messaging backend that could not be applied and wait for an operator.',
  passthroughRequests: 'Which requests were passed on to routes of the messaging backend.',
  health: 'Whether the engine works.',
} as const;
