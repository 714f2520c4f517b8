import { setTimeout as pause } from 'node:timers/promises';
import { Client, Connection } from '@temporalio/client';
import type { Pool } from 'pg';
import { anAgency } from '../agency.ts';
import { agentOn, arrivals, databaseOf, personWrites, withAgent } from '../agent.ts';
import { BareWorkflows } from '../bare-workflows.ts';
import { NAMESPACE } from '../machine.ts';
import type { Machine } from '../machine.ts';
import type { Result } from '../result.ts';
import { median, percentile, round } from '../statistics.ts';

/** The usual five seconds make twenty turns. */
const TURNS_PER_SECOND = 4;
/** A median of fewer turns says nothing. */
const FEWEST_TURNS = 12;
/** The first turns are not measured, because freshly loaded code is slow, in the engine and in the baseline. */
const WARM_UP = 5;
/** The pause after which a turn's reply is acked and the engine is idle again. */
const SETTLED_MS = 800;
const CONVERSATIONS_PER_SECOND = 100;
const MESSAGES_EACH = 3;
/** Twice what 0.1.0 answered. */
const MIN_REPLIES_PER_SECOND = 25;
/**
 * The first phone number. The numbers after it are no magic numbers of the sandbox, which would lose sessions and the
 * like.
 */
const FIRST_PERSON = 5_001_000;
const WRITERS = 16;
const ANSWERED_WITHIN_MS = 300_000;
const MAX_EVENTS = 24;

/**
 * Measures turns of the agent with a model that answers at once: the time that the engine itself needs for one, and
 * many at once.
 */
export async function agent(machine: Machine, seconds: number): Promise<Result[]> {
  return [
    ...(await oneTurn(machine, seconds)),
    await manyAtOnce(machine, Math.ceil(CONVERSATIONS_PER_SECOND * seconds)),
  ];
}

async function oneTurn(machine: Machine, seconds: number): Promise<Result[]> {
  await machine.newSeries();
  const floors = await BareWorkflows.start(machine.temporalAddress);
  const engine = await machine.startEngine('all');
  const database = databaseOf(machine);
  const count = Math.max(FEWEST_TURNS, Math.round(TURNS_PER_SECOND * seconds));
  try {
    const session = await anAgency(engine.url, { dashboardUrl: 'http://127.0.0.1:9/', working: true });
    await agentOn(engine.url);
    const floor: number[] = [];
    const times: number[] = [];
    for (let turn = 0; turn < WARM_UP + count; turn += 1) {
      const phone = `1555${4_000_100 + turn}`;
      const before = (await arrivals(machine, session.name)).length;
      const wroteAtMs = performance.timeOrigin + performance.now();
      await personWrites(machine, session.name, phone, 'What does it cost?');
      await untilAnswered(database, turn + 1);
      // The chat's id may have changed, so the reply is recognised by its turn: the turns run one after the other.
      const [reply] = (await arrivals(machine, session.name)).slice(before);
      if (!reply) throw new Error(`The backend has no reply of turn ${turn + 1}.`);
      times.push(reply.atMs - wroteAtMs);
      await pause(SETTLED_MS);
      // Engine and baseline take turns, so that other load of the machine slows down both.
      floor.push(...(await floors.twoActivities(1)));
    }
    const overhead = (await withoutModel(database, times)).slice(WARM_UP);
    const bare = median(floor.slice(WARM_UP));
    const ratio = median(overhead) / bare;
    const events = await eventsOfTurns(machine, database);
    return [
      {
        path: 'agent: from the inbound message to the backend, without the model',
        measured: `p50 ${round(median(overhead))} ms, p95 ${round(percentile(overhead, 0.95))} ms (${overhead.length})`,
        baseline: `bare workflow with two no-op activities p50 ${round(bare)} ms`,
        ratio,
        aim: '≤ 2',
        met: ratio <= 2,
      },
      {
        path: 'agent: events of Temporal for one inbound message',
        measured: `${Math.max(...events)} at the most (${events.length} workflows)`,
        baseline: '',
        ratio: null,
        aim: `≤ ${MAX_EVENTS}`,
        met: Math.max(...events) <= MAX_EVENTS,
      },
    ];
  } finally {
    await database.end();
    await engine.stop();
    await floors.stop();
  }
}

async function untilAnswered(database: Pool, turns: number): Promise<void> {
  const until = performance.now() + ANSWERED_WITHIN_MS;
  for (;;) {
    const { rows } = await database.query<{ n: number }>(
      `select count(*)::int as n from message where origin = 'ai' and sent_at is not null`,
    );
    if ((rows[0]?.n ?? 0) >= turns) return;
    if (performance.now() > until) throw new Error('The agent did not answer.');
    await pause(20);
  }
}

/**
 * Subtracts the model's time from each turn's. The turns ran one after the other, so the first time belongs to the
 * first turn.
 */
async function withoutModel(database: Pool, times: readonly number[]): Promise<number[]> {
  const { rows } = await database.query<{ ms: number }>(
    `select coalesce((select sum((call->>'ms')::float8) from jsonb_array_elements(t.model_calls) call), 0) as ms
     from ai_turn t where t.outcome = 'reply' order by t.id`,
  );
  return times.map((ms, turn) => ms - (rows[turn]?.ms ?? 0));
}

async function eventsOfTurns(machine: Machine, database: Pool): Promise<number[]> {
  const connection = await Connection.connect({ address: machine.temporalAddress });
  try {
    const client = new Client({ connection, namespace: NAMESPACE });
    const { rows } = await database.query<{ id: string }>('select distinct conversation_id as id from ai_turn');
    const counts: number[] = [];
    for (const { id } of rows) {
      const history = await client.workflow.getHandle(`ai/${id}`).fetchHistory();
      counts.push(history.events?.length ?? 0);
    }
    return counts;
  } finally {
    await connection.close();
  }
}

interface Tally {
  inbound: number;
  withTurn: number;
  unansweredPeople: number;
  outOfOrder: number;
  unsent: number;
}

/** All contacts write three messages each, all at the same time. */
async function manyAtOnce(machine: Machine, people: number): Promise<Result> {
  return withAgent(machine, async ({ database, session }) => {
    const startedAt = performance.now();
    let next = 0;
    const writer = async (): Promise<void> => {
      while (next < people * MESSAGES_EACH) {
        const index = next;
        next += 1;
        const phone = `1555${FIRST_PERSON + (index % people)}`;
        await personWrites(machine, session.name, phone, `Message ${Math.floor(index / people) + 1} of ${phone}`);
      }
    };
    await Promise.all(Array.from({ length: WRITERS }, writer));
    await untilQuiet(database, people * MESSAGES_EACH);
    const tookS = (performance.now() - startedAt) / 1_000;
    const tally = await tallyOf(database);
    const replies = (await arrivals(machine, session.name)).length;
    const perSecond = replies / tookS;
    const lost = people * MESSAGES_EACH - tally.withTurn + tally.unansweredPeople + tally.unsent;
    return {
      path: `agent: ${people} conversations at once, ${MESSAGES_EACH} messages each`,
      measured: `${round(perSecond)} replies/s, ${lost} lost, ${tally.outOfOrder} out of order (${replies} replies, ${round(tookS, 0)} s)`,
      baseline: '',
      ratio: null,
      aim: `≥ ${MIN_REPLIES_PER_SECOND} /s, 0 and 0`,
      met: lost === 0 && tally.outOfOrder === 0 && perSecond >= MIN_REPLIES_PER_SECOND,
    };
  });
}

async function untilQuiet(database: Pool, wanted: number): Promise<void> {
  const until = performance.now() + ANSWERED_WITHIN_MS;
  while (performance.now() < until) {
    const { rows } = await database.query<{ inbound: number; open: number }>(
      `select count(*) filter (where direction = 'in' and origin = 'network')::int as inbound,
         count(*) filter (where awaits_turn or (origin = 'ai' and status in ('queued', 'sending')))::int as open from message`,
    );
    if (rows[0]?.inbound === wanted && rows[0].open === 0) return;
    await pause(250);
  }
}

/** Counts the results. A reply is out of order when it was sent before a reply of an earlier turn. */
async function tallyOf(database: Pool): Promise<Tally> {
  const { rows } = await database.query<Tally>(`
    with inbound as (
      select m.id, m.conversation_id, exists (select 1 from ai_turn t where m.id = any(t.inbound_message_ids)
        and t.outcome <> 'running' and t.silence_code is distinct from 'newer_message') as has_turn
      from message m where m.direction = 'in' and m.origin = 'network'
    ), reply as (
      select m.conversation_id, m.sent_at, m.status, lag(m.sent_at) over (partition by m.conversation_id order by t.id, m.chat_seq) as before
      from message m join ai_turn t on t.id = m.turn_id where m.origin = 'ai'
    )
    select (select count(*)::int from inbound) as inbound, (select count(*)::int from inbound where has_turn) as "withTurn",
      (select count(distinct i.conversation_id)::int from inbound i
        where not exists (select 1 from reply r where r.conversation_id = i.conversation_id and r.sent_at is not null)) as "unansweredPeople",
      (select count(*)::int from reply where sent_at < before) as "outOfOrder",
      (select count(*)::int from reply where sent_at is null and status <> 'cancelled') as unsent`);
  const [tally] = rows;
  if (!tally) throw new Error('Nothing was counted.');
  return tally;
}
