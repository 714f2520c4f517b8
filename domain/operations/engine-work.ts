import { z } from 'zod';
import { SilenceCodeField, TURN_OUTCOMES } from '../agent/sales-agent.ts';
import { SessionState } from '../sessions/session.ts';

/** The one rule that holds a message that waits, the strongest first. */
export const HOLDS = ['suspended', 'session', 'restricted', 'pace', 'backend'] as const;
export type Hold = (typeof HOLDS)[number];

const MANY = 'Counted up to 100,001.';
const count = (description: string) => z.int().meta({ description });
const counts = (description: string) => z.record(z.string(), z.int()).meta({ description });
const waiting = (description: string) =>
  z
    .object({
      count: count(`How many wait. ${MANY}`),
      oldestSeconds: z
        .number()
        .nullable()
        .meta({ description: 'How long the oldest has waited, in seconds. Null if none waits.' }),
    })
    .meta({ description });

/** The work of all tenants, as the database knows it. */
export const EngineWork = z
  .object({
    databaseVersion: z.string().meta({ description: 'The version of PostgreSQL.' }),
    databaseBytes: z.number().meta({ description: 'The size of the database in bytes.' }),
    processes: count('The processes of the engine that are connected to the database.'),
    workers: count('The workers that post events.'),
    shardsWithoutOwner: count('The shards of deliveries that no live worker has.'),
    sessions: counts('The sessions by their status.'),
    restrictedSessions: count('The accounts for which the network allows no new conversations at present.'),
    queued: waiting('The messages that wait to be sent, whatever holds them.'),
    holds: z.partialRecord(z.enum(HOLDS), z.int()).meta({
      description:
        'Waiting messages, by the rule that holds them.\n\n`suspended`: the dashboard. `session`: it is not ' +
        'connected. `restricted`: the network allows no first contacts. `pace`: also quiet hours and the ' +
        'next day. `backend`: it did not answer the last request.',
    }),
    stoppedSessions: z
      .array(
        z.object({
          id: z.string().meta({ description: 'The id of the session.' }),
          status: SessionState,
          queued: count('How many of its messages wait.'),
        }),
      )
      .meta({
        description:
          'The sessions that are not connected and have waiting messages, those with the most first; five at most.',
      }),
    untriedMessages: waiting(
      'Messages that only the engine holds and has not tried. `oldestSeconds` counts from when no rule ' +
        'held the oldest.\n\nIt counts the first message of each chat, without bulk and without busy accounts.',
    ),
    suspendedDashboards: count('The dashboards whose sends and deliveries the operator holds back.'),
    sending: count('The messages that are being sent.'),
    scheduled: count(`The messages that are planned for a later time. ${MANY}`),
    uncertain: count('The messages of the last 72 hours with an uncertain outcome.'),
    endpoints: counts('The webhook endpoints by their status.'),
    failingEndpoints: count('The active endpoints whose last attempt failed.'),
    unreadableSecrets: count(
      "The active endpoints whose secret the engine's key does not open: their events wait for the right key.",
    ),
    pendingDeliveries: waiting('The deliveries of events that wait.'),
    untriedDeliveries: waiting(
      'The deliveries that are due, the first in their order and not tried, at endpoints that are well and have no ' +
        'rate. `oldestSeconds` counts from the last answer of an endpoint that is busy.',
    ),
    unappliedEvents: waiting('The events of backends that are stored and have not been tried yet.'),
    owed: waiting(
      'The messages of contacts that the agent has not answered yet, except those of suspended dashboards.',
    ),
    owedToPeople: waiting(
      'Conversations that wait for a person because the agent was late or its reply failed. ' +
        '`oldestSeconds` counts from the first unanswered message.\n\nSuspended dashboards do not count. ' +
        'Counted up to 1,000.',
    ),
    turns: z
      .array(
        z.object({
          outcome: z.string().meta({ enum: [...TURN_OUTCOMES], description: 'How the turns ended.' }),
          silence: SilenceCodeField.nullable(),
          count: count('How many turns ended so.'),
        }),
      )
      .meta({ description: "The outcomes of the agent's turns of the last hour, most frequent first." }),
    missingContents: count(
      "The contacts' messages of the last day whose content never arrived, and that no person has answered since. " +
        'Counted up to 1,000.',
    ),
    promises: waiting('The work that is promised to Temporal and is due.'),
    failingEvents: count(
      `The events of backends that could not be applied when they were tried last; they are tried again for a day. ${MANY}`,
    ),
  })
  .meta({ description: 'How the work of all tenants stands.' });
export type EngineWork = z.output<typeof EngineWork>;
