import { MAX_COUNTED } from '../../../db/operations/engine-status.ts';
import type { EngineStatus } from '../../../db/operations/engine-status.ts';
import { delaysOf, REPAIR_LATE_S } from '../../../domain/operations/delays.ts';
import type { DelayedWork } from '../../../domain/operations/delays.ts';
import { HOLDS } from '../../../domain/operations/engine-work.ts';
import type { Hold } from '../../../domain/operations/engine-work.ts';
import type { UnfitRow } from '../../../db/operations/unfit-rows.ts';
import { BACKEND_AWAY } from '../../backend-check.ts';
import { plural } from '../plural.ts';
import { aboutEndpoint } from './about-endpoint.ts';
import type { Facts } from './facts.ts';

/** One line of the report, and what to do where something is wrong. */
export interface Line {
  about: string;
  says: string;
  todo: string[];
}

const QUEUED_LATE_S = 60 * 60;
const PENDING_LATE_S = 60 * 60;
/** More rows than these would hide the other lines. */
const NAMED_ROWS = 5;
const LITTLE_DISK_BYTES = 2 ** 30;

const BACKEND_TODO =
  'Check that it runs and that its address (BACKEND_URL or BACKENDS) is right. Accepted sends wait for it.';

/** Says in ten lines how everything is. */
export function linesOf(facts: Facts): Line[] {
  const known = facts.database.is === 'found' ? facts.database.value : null;
  return [
    engineLine(facts),
    apiLine(facts),
    databaseLine(facts),
    temporalLine(facts),
    ...(known === null ? [] : [sessionsLine(known), messagesLine(known), webhooksLine(known), agentLine(known)]),
    ...(known === null ? [] : [repairsLine(known)]),
    ...(facts.disk === null ? [] : [diskLine(facts.disk)]),
  ];
}

function engineLine({ runs, comesOrGoes, version, node, api, database, temporal }: Facts): Line {
  if (comesOrGoes !== null) {
    return line('Engine', `${version} on Node ${node}; "npm start" is starting or stopping (process ${comesOrGoes})`, [
      'Ask again once it shows "ready in" with its addresses, or "Stopped.".',
    ]);
  }
  // In production its parts run without `npm start`.
  const isAnywhere = [api, database, temporal].some(({ is }) => is === 'found');
  if (runs === null) {
    return line('Engine', `${version} on Node ${node}; no "npm start" runs on this data directory`, [
      !isAnywhere && 'Start it with "npm start"; if its parts run elsewhere, set DATABASE_URL and TEMPORAL_ADDRESS.',
    ]);
  }
  const isOld = runs.version !== version;
  return line('Engine', `${runs.version}, process ${runs.pid} since ${runs.since}, Node ${node}`, [
    isOld && `The files here are of ${version}: restart the engine to run them.`,
  ]);
}

function apiLine({ api, comesOrGoes }: Facts): Line {
  if (api.is === 'missing') {
    return line('API', api.why, [
      comesOrGoes === null && 'Start it ("npm start" or "npm run api"), or set PUBLIC_URL.',
    ]);
  }
  const { url, troubles, answers } = api.value;
  const times = answers.map(({ name, ms }) => `; ${name} in ${ms} ms`).join('');
  return line(
    'API',
    `${url} ${troubles.length === 0 ? 'is ready' : 'answers'}${times}`,
    // A process that starts lacks parts, which is no trouble.
    (comesOrGoes === null ? troubles : []).map((trouble) =>
      trouble.includes(BACKEND_AWAY) ? `${sentence(trouble)} ${BACKEND_TODO}` : sentence(trouble),
    ),
  );
}

/** Ends a text of the API, which has no full stop and may be a question. */
const sentence = (text: string): string => (text.endsWith('?') ? text : `${text}.`);

function databaseLine({ database, comesOrGoes }: Facts): Line {
  if (database.is === 'missing') {
    return line('Database', database.why, [
      comesOrGoes === null &&
        'The engine accepts nothing without it. Start the engine ("npm start") or PostgreSQL, or fix DATABASE_URL.',
    ]);
  }
  const { databaseVersion, databaseBytes, processes, workers, shardsWithoutOwner } = database.value;
  const says = `PostgreSQL ${databaseVersion}, ${sizeOf(databaseBytes)}; ${plural(processes, 'process', 'es')} of the engine, ${workers} delivering`;
  return line('Database', says, [
    processes === 0 && 'No process of the engine is connected: start it.',
    processes > 0 && workers === 0 && 'No process delivers events: start a worker that serves the queue "webhooks".',
    workers > 0 &&
      shardsWithoutOwner > 0 &&
      `${shardsWithoutOwner} of 256 endpoint shards have no owner. If this lasts longer than seconds, restart the worker.`,
  ]);
}

function temporalLine({ api, database, temporal, uiUrl, comesOrGoes }: Facts): Line {
  if (temporal.is === 'missing') {
    return line('Temporal', temporal.why, [
      comesOrGoes === null &&
        `${api.is === 'found' ? 'Accepted sends wait for it' : 'The engine sends nothing without it'}: start it, or fix TEMPORAL_ADDRESS.`,
    ]);
  }
  const { address, serverVersion, running, supervisors, broken, paused } = temporal.value;
  const wanted = database.is === 'found' ? database.value.supervisedSessions : 0;
  const says = `${serverVersion} at ${address}; ${plural(running, 'execution')} running, ${broken} broken${paused > 0 ? `, ${paused} paused` : ''}`;
  return line('Temporal', uiUrl === null ? says : `${says}; UI at ${uiUrl}`, [
    broken > 0 &&
      'Open the view "Broken" (docs/operate/temporal-ui.md). The engine restarts unfinished work by itself.',
    supervisors < wanted &&
      `${plural(wanted - supervisors, 'session')} without an execution in Temporal, for example after a deletion. A worker restarts it within two minutes: check that a worker runs.`,
    paused > 0 &&
      'Executions are paused in Temporal and do nothing. Unpause them in the view "Paused" (docs/operate/temporal-ui.md).',
  ]);
}

function sessionsLine({ sessions, restrictedSessions }: EngineStatus): Line {
  const { FAILED: failed = 0, SCAN_QR_CODE: waiting = 0 } = sessions;
  const restricted = restrictedSessions > 0 ? `; ${restrictedSessions} restricted by the network` : '';
  const named = Object.fromEntries(Object.entries(sessions).map(([status, count]) => [spoken(status), count]));
  return line('Sessions', `${listOf(named, 'none yet')}${restricted}`, [
    restrictedSessions > 0 &&
      `Restricted by the network: ${plural(restrictedSessions, 'account')}. Send to no new people from them; ./engine doctor lists them with the end of the restriction (docs/operate/runbooks/the-backend-is-down.md).`,
    failed > 0 && `Failed: ${failed}. The engine restarts them; ./engine doctor lists those that need a person.`,
    waiting > 0 && `${plural(waiting, 'QR code')} to scan: GET /api/v1/sessions/:id/qr shows each.`,
  ]);
}

const STATUS_WORDS: Readonly<Record<string, string>> = { WORKING: 'connected', SCAN_QR_CODE: 'to scan' };

/** A word for people beside the status of the API. */
const spoken = (status: string): string =>
  `${STATUS_WORDS[status] ?? status.toLowerCase().replaceAll('_', ' ')} (${status})`;

const HELD: Record<Hold, string> = {
  suspended: 'held by a suspended dashboard',
  session: 'waiting for a session that is not connected',
  restricted: "held by the network's restriction",
  pace: 'held by pace or hours',
  backend: 'waiting for the backend',
};

function messagesLine(status: EngineStatus): Line {
  const { queued, holds, stoppedSessions, suspendedDashboards, sending, scheduled, uncertain, repairs } = status;
  const { untriedMessages } = status;
  const parts = [
    `${countOf(queued.count)} queued${ageOf(queued.oldestSeconds)}`,
    ...(untriedMessages.count > 0
      ? [`${countOf(untriedMessages.count)} of them not tried yet${ageOf(untriedMessages.oldestSeconds)}`]
      : []),
    ...HOLDS.flatMap((hold) => {
      const held = holds[hold] ?? 0;
      return held > 0 ? [`${countOf(held)} of them ${HELD[hold]}`] : [];
    }),
    `${sending} being sent${ageOf(repairs.oldestSendingSeconds)}`,
    ...(scheduled > 0 ? [`${countOf(scheduled)} scheduled`] : []),
    `${uncertain} uncertain`,
    ...(suspendedDashboards > 0 ? [`${plural(suspendedDashboards, 'dashboard')} suspended`] : []),
  ];
  return line('Messages', parts.join(', '), [
    uncertain > 0 &&
      `Uncertain: ${uncertain}. Resolve each: open the view "Waiting for you" and send the Update "resolve", or use the route (docs/operate/runbooks/a-message-did-not-arrive.md).`,
    isLate(status, 'messages') &&
      'The engine is late with these messages. Check that a worker runs and that the machine is not too busy (docs/operate/scale.md).',
    (repairs.oldestSendingSeconds ?? 0) > REPAIR_LATE_S.sending &&
      'The outcome of a send is unknown for too long: check its execution.',
    ...stoppedSessions.map(
      ({ id, status: state, queued: waiting }) =>
        `${countOf(waiting)} wait for session ${id}, which is ${state}: start it (POST /api/v1/sessions/${id}/start), or scan its code.`,
    ),
    (holds.backend ?? 0) > 0 &&
      'A backend does not answer: start it, or fix its address and key. Waiting messages are sent once it recovers.',
    (queued.oldestSeconds ?? 0) > QUEUED_LATE_S &&
      'Some wait for over an hour: the session’s execution shows the reason (docs/operate/runbooks/a-backlog-grows.md).',
  ]);
}

/** Judges as `/readyz`, the metrics and the console do. */
const isLate = (status: EngineStatus, kind: DelayedWork): boolean => delaysOf(status).some(({ work }) => work === kind);

const TROUBLED_SQL =
  "select e.id, e.agency_id, e.status, h.last_error from endpoint e left join endpoint_health h on h.endpoint_id = e.id where e.deleted_at is null and (e.status = 'disabled' or (e.status = 'active' and h.failing_since is not null))";

function webhooksLine(status: EngineStatus): Line {
  const { endpoints, failingEndpoints, troubledEndpoints, unreadableSecrets, pendingDeliveries } = status;
  const { disabled = 0 } = endpoints;
  const unnamed = failingEndpoints + disabled - troubledEndpoints.length;
  const pending = `${counted(pendingDeliveries.count, 'event')} pending${ageOf(pendingDeliveries.oldestSeconds)}`;
  return line('Webhooks', `endpoints: ${listOf(endpoints, 'none')}, ${failingEndpoints} failing; ${pending}`, [
    ...troubledEndpoints.map(aboutEndpoint),
    unnamed > 0 && `${unnamed} more fail or are disabled. List them: ./engine sql "${TROUBLED_SQL}"`,
    unreadableSecrets > 0 &&
      `Cannot be signed for: ${unreadableSecrets}. ENGINE_ENCRYPTION_KEY is not the key of their secrets, so their events wait. Restore the key, or set new secrets (docs/operate/encryption-key.md).`,
    isLate(status, 'events_out') &&
      'Events wait for their first attempt although their receivers work: check the worker and its load.',
    failingEndpoints + disabled + unreadableSecrets === 0 &&
      (pendingDeliveries.oldestSeconds ?? 0) > PENDING_LATE_S &&
      'Events wait although no receiver fails: check for a paused endpoint or a missing worker.',
  ]);
}

/** Counts the turns of the agent by their end. */
function endsOf(turns: EngineStatus['turns']): Record<string, number> {
  const named = turns.map(({ outcome, silence, count }) => {
    const name = outcome === 'silence' ? `silent: ${silence ?? 'unknown'}` : outcome;
    return { name, count };
  });
  const groups = Object.entries(Object.groupBy(named, ({ name }) => name));
  return Object.fromEntries(groups.map(([name, of = []]) => [name, of.reduce((sum, { count }) => sum + count, 0)]));
}

function agentLine(status: EngineStatus): Line {
  const { owed, owedToPeople, turns, missingContents } = status;
  const says = `${counted(owed.count, 'message')} owed an answer${ageOf(owed.oldestSeconds)}; ${counted(owedToPeople.count, 'conversation')} owed to a person${ageOf(owedToPeople.oldestSeconds)}; last hour: ${listOf(endsOf(turns), 'no turn')}`;
  return line('Agent', says, [
    isLate(status, 'answers') &&
      'An answer is late: ai/<conversationId> in Temporal, or the turns of the conversation, show the reason.',
    owedToPeople.count > 0 &&
      'The agent was late or its reply failed. POST /api/v1/inbox/chats/owed lets the agent answer again, or assigns the chats to a person (docs/guides/agent-failures.md#answer-after-a-delay).',
    missingContents > 0 &&
      `The content of ${counted(missingContents, 'message')} of the last day never arrived. Fetch it with "./engine doctor --repair unread-contents", or read it on the phone (docs/operate/runbooks/unreadable-data.md).`,
    turns.some(({ silence }) => silence === 'model_failed') &&
      'Models failed, so people have those conversations: check the turns and LLM_MODELS.',
  ]);
}

function repairsLine(status: EngineStatus): Line {
  const { promises, repairs, failingEvents, unfitRows, unreadablePeppers } = status;
  const { parkedDispatches, parkedBackendEvents, parkedOwnMessages, stuckWorkflows, stepFailures } = repairs;
  const { reconcileAgeSeconds, unappliedBackendEventSeconds } = repairs;
  const failing = stepFailures.filter(({ isFailing }) => isFailing).map(({ step }) => step);
  const parked = `parked: ${plural(parkedDispatches, 'promise')}, ${plural(parkedBackendEvents, 'event')}, ${plural(parkedOwnMessages, 'own message')}`;
  const says = `${counted(promises.count, 'promise')} waiting${ageOf(promises.oldestSeconds)}; ${parked}; ${stuckWorkflows} stuck${failingEvents > 0 ? `; ${counted(failingEvents, 'event')} cannot be applied` : ''}`;
  return line('Repairs', says, [
    parkedDispatches > 0 &&
      'Temporal refuses some work: dispatch.last_error shows the reason (docs/operate/runbooks/temporal-is-down.md).',
    parkedBackendEvents > 0 && 'Some events of the backend were not applied: "./engine parked-events".',
    repairs.unknownReports > 0 &&
      `The backend reported ${plural(repairs.unknownReports, 'thing')} that this version does not know: GET /api/v1/admin/unknown-reports.`,
    failingEvents > 0 &&
      `Events of the backend that cannot be applied: ${countOf(failingEvents)}. The engine retries them for a day and then parks them; the API's log has the error.`,
    ...unfitRows.slice(0, NAMED_ROWS).map(aboutUnfitRow),
    unfitRows.length > NAMED_ROWS && `${unfitRows.length - NAMED_ROWS} more stored rows do not fit this release.`,
    unreadablePeppers.length > 0 &&
      `No key opens the record of erased addresses (erased_pepper) of ${unreadablePeppers.slice(0, NAMED_ROWS).join(', ')}: their events wait. Restore the former ENGINE_ENCRYPTION_KEY and rotate it (docs/operate/encryption-key.md).`,
    failingEvents === 0 &&
      (unappliedBackendEventSeconds ?? 0) > REPAIR_LATE_S.unapplied &&
      'Events of the backend wait to be applied: check that an API runs.',
    isLate(status, 'promises') && 'Work waits for Temporal: check that it answers.',
    (reconcileAgeSeconds === null || reconcileAgeSeconds > REPAIR_LATE_S.reconcile) &&
      'The schedule "reconcile" has not run lately: check that a worker runs.',
    stuckWorkflows > 0 && 'Some executions are stuck (docs/operate/runbooks/temporal-is-down.md).',
    failing.length > 0 && `Steps of the reconcile fail: ${failing.join(', ')}; the worker's log has the reason.`,
  ]);
}

/** Names the row and the field; the value may be personal. */
function aboutUnfitRow({ kind, id, pointer }: UnfitRow): string {
  return `Stored ${kind} of ${id} is invalid in this release at ${pointer} and counts as not set: set it again (docs/operate/runbooks/unreadable-data.md).`;
}

function diskLine({ dataDir, usedBytes, freeBytes }: NonNullable<Facts['disk']>): Line {
  return line('Disk', `${dataDir} holds ${sizeOf(usedBytes)}, ${sizeOf(freeBytes)} are free`, [
    freeBytes < LITTLE_DISK_BYTES && 'The disk is nearly full: free space, or the engine accepts nothing.',
  ]);
}

function line(about: string, says: string, todo: (string | false)[]): Line {
  return { about, says, todo: todo.filter((sentence) => sentence !== false) };
}

/** Counts as far as the rows were counted. */
const counted = (count: number, word: string): string => (count === 1 ? `1 ${word}` : `${countOf(count)} ${word}s`);

const countOf = (count: number): string => (count > MAX_COUNTED ? `more than ${MAX_COUNTED}` : String(count));

function listOf(counts: Record<string, number>, none: string): string {
  const parts = Object.entries(counts)
    .toSorted(([, a], [, b]) => b - a)
    .map(([name, count]) => `${count} ${name}`);
  return parts.length === 0 ? none : parts.join(', ');
}

function ageOf(seconds: number | null): string {
  return seconds === null ? '' : ` (oldest ${spanOf(seconds)})`;
}

function spanOf(seconds: number): string {
  if (seconds < 120) return `${Math.round(Math.max(seconds, 0))} s`;
  if (seconds < 7_200) return `${Math.round(seconds / 60)} min`;
  return seconds < 172_800 ? `${Math.round(seconds / 3_600)} h` : `${Math.round(seconds / 86_400)} days`;
}

function sizeOf(bytes: number): string {
  return bytes < 2 ** 30 ? `${Math.round(bytes / 2 ** 20)} MB` : `${(bytes / 2 ** 30).toFixed(1)} GB`;
}
