import { z } from 'zod';
import { DashboardStatus } from './dashboard.ts';

const count = (description: string) => z.int().min(0).meta({ description });
const bounded = (what: string) => count(`${what}; counted up to 10,000.`);

export const DashboardOverview = z
  .object({
    agencyId: z.string().meta({ description: 'The agency that it belongs to.' }),
    dashboardName: z.string().meta({ description: 'What it is called.' }),
    dashboardUrl: z.string().meta({ description: "Where the agency's events are posted." }),
    status: DashboardStatus,
    createdAt: z.iso.datetime().meta({ description: 'When it was registered.' }),
    suspendedAt: z.iso.datetime().nullable().meta({ description: 'Since when it is suspended.' }),
    suspendedReason: z.string().nullable().meta({ description: 'Why, as the operator said.' }),
    lastActivityAt: z.iso.datetime().nullable().meta({
      description: 'The later of its last event and the last use of a key, which is written a minute late.',
    }),
    counts: z
      .object({
        tenants: count('Its tenants.'),
        sessions: count('Their sessions.'),
        sessionsWorking: count('Those of them that are WORKING.'),
        keys: count('Its keys that work.'),
        endpoints: count('Its webhook endpoints.'),
      })
      .meta({ description: 'What it has.' }),
  })
  .meta({ id: 'DashboardOverview', description: 'A dashboard as the operator sees it.' });

const WaitingCounts = z
  .object({
    keys: count('Keys that work.'),
    sessions: count('Sessions.'),
    messagesWaiting: bounded('Messages that are queued'),
    messagesScheduled: bounded('Messages whose time has not come'),
    messagesInFlight: bounded('Messages that the backend was given and has not answered'),
    deliveriesPending: bounded('Deliveries that are pending'),
    turnsOwed: bounded('Conversations that the agent owes a turn'),
  })
  .meta({ id: 'WaitingCounts', description: 'What a suspension stops, or an activation lets go.' });

export const DashboardDetails = DashboardOverview.extend({ waiting: WaitingCounts }).meta({
  id: 'DashboardDetails',
  description: 'A dashboard, with what waits there.',
});

export const SwitchDashboard = z
  .strictObject({
    actor: z.string().min(1).max(100).optional().meta({ description: 'Who decides, for the audit.' }),
    reason: z.string().min(1).max(500).optional().meta({ description: 'Why, for the audit.' }),
  })
  .default({})
  .meta({ id: 'SwitchDashboard', description: 'Who suspends or activates it, and why.' });

export const DashboardSwitched = z
  .object({
    agencyId: z.string().meta({ description: 'The agency.' }),
    status: DashboardStatus,
    hasChanged: z.boolean().meta({ description: 'False when it was so already, and for a dry run.' }),
    dryRun: z.boolean().meta({ description: 'True when only the counts were asked for.' }),
    counts: WaitingCounts,
    inFlight: z.array(z.string()).meta({
      description:
        'The messages that may still reach the backend, because they were on their way before. No other does after this answer.',
    }),
  })
  .meta({ id: 'DashboardSwitched', description: 'How it is now, and what that stops or lets go.' });
