import { z } from 'zod';
import { ExternalId } from '../scope.ts';
import { AGENCY_STATUSES } from './dashboard.ts';

const Count = z.int().min(0);
const counted = (what: string) => Count.meta({ description: `${what}; counted up to 10,000.` });

export const DashboardOverview = z
  .object({
    agencyId: z.string(),
    dashboardName: z.string(),
    dashboardUrl: z.string(),
    status: z.enum(AGENCY_STATUSES).meta({
      description:
        '`registered` until a session of it has been WORKING for the first time, then `active`; `suspended` by the operator.',
    }),
    createdAt: z.iso.datetime(),
    suspendedAt: z.iso.datetime().nullable(),
    suspendedReason: z.string().nullable(),
    lastActivityAt: z.iso.datetime().nullable().meta({
      description: 'The later of its last event and the last use of a key, which is written a minute late.',
    }),
    counts: z.object({
      tenants: Count,
      sessions: Count,
      sessionsWorking: Count,
      keys: Count.meta({ description: 'Keys that work.' }),
      endpoints: Count,
    }),
  })
  .meta({ id: 'DashboardOverview' });

export const WaitingCounts = z
  .object({
    keys: Count,
    sessions: Count,
    messagesWaiting: counted('Messages that are queued'),
    messagesScheduled: counted('Messages whose time has not come'),
    messagesInFlight: counted('Messages that the backend has been given and has not answered'),
    deliveriesPending: counted('Deliveries that are pending'),
    turnsOwed: counted('Conversations that the agent owes a turn'),
  })
  .meta({ id: 'WaitingCounts' });

export const DashboardDetails = DashboardOverview.extend({
  waiting: WaitingCounts.meta({ description: 'What a suspension would stop, or an activation let go.' }),
}).meta({ id: 'DashboardDetails' });

const Said = {
  actor: z.string().min(1).max(100).optional().meta({ description: 'Who decides, for the audit.', example: 'ann' }),
  reason: z.string().min(1).max(500).optional().meta({ description: 'Why, for the audit.', example: 'Unpaid bill' }),
};

export const SwitchDashboard = z.object(Said).default({}).meta({ id: 'SwitchDashboard' });

export const DashboardSwitched = z
  .object({
    agencyId: ExternalId,
    status: z.enum(AGENCY_STATUSES),
    hasChanged: z.boolean().meta({ description: 'False when it was so already, and for a dry run.' }),
    dryRun: z.boolean(),
    counts: WaitingCounts,
    inFlight: z.array(z.string()).meta({
      description:
        'The messages that may still reach the backend, because they were on their way before. No other does after this answer.',
    }),
  })
  .meta({ id: 'DashboardSwitched' });
