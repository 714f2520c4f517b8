import { z } from 'zod';
import {
  countHeard,
  countReceived,
  countSent,
  MAX_COUNTED_IN_HOURS,
  MAX_WAITING,
  readSessionLoads,
} from '../../db/operations/tenant-load.ts';
import type { HeardHour, SessionLoad } from '../../db/operations/tenant-load.ts';
import { findSettings } from '../../db/tenants/settings.ts';
import { notFound } from '../../domain/error.ts';
import { AgencyField, ExternalId } from '../../domain/scope.ts';
import { SessionState } from '../../domain/session.ts';
import { defineRoute } from '../deps.ts';
import { isoOrNull } from '../wire/iso-time.ts';

const HOUR_MS = 3_600_000;
const MAX_HOURS = 72;

const time = z.iso.datetime();
const waiting = (what: string) =>
  z.int().meta({ description: `${what}; ${MAX_WAITING.toLocaleString('en')} says that there are as many or more.` });

const SessionLoadView = z
  .object({
    sessionId: z.string().meta({ description: 'The session.' }),
    name: z.string().meta({ description: "The session's name at the messaging backend." }),
    status: SessionState,
    queued: waiting('Messages that wait for their turn, or are being sent'),
    oldestQueuedAt: time.nullable().meta({ description: 'When the oldest of them was accepted.' }),
    scheduled: waiting('Messages that wait for their time'),
    uncertain: waiting('Messages of which nobody knows whether they were sent'),
    pace: z
      .object({
        isPaced: z.boolean().meta({ description: 'False when messages go out as fast as they can.' }),
        nextSlotAt: time.nullable().meta({ description: 'When the pace lets the next message go; null for at once.' }),
        quietUntil: time.nullable().meta({ description: 'The end of the quiet hours, while they last.' }),
        restrictedUntil: time.nullable().meta({
          description: 'Until when the network refuses that the account writes to somebody new.',
        }),
      })
      .meta({ description: 'What holds messages back.' }),
    firstContacts: z
      .object({
        perDay: z.int().nullable().meta({ description: 'How many new people may be written to today; null for any.' }),
        used: z.int().meta({ description: 'How many of them were written to today.' }),
        left: z.int().nullable().meta({ description: 'How many are left today; null for any.' }),
        resetAt: time.meta({ description: "When the tenant's next day begins." }),
      })
      .meta({ description: 'People who are written to for the first time. The limit rises in the first week.' }),
  })
  .meta({ id: 'SessionLoad', description: 'What waits in a session, and what its pace still lets go.' });

const HourLoad = z
  .object({
    at: time.meta({ description: 'When the hour began, UTC.' }),
    sent: z.int().meta({ description: 'Messages that the accounts sent in it, also from the phone.' }),
    received: z.int().meta({ description: 'Messages that contacts wrote in it.' }),
    delivered: z.int().meta({ description: 'Deliveries of the events of the hour that webhook endpoints have taken.' }),
    lagMs: z
      .object({
        p50: z.int().meta({ description: 'Half of them were taken within these milliseconds.' }),
        p95: z.int().meta({ description: '95 of 100 were taken within these milliseconds.' }),
      })
      .nullable()
      .meta({
        description:
          "How long they took, from the event to the receiver's last answer: one that was sent again counts until then. " +
          'Null where there were none.',
      }),
  })
  .meta({ id: 'HourLoad', description: 'The messages and the webhooks of one hour.' });

export const loadRoutes = [
  defineRoute({
    method: 'GET',
    path: '/api/v1/tenants/:tenantId/load',
    auth: 'tenant',
    cost: 5,
    scope: 'read',
    operationId: 'tenantSettings.readLoad',
    summary: 'Read what waits, and what was sent, received and told to webhooks by the hour',
    description:
      'From the rows, not from metrics. Of the sends of each session, and of the events of the tenant, the newest ' +
      `${MAX_COUNTED_IN_HOURS.toLocaleString('en')} are counted; \`isComplete\` is false when there were more. A ` +
      "session's key reads its own session.",
    params: z.object({
      tenantId: ExternalId.meta({ description: "The tenant's id, as the agency chose it.", examples: ['shop'] }),
    }),
    query: z.object({
      agencyId: AgencyField,
      hours: z.coerce
        .number()
        .pipe(z.int().min(1).max(MAX_HOURS))
        .default(24)
        .meta({
          description: `How many hours back, 1 to ${String(MAX_HOURS)}; the one that runs is the last.`,
        }),
    }),
    reply: z
      .object({
        at: time.meta({ description: 'When this was read.' }),
        sessions: z.array(SessionLoadView).meta({ description: 'The sessions, 100 at the most.' }),
        hours: z.array(HourLoad).meta({ description: 'Every hour asked for, also those without a message.' }),
        isComplete: z.boolean().meta({ description: 'False when the earliest hours may say too little.' }),
      })
      .meta({ id: 'TenantLoad', description: 'What waits, and what the last hours brought.' }),
    errors: ['not_found'],
    async handle({ scope, query }, { database }) {
      return database.read(async (queries) => {
        if ((await findSettings(queries, scope)) === null) throw notFound('tenant');
        const running = Math.floor(queries.now.getTime() / HOUR_MS) * HOUR_MS;
        const since = new Date(running - (query.hours - 1) * HOUR_MS);
        const sessions = await readSessionLoads(queries, scope);
        const received = await countReceived(queries, scope, since);
        const sent = [];
        for (const { sessionId } of sessions) sent.push(await countSent(queries, sessionId, since));
        const heard = await countHeard(queries, scope, since);
        const heardByHour = new Map(heard.hours.map((hour) => [hour.at.getTime(), hour]));
        const counts = { sent: sumByHour(sent), received: sumByHour([received]) };
        return {
          at: queries.now.toISOString(),
          sessions: sessions.map(viewLoad),
          hours: Array.from({ length: query.hours }, (_, index) => {
            const at = since.getTime() + index * HOUR_MS;
            const of = (counted: Map<number, number>): number => counted.get(at) ?? 0;
            return {
              at: new Date(at).toISOString(),
              sent: of(counts.sent),
              received: of(counts.received),
              ...viewHeard(heardByHour.get(at)),
            };
          }),
          isComplete: received.isComplete && heard.isComplete && sent.every(({ isComplete }) => isComplete),
        };
      });
    },
  }),
];

function viewHeard(heard: HeardHour | undefined): Pick<z.input<typeof HourLoad>, 'delivered' | 'lagMs'> {
  if (heard === undefined) return { delivered: 0, lagMs: null };
  return { delivered: heard.count, lagMs: { p50: heard.p50Ms, p95: heard.p95Ms } };
}

type Counted = Awaited<ReturnType<typeof countSent>>;

function sumByHour(counted: Counted[]): Map<number, number> {
  const sums = new Map<number, number>();
  for (const { at, count } of counted.flatMap(({ hours }) => hours)) {
    sums.set(at.getTime(), (sums.get(at.getTime()) ?? 0) + count);
  }
  return sums;
}

function viewLoad(load: SessionLoad): z.input<typeof SessionLoadView> {
  const perDay = load.firstContactLimit > 0 ? load.firstContactLimit : null;
  return {
    sessionId: load.sessionId,
    name: load.name,
    status: load.status,
    queued: load.queued,
    oldestQueuedAt: isoOrNull(load.oldestQueuedAt),
    scheduled: load.scheduled,
    uncertain: load.uncertain,
    pace: {
      isPaced: load.isPaced,
      nextSlotAt: isoOrNull(load.nextSlotAt),
      quietUntil: isoOrNull(load.quietUntil),
      restrictedUntil: isoOrNull(load.restrictedUntil),
    },
    firstContacts: {
      perDay,
      used: load.firstContacts,
      left: perDay === null ? null : Math.max(perDay - load.firstContacts, 0),
      resetAt: load.firstContactsResetAt.toISOString(),
    },
  };
}
