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
import { SessionState } from '../../domain/sessions/session.ts';
import { NewChats } from '../../domain/sessions/new-chats.ts';
import { defineRoute } from '../deps.ts';
import { isoOrNull } from '../wire/iso-time.ts';

const HOUR_MS = 3_600_000;
const MAX_HOURS = 72;

const time = z.iso.datetime();
const waiting = (what: string) =>
  z.int().meta({ description: `${what}; ${MAX_WAITING.toLocaleString('en')} means that there are as many or more.` });

const SessionLoadView = z
  .object({
    sessionId: z.string().meta({ description: 'The session.' }),
    name: z.string().meta({ description: "The session's name at the messaging backend." }),
    status: SessionState,
    queued: waiting('Messages that wait for their turn or are being sent'),
    oldestQueuedAt: time.nullable().meta({ description: 'When the oldest of them was accepted.' }),
    scheduled: waiting('Messages that wait for their scheduled time'),
    uncertain: waiting('Messages for which it is not known whether they were sent'),
    pace: z
      .object({
        isPaced: z.boolean().meta({ description: 'False if messages are sent as fast as possible.' }),
        nextSlotAt: time.nullable().meta({ description: 'When the pace allows the next message. Null means at once.' }),
        quietUntil: time.nullable().meta({ description: 'The end of the quiet hours, while they last.' }),
        restrictedUntil: time.nullable().meta({
          description: 'Until when the network does not allow the account to write to new contacts.',
        }),
      })
      .meta({ description: 'The reason why messages are held back.' }),
    firstContacts: z
      .object({
        perDay: z
          .int()
          .nullable()
          .meta({ description: 'How many new contacts may be written to today. Null means no limit.' }),
        used: z.int().meta({ description: 'How many of them were written to today.' }),
        left: z.int().nullable().meta({ description: 'How many are left today. Null means no limit.' }),
        resetAt: time.meta({ description: "When the tenant's next day begins." }),
      })
      .meta({ description: 'Contacts that are written to for the first time. The limit rises during the first week.' }),
    newChats: NewChats.nullable().meta({
      description: "The network's own quota of new chats in this cycle. Null where the backend does not tell it.",
    }),
  })
  .meta({ id: 'SessionLoad', description: 'Waiting messages of a session, and the sends that its pace still allows.' });

const HourLoad = z
  .object({
    at: time.meta({ description: 'When the hour began, in UTC.' }),
    sent: z
      .int()
      .meta({ description: 'Messages that the accounts sent in this hour, including those from the phone.' }),
    received: z.int().meta({ description: 'Messages that contacts wrote in this hour.' }),
    delivered: z.int().meta({ description: "Deliveries of this hour's events that webhook endpoints accepted." }),
    lagMs: z
      .object({
        p50: z.int().meta({ description: 'Half of them were accepted within this many milliseconds.' }),
        p95: z.int().meta({ description: '95 of 100 were accepted within this many milliseconds.' }),
      })
      .nullable()
      .meta({
        description:
          "How long they took, from the event to the receiver's last response: a resent delivery counts until then. " +
          'Null if there were none.',
      }),
  })
  .meta({ id: 'HourLoad', description: 'The messages and webhook deliveries of one hour.' });

export const loadRoutes = [
  defineRoute({
    method: 'GET',
    path: '/api/v1/tenants/:tenantId/load',
    auth: 'tenant',
    cost: 5,
    scope: 'read',
    operationId: 'tenantSettings.readLoad',
    summary: "Read a tenant's waiting and hourly messages",
    description:
      'Counts usage from database rows. `isComplete` is false if a session or the tenant had more than the ' +
      `newest ${MAX_COUNTED_IN_HOURS.toLocaleString('en')}.\n\nSends are counted for each session, events ` +
      "for the tenant. A session's key reads only its own session.",
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
          description: `How many hours back, from 1 to ${String(MAX_HOURS)}; the current hour is the last.`,
        }),
    }),
    reply: z
      .object({
        at: time.meta({ description: 'When this was read.' }),
        sessions: z.array(SessionLoadView).meta({ description: 'The sessions, up to 100.' }),
        hours: z.array(HourLoad).meta({ description: 'Every requested hour, including hours without a message.' }),
        isComplete: z.boolean().meta({ description: 'False if the counts of the earliest hours may be too low.' }),
      })
      .meta({ id: 'TenantLoad', description: 'Waiting messages, and the traffic of the last hours.' }),
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
    newChats: load.newChats,
  };
}
