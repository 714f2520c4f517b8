import { z } from 'zod';
import { CONSOLE_PAGES, LOGIN_SECONDS } from './pages.ts';
import { explained } from '../explained.ts';
import { ConsoleLinkId, EndpointId, SessionId } from '../ids.ts';
import { AgencyField, TenantField } from '../scope.ts';
import type { KeyScope } from '../tenants/api-key.ts';

/** All that a link may ever do: it makes no keys, erases nobody and calls no route of the backend. */
export const LINK_SCOPES = ['send', 'read', 'sessions', 'ai:admin', 'webhooks'] as const satisfies KeyScope[];

const DAY_SECONDS = 86_400;
const MAX_EMBEDDERS = 10;

const Page = z.enum(CONSOLE_PAGES).meta({
  description: explained('A page of the console.', {
    connect: 'Connect the account by a QR code or a pairing code.',
    inbox: 'Chats, replies and takeovers.',
    message: 'The history of one message.',
    events: 'Events, their deliveries and attempts; only those of one endpoint if `endpointId` is given.',
    agent: 'The persona of the AI sales agent, and what it knows.',
    automations: 'An automation.',
  }),
});

/**
 * A page's origin as a browser writes it. It becomes a part of a header, so nothing but a host and a port may be in it;
 * without TLS it is this machine's own, because a browser keeps the cookie of a frame by TLS only.
 */
const Origin = z
  .string()
  .max(255)
  .regex(
    /^(https:\/\/[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?|http:\/\/(?:localhost|127\.0\.0\.1))(?::[1-9]\d{0,4})?$/,
    'must be an origin such as https://shop.example, in lower case and without a path',
  )
  .meta({
    description: 'The origin of a page that may show the console in a frame.',
    examples: ['https://shop.example'],
  });

const NAME = { description: 'The person for whom the link is. The console shows this name, and the audit log has it.' };

const fields = {
  name: z.string().min(1).max(100).meta(NAME),
  readOnly: z.boolean().meta({ description: 'True if the holder of the link can only look and change nothing.' }),
  pages: z.array(Page).meta({ description: 'The pages that it opens. Every other request is refused.' }),
  embedIn: z.array(Origin).meta({ description: 'Origins whose pages may show it in a frame. If empty, none.' }),
  loginSeconds: z.int().meta({ description: 'How long the person who opened it stays logged in.' }),
};

export const CreateConsoleLink = z
  .strictObject({
    agencyId: AgencyField,
    tenantId: TenantField,
    sessionId: SessionId.optional().meta({ description: 'Show only this session. If omitted, the whole tenant.' }),
    endpointId: EndpointId.optional().meta({
      description: 'Show only this webhook endpoint: its health, its deliveries and attempts. Its page is `events`.',
    }),
    name: z.string().trim().min(1).max(100).meta(NAME),
    readOnly: fields.readOnly.default(true),
    scopes: z
      .array(z.enum(LINK_SCOPES))
      .min(1)
      .max(LINK_SCOPES.length)
      .optional()
      .meta({
        description:
          'All that the holder may do, as far as `readOnly` and `pages` allow it. If omitted, what your key ' +
          'may do of `send`, `read`, `sessions` and `webhooks`.\n\nName `ai:admin` to let the holder set the ' +
          'agent of the tenant.',
      }),
    pages: fields.pages.min(1).max(CONSOLE_PAGES.length).optional().meta({
      description: 'The pages that it opens. If omitted, all; with `sessionId`, all but `agent`.',
    }),
    expiresInSeconds: z
      .int()
      .min(300)
      .max(7 * DAY_SECONDS)
      .default(3_600)
      .meta({ description: 'How long it can be opened, once: 300 to 604,800 seconds.', example: 86_400 }),
    loginSeconds: fields.loginSeconds
      .min(300)
      .max(7 * DAY_SECONDS)
      .default(LOGIN_SECONDS),
    embedIn: fields.embedIn.max(MAX_EMBEDDERS).default([]),
  })
  .refine(({ sessionId, endpointId }) => sessionId === undefined || endpointId === undefined, {
    path: ['endpointId'],
    message: 'cannot be combined with sessionId: a link shows a session or an endpoint',
  })
  .refine(({ sessionId, scopes }) => sessionId === undefined || !scopes?.includes('ai:admin'), {
    path: ['scopes'],
    message: 'cannot have ai:admin with sessionId: the agent is set for all sessions of the tenant',
  })
  .refine(
    ({ endpointId, pages }) => endpointId === undefined || (pages ?? ['events']).every((page) => page === 'events'),
    {
      path: ['pages'],
      message: 'must be ["events"] with endpointId, or be omitted',
    },
  )
  .meta({ id: 'CreateConsoleLink', description: 'The pages, the person and the lifetime of the link.' });
export type CreateConsoleLink = z.output<typeof CreateConsoleLink>;

export const ConsoleLinkView = z
  .object({
    id: ConsoleLinkId,
    keyId: z.string().nullable().meta({
      description: 'The id of the key that created it, with which it ends. Null if it was the master key.',
    }),
    loginId: z
      .string()
      .nullable()
      .meta({ description: 'The id of the console login that created it, with which it ends. Null if no login did.' }),
    tenantId: z.string().meta({ description: 'The tenant whose data it shows.' }),
    sessionId: z
      .string()
      .nullable()
      .meta({ description: 'The only session that it shows. Null if it shows the whole tenant.' }),
    endpointId: z
      .string()
      .nullable()
      .meta({ description: 'The only endpoint that it shows. Null if it shows what `pages` lists.' }),
    ...fields,
    createdAt: z.iso.datetime().meta({ description: 'When it was created.' }),
    expiresAt: z.iso.datetime().meta({ description: 'Until when it can be opened.' }),
    usedAt: z.iso
      .datetime()
      .nullable()
      .meta({ description: 'When it was opened, which works once. Null before that.' }),
    revokedAt: z.iso.datetime().nullable().meta({ description: 'When it was revoked. Null if it was not.' }),
  })
  .meta({ id: 'ConsoleLink', description: 'A link that leads into the console without a key.' });

export const ConsoleLinkCreated = ConsoleLinkView.extend({
  url: z.url().meta({
    description:
      'The address for the person who will open it. Shown once.\n\nIts ticket comes after the `#`, which ' +
      'browsers send to no server.',
  }),
}).meta({ id: 'ConsoleLinkCreated', description: 'A link with its address. Shown once.' });
