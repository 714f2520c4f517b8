import { z } from 'zod';
import {
  AckEventPayload,
  EndpointEventPayload,
  EVENT_TYPES,
  EventMetadata,
  HandoverEventPayload,
  LabelledEventPayload,
  LinkedPayload,
  MessageEventPayload,
  QuotaEventPayload,
  RestrictedEventPayload,
  SessionEventPayload,
  TestEventPayload,
} from './event.ts';
import { CHANGE_ENTRIES } from './change-events.ts';
import { GROUP_ENTRIES } from './group-events.ts';
import { ErasedPayload, ContactErasedPayload } from './erased-events.ts';
import { MERGE_ENTRIES } from './merge-entries.ts';
import { SILENCE_ENTRIES } from './silence-entries.ts';
import { SYNC_ENTRIES } from './sync-entries.ts';
import type { EventPayload, EventType } from './event.ts';
import { AutomationCompletedPayload, AutomationFailedPayload, AutomationStartedPayload } from './automation-events.ts';
import type { AutomationEvent } from './automation-events.ts';
import { ContactEventPayload } from '../contact.ts';

/** The event about a person who was erased, with its example. */
const ERASED_ENTRIES = {
  'contact.erased': {
    title: 'A contact was erased',
    when:
      'The data of a person was erased on request. Delete what you keep of the contact and of these ' +
      'conversations.\n\nAnyone who writes from the same number later is a new contact.',
    payload: ContactErasedPayload,
    example: {
      event: 'contact.erased',
      payload: {
        contactId: 'con_019a8f3d-1b1f-7e74-9d3f-6b8c0d2e4f50',
        mergedFrom: [],
        conversationIds: ['cnv_019a8f3d-1b20-7d63-8c2e-5a7b9c1d3e4f'],
        timestamp: Date.parse('2026-03-02T09:30:00.000Z') / 1_000,
      },
    },
  },
} satisfies Record<string, { title: string; when: string; payload: z.ZodType; example: EventPayload }>;

/** The event about what an account knows of a person, with its example. */
const CONTACT_ENTRIES = {
  'contact.updated': {
    title: 'A contact changed',
    when:
      'A contact is new, or changed name, block, opt-out or picture. First readings and bulk changes are ' +
      'not reported.\n\nA first reading of an account, dozens of new people at once, and a person who ' +
      'becomes known by their first message cause no event.',
    payload: ContactEventPayload,
    example: {
      event: 'contact.updated',
      payload: {
        sessionId: 'ses_019a8f30-aa00-7f85-8e40-7c9d1e3f5061',
        contactId: 'con_019a8f3d-1b1f-7e74-9d3f-6b8c0d2e4f50',
        chatId: '4915112345678@c.us',
        phone: '4915112345678',
        lid: '123456789012345@lid',
        name: 'Alex Meyer',
        pushName: 'Alex',
        isBlocked: false,
        isOptedOut: false,
        isMyContact: true,
        aliases: ['123456789012345@lid', '4915112345678@c.us'],
        picture: null,
        changed: ['name', 'isMyContact'],
        timestamp: Date.parse('2026-03-02T09:30:00.000Z') / 1_000,
      },
    },
  },
} satisfies Record<string, { title: string; when: string; payload: z.ZodType; example: EventPayload }>;

const execution = {
  executionId: 'exe_019a8f3e-a100-7b32-8c4d-5e6f70819203',
  automation: 'ask-satisfaction',
  sessionId: 'ses_019a8f30-aa00-7f85-8e40-7c9d1e3f5061',
  conversationId: 'cnv_019a8f3d-1b20-7d63-8c2e-5a7b9c1d3e4f',
  contactId: 'con_019a8f3d-1b1f-7e74-9d3f-6b8c0d2e4f50',
};
const timestamp = Date.parse('2026-03-02T09:30:00.000Z') / 1_000;

/** The events about runs of automations, with their examples. */
const AUTOMATION_ENTRIES = {
  'automation.started': {
    title: 'An automation started',
    when: 'A run of an automation began to work.',
    payload: AutomationStartedPayload,
    example: { event: 'automation.started', payload: { ...execution, timestamp } },
  },
  'automation.completed': {
    title: 'An automation ended',
    when: 'A run of an automation reached its end, or was stopped: a person took over, or it was cancelled or switched off.',
    payload: AutomationCompletedPayload,
    example: {
      event: 'automation.completed',
      payload: { ...execution, status: 'completed', reason: null, timestamp },
    },
  },
  'automation.failed': {
    title: 'An automation failed',
    when: 'A run of an automation could not continue, or could not begin because the agency had too many.',
    payload: AutomationFailedPayload,
    example: { event: 'automation.failed', payload: { ...execution, reason: 'code_failed', timestamp } },
  },
} satisfies Record<string, { title: string; when: string; payload: z.ZodType; example: AutomationEvent }>;

interface Entry {
  title: string;
  /** Says what has happened when the event is sent. */
  when: string;
  payload: z.ZodType;
  example: EventPayload;
}

const IDS = {
  message: 'msg_019a8f3e-7c11-7a52-9b1c-2f4d6e8a0b13',
  reply: 'msg_019a8f3e-9d20-7c01-8a2b-3c5d7e9f1a24',
  conversation: 'cnv_019a8f3d-1b20-7d63-8c2e-5a7b9c1d3e4f',
  contact: 'con_019a8f3d-1b1f-7e74-9d3f-6b8c0d2e4f50',
  session: 'ses_019a8f30-aa00-7f85-8e40-7c9d1e3f5061',
  endpoint: 'whe_019a8f2f-0c00-7096-9f51-8dae2f405172',
  event: 'evt_019a8f3e-7c12-71a7-a062-9ebf30516283',
};
const AT = '2026-03-02T09:30:00.000Z';
const TIMESTAMP = Date.parse(AT) / 1_000;

const handover = {
  conversationId: IDS.conversation,
  contactId: IDS.contact,
  chatId: '4915112345678@c.us',
  epoch: 3,
  timestamp: TIMESTAMP,
};

const endpoint = {
  endpointId: IDS.endpoint,
  url: 'https://hooks.example.com/in',
  lastError: 'connection_refused',
  pending: 42,
  timestamp: TIMESTAMP,
};

/** Every kind of event, with its meaning, its payload and an example, which the API shows to dashboards. */
export const EVENT_CATALOGUE: Record<EventType, Entry> = {
  message: {
    title: 'A message arrived',
    when: 'A contact wrote to a session, in a chat or a group.',
    payload: MessageEventPayload,
    example: {
      event: 'message',
      payload: {
        body: 'Is the blue one still available?',
        timestamp: TIMESTAMP,
        from: '4915112345678',
        fromKind: 'phone',
        messageId: IDS.message,
        conversationId: IDS.conversation,
        contactId: IDS.contact,
        chatId: '4915112345678@c.us',
        pushName: 'Alex',
        kind: 'text',
        hasMedia: false,
        media: null,
        mediaUrl: null,
        replyTo: null,
        selected: null,
      },
    },
  },
  'message.ack': {
    title: 'A sent message changed its state',
    when: 'A sent message changed its status. Each status is reported once and never reverts.',
    payload: AckEventPayload,
    example: {
      event: 'message.ack',
      payload: {
        messageId: IDS.reply,
        conversationId: IDS.conversation,
        to: '4915112345678',
        status: 'delivered',
        ack: 2,
        ackName: 'DEVICE',
        timestamp: TIMESTAMP,
      },
    },
  },
  ...CHANGE_ENTRIES,
  'session.status': {
    title: 'A session changed its status',
    when: 'A session connected, lost its connection, or waits for its QR code to be scanned.',
    payload: SessionEventPayload,
    example: {
      event: 'session.status',
      payload: {
        sessionId: IDS.session,
        name: 'wa_agency_acme_tenant_shop',
        status: 'WORKING',
        previousStatus: 'STARTING',
        reason: 'start_asked',
        since: AT,
        timestamp: TIMESTAMP,
      },
    },
  },
  'session.restricted': {
    title: 'The network restricts a session',
    when: 'The network refused new contacts of a session. Until the time given, the engine does not write to new contacts.',
    payload: RestrictedEventPayload,
    example: {
      event: 'session.restricted',
      payload: {
        sessionId: IDS.session,
        name: 'wa_agency_acme_tenant_shop',
        code: 'reachout_timelock',
        until: '2026-03-03T09:30:00.000Z',
        timestamp: TIMESTAMP,
      },
    },
  },
  'session.quota': {
    title: 'The network limits new chats',
    when: "The network warned an account before its quota of new chats is used up, capped it, or ended the warning. A warned account's first contacts go more slowly.",
    payload: QuotaEventPayload,
    example: {
      event: 'session.quota',
      payload: {
        sessionId: IDS.session,
        name: 'wa_agency_acme_tenant_shop',
        step: 'first_warning',
        used: 80,
        total: 100,
        until: '2026-03-12T00:00:00.000Z',
        firstContactsPerDay: 2,
        timestamp: TIMESTAMP,
      },
    },
  },
  ...SILENCE_ENTRIES,
  ...SYNC_ENTRIES,
  'conversation.assigned': {
    title: 'A person took over a conversation',
    when: 'A person has the conversation: by assignment, answer, handover or merge.',
    payload: HandoverEventPayload,
    example: {
      event: 'conversation.assigned',
      payload: {
        ...handover,
        mode: 'human_takeover',
        cause: 'agent',
        assignedTo: null,
        reason: 'The customer asks for a person.',
        returnAt: '2026-03-02T10:30:00.000Z',
      },
    },
  },
  'conversation.released': {
    title: 'A conversation returned to the agent',
    when: 'A conversation was released, or the time after the last human activity is over.',
    payload: HandoverEventPayload,
    example: {
      event: 'conversation.released',
      payload: {
        ...handover,
        mode: 'bot_active',
        cause: 'auto_return',
        assignedTo: null,
        reason: null,
        returnAt: null,
      },
    },
  },
  'conversation.labelled': {
    title: "A conversation's labels changed",
    when: 'A label was added to a chat or removed from it, by the API, on the phone or by another program.',
    payload: LabelledEventPayload,
    example: {
      event: 'conversation.labelled',
      payload: {
        conversationId: IDS.conversation,
        contactId: IDS.contact,
        chatId: '4915112345678@c.us',
        labels: [{ id: '1', name: 'Lead', color: 1, colorHex: '#64c4ff' }],
        timestamp: TIMESTAMP,
      },
    },
  },
  ...CONTACT_ENTRIES,
  ...MERGE_ENTRIES,
  ...ERASED_ENTRIES,
  ...GROUP_ENTRIES,
  ...AUTOMATION_ENTRIES,
  'endpoint.failing': {
    title: 'A webhook endpoint is failing',
    when:
      'An endpoint has failed for an hour, a day or three days, or events ran out of attempts. The ' +
      "agency's other endpoints receive it.\n\nThe latter is reported at most once an hour.",
    payload: EndpointEventPayload,
    example: {
      event: 'endpoint.failing',
      payload: { ...endpoint, status: 'active', reason: 'failing_for', failingSince: '2026-03-02T08:30:00.000Z' },
    },
  },
  'endpoint.disabled': {
    title: 'A webhook endpoint is disabled',
    when: 'An endpoint returned 410, or failed for days. Its events are kept until it is resumed.',
    payload: EndpointEventPayload,
    example: {
      event: 'endpoint.disabled',
      payload: {
        ...endpoint,
        status: 'disabled',
        reason: 'failing_for_days',
        failingSince: '2026-02-25T09:30:00.000Z',
      },
    },
  },
  'endpoint.recovered': {
    title: 'A webhook endpoint recovered',
    when: 'A failing or disabled endpoint works again, or was resumed.',
    payload: EndpointEventPayload,
    example: {
      event: 'endpoint.recovered',
      payload: { ...endpoint, status: 'active', reason: 'answers_again', failingSince: null, lastError: null },
    },
  },
  'endpoint.test': {
    title: 'A test event',
    when: 'A test of an endpoint. Only that endpoint receives it, whatever its `events` are.',
    payload: TestEventPayload,
    example: {
      event: 'endpoint.test',
      payload: { endpointId: IDS.endpoint, message: 'It works.', timestamp: TIMESTAMP },
    },
  },
};

/**
 * The schema of everything that is posted. Fields may be added later, so a receiver has to ignore those that it does
 * not know.
 */
export function envelopeOf(type: EventType) {
  return z.object({
    event: z.literal(type).meta({ description: 'The event type.' }),
    payload: z.union([EVENT_CATALOGUE[type].payload, LinkedPayload, ErasedPayload]).meta({
      description: "The event's data. A link if it is too large; only ids if the person's data was erased.",
    }),
    metadata: EventMetadata.meta({ description: "The event's owner, id and position." }),
  });
}

export interface CatalogueEntry {
  type: EventType;
  title: string;
  when: string;
  /** JSON Schema 2020-12. */
  schema: Record<string, unknown>;
  example: { event: EventType; payload: object; metadata: EventMetadata };
}

/** Lists the catalogue in the form in which the API serves it. */
export function listEventTypes(): CatalogueEntry[] {
  return EVENT_TYPES.map((type) => {
    const { title, when, example } = EVENT_CATALOGUE[type];
    const ofSession = !type.startsWith('endpoint.');
    const metadata: EventMetadata = {
      agencyId: 'acme',
      tenantId: ofSession ? 'shop' : null,
      eventId: IDS.event,
      sequence: ofSession ? 118 : 0,
      sessionId: ofSession ? IDS.session : null,
      conversationId: 'conversationId' in example.payload ? example.payload.conversationId : null,
      occurredAt: AT,
    };
    const schema = z.toJSONSchema(envelopeOf(type), { target: 'draft-2020-12', io: 'input' });
    return { type, title, when, schema: { ...schema, title }, example: { ...example, metadata } };
  });
}
