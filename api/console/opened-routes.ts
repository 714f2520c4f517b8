import type { ConsolePage } from '../../domain/console/pages.ts';

/** They show who is logged in and reads a stream, and end both for their maker. A read-only login may do this, too. */
export const ROUTES_OF_ALL_LINKS: ReadonlySet<string> = new Set([
  'GET /console/session',
  'GET /api/v1/console/logins',
  'DELETE /api/v1/console/logins/:id',
  'GET /api/v1/events/streams',
  'DELETE /api/v1/events/streams/:id',
]);

/** They take their tenant in a body, and change nothing. */
export const READS_BY_POST: ReadonlySet<string> = new Set([
  'POST /api/v1/ai-sales-agent/persona',
  'POST /api/v1/ai-sales-agent/state',
]);

const SESSION_READS = ['GET /api/v1/sessions', 'GET /api/v1/sessions/:id', 'GET /api/v1/sessions/:id/capabilities'];
const STREAM = 'GET /api/v1/events/stream';

const MESSAGE = [
  STREAM,
  ...SESSION_READS,
  'GET /api/v1/messages',
  'GET /api/v1/inbox/messages/:messageId/status',
  'GET /api/v1/inbox/messages/:messageId/actions',
  'POST /api/v1/messages/:messageId/cancel',
  'POST /api/v1/inbox/messages/:messageId/resend',
  'POST /api/v1/inbox/messages/:messageId/resolve',
];

/**
 * The routes that each page of the console opens to a link, beside the link's own tenant and session. All others are
 * refused.
 */
export const ROUTES_OF_PAGES: Readonly<Record<ConsolePage, ReadonlySet<string>>> = {
  connect: new Set([
    STREAM,
    ...SESSION_READS,
    'GET /api/v1/sessions/:id/qr',
    'GET /api/v1/sessions/:id/profile',
    'GET /api/v1/sessions/:id/gaps',
    'POST /api/v1/sessions/:id/pairing-code',
    'POST /api/v1/sessions/:id/connect-link',
    'GET /api/v1/sessions/:id/connect-link',
    'DELETE /api/v1/sessions/:id/connect-link',
    'POST /api/v1/sessions/:id/start',
    'POST /api/v1/sessions/:id/restart',
  ]),
  inbox: new Set([
    ...MESSAGE,
    'GET /api/v1/inbox/chats',
    'GET /api/v1/inbox/conversations/:conversationId/messages',
    'POST /api/v1/inbox/conversations/:conversationId/messages',
    'POST /api/v1/files',
    'GET /api/v1/files',
    'DELETE /api/v1/files/:id',
    'GET /api/v1/inbox/conversations/:conversationId/plan',
    'GET /api/v1/conversations/:conversationId',
    'GET /api/v1/conversations/:conversationId/participants',
    'GET /api/v1/conversations/:conversationId/turns',
    'GET /api/v1/conversations/:conversationId/turns/:turnId',
    'GET /api/v1/conversations/:conversationId/viewers',
    'PUT /api/v1/conversations/:conversationId/viewers',
    'GET /api/v1/colleagues',
    'GET /api/v1/notes',
    'POST /api/v1/notes',
    'PATCH /api/v1/notes/:id',
    'DELETE /api/v1/notes/:id',
    'POST /api/v1/conversations/:conversationId/assign',
    'POST /api/v1/conversations/:conversationId/release',
    'POST /api/v1/conversations/:conversationId/read',
    'GET /api/v1/messages/search',
    'GET /api/v1/contacts/:ref',
    'GET /api/v1/canned-answers',
    'POST /api/v1/ai-sales-agent/state',
    'POST /api/v1/inbox/messages/:messageId/reaction',
    'POST /api/v1/inbox/messages/:messageId/edit',
    'POST /api/v1/inbox/messages/:messageId/revoke',
  ]),
  message: new Set(MESSAGE),
  events: new Set([
    STREAM,
    ...SESSION_READS,
    'GET /api/v1/webhooks/event-types',
    'GET /api/v1/webhooks/events',
    'GET /api/v1/webhooks/events/:id',
    'GET /api/v1/webhooks/deliveries',
    'GET /api/v1/webhooks/deliveries/:id',
    'GET /api/v1/webhooks/attempts',
  ]),
  agent: new Set([
    STREAM,
    ...SESSION_READS,
    'GET /api/v1/tenants/:tenantId/usage',
    'POST /api/v1/ai-sales-agent/persona',
    'PUT /api/v1/ai-sales-agent/persona',
    'POST /api/v1/ai-sales-agent/state',
    'PUT /api/v1/ai-sales-agent/state',
    'GET /api/v1/memories',
    'POST /api/v1/memories',
    'DELETE /api/v1/memories/:id',
    'POST /api/v1/ai/rehearse',
    'GET /api/v1/ai/rehearsals/:id',
    'GET /api/v1/inbox/chats',
    'GET /api/v1/conversations/:conversationId/turns',
    'GET /api/v1/conversations/:conversationId/turns/:turnId',
  ]),
  automations: new Set([
    STREAM,
    ...SESSION_READS,
    'GET /api/v1/automation-definitions',
    'GET /api/v1/automations',
    'GET /api/v1/automations/:automation',
    'PUT /api/v1/automations/:automation',
    'DELETE /api/v1/automations/:automation',
    'GET /api/v1/automation-executions',
    'GET /api/v1/automation-executions/:id',
    'POST /api/v1/automation-executions',
    'POST /api/v1/automations/:automation/dry-run',
    'POST /api/v1/automation-executions/:id/cancel',
    'POST /api/v1/automation-executions/:id/retry',
  ]),
};

/** The routes that a link to one endpoint opens, with the place of the endpoint's id in the request. */
export const ENDPOINT_ROUTES: ReadonlyMap<string, 'path' | 'query'> = new Map([
  ['GET /api/v1/webhooks/endpoints/:id', 'path'],
  ['GET /api/v1/webhooks/endpoints/:id/statistics', 'path'],
  ['POST /api/v1/webhooks/endpoints/:id/rotate-secret', 'path'],
  ['POST /api/v1/webhooks/endpoints/:id/pause', 'path'],
  ['POST /api/v1/webhooks/endpoints/:id/resume', 'path'],
  ['POST /api/v1/webhooks/endpoints/:id/test', 'path'],
  ['POST /api/v1/webhooks/endpoints/:id/recover', 'path'],
  ['POST /api/v1/webhooks/endpoints/:id/replay', 'path'],
  ['GET /api/v1/webhooks/deliveries', 'query'],
  ['GET /api/v1/webhooks/deliveries/:id', 'query'],
  ['GET /api/v1/webhooks/attempts', 'query'],
]);
