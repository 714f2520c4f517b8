import { z } from 'zod';
import { DashboardStatus } from './dashboard.ts';

const count = (description: string) => z.int().min(0).meta({ description });
const bounded = (what: string) => count(`${what}; counted up to 10,000.`);

export const DashboardOverview = z
  .object({
    agencyId: z.string().meta({ description: 'The agency that it belongs to.' }),
    dashboardName: z.string().meta({ description: 'Its name.' }),
    dashboardUrl: z.string().meta({ description: "The address that receives the agency's events." }),
    status: DashboardStatus,
    createdAt: z.iso.datetime().meta({ description: 'When it was registered.' }),
    suspendedAt: z.iso.datetime().nullable().meta({ description: 'Since when it is suspended.' }),
    suspendedReason: z.string().nullable().meta({ description: 'The reason that the operator gave.' }),
    lastActivityAt: z.iso.datetime().nullable().meta({
      description: 'The later of its last event and the last use of a key; the use is written a minute late.',
    }),
    counts: z
      .object({
        tenants: count('Its tenants.'),
        sessions: count('Their sessions.'),
        sessionsWorking: count('Those of the sessions that are WORKING.'),
        keys: count('Its keys that work.'),
        endpoints: count('Its webhook endpoints.'),
      })
      .meta({ description: 'The contents of the dashboard.' }),
  })
  .meta({ id: 'DashboardOverview', description: 'A dashboard as the operator sees it.' });

const WaitingCounts = z
  .object({
    keys: count('Keys that work.'),
    sessions: count('Sessions.'),
    messagesWaiting: bounded('Messages that are queued'),
    messagesScheduled: bounded('Messages whose scheduled time has not come'),
    messagesInFlight: bounded('Messages that were given to the backend without a response yet'),
    deliveriesPending: bounded('Deliveries that are pending'),
    turnsOwed: bounded('Conversations for which the agent still owes a turn'),
  })
  .meta({ id: 'WaitingCounts', description: 'Work that a suspension stops, or an activation continues.' });

export const DashboardDetails = DashboardOverview.extend({ waiting: WaitingCounts }).meta({
  id: 'DashboardDetails',
  description: 'A dashboard and what waits there.',
});

export const SwitchDashboard = z
  .strictObject({
    actor: z.string().min(1).max(100).optional().meta({ description: 'The person who decides, for the audit log.' }),
    reason: z.string().min(1).max(500).optional().meta({ description: 'The reason, for the audit.' }),
  })
  .default({})
  .meta({ id: 'SwitchDashboard', description: 'The person who suspends or activates it, and the reason.' });

export const DashboardSwitched = z
  .object({
    agencyId: z.string().meta({ description: 'The agency.' }),
    status: DashboardStatus,
    hasChanged: z.boolean().meta({ description: 'False if it already had this status, and for a dry run.' }),
    dryRun: z.boolean().meta({ description: 'True if only the counts were requested.' }),
    counts: WaitingCounts,
    inFlight: z.array(z.string()).meta({
      description:
        'The messages that may still reach the backend because they were already being sent. No other message reaches it after this response.',
    }),
  })
  .meta({ id: 'DashboardSwitched', description: 'The new status, and what it stops or continues.' });
