import { cpus } from 'node:os';
import { setTimeout as pause } from 'node:timers/promises';
import type { Pool } from 'pg';
import { besideLoops, makeGroup } from '../../demo/cpu-share.ts';
import type { Group } from '../../demo/cpu-share.ts';
import { withChildren } from '../../demo/descendants.ts';
import { sendTo, TARGET } from '../agency.ts';
import { arrivals, personWrites, withAgent } from '../agent.ts';
import type { AgentScene } from '../agent.ts';
import { totalCpu } from '../cpu.ts';
import { posts } from '../load.ts';
import { MASTER_KEY } from '../machine.ts';
import type { Machine } from '../machine.ts';
import type { Result } from '../result.ts';
import { percentile, round } from '../statistics.ts';

/** Takes a part of the CPU from the engine and its servers: by a quota of cores, or by loops on each core. */
type Hold = { cores: number } | { loops: number };

const ALWAYS: readonly Hold[] = [{ cores: 0.4 }, { cores: 0.2 }, { loops: 4 }];
const ON_DEMAND: readonly Hold[] = [{ cores: 1 }, { cores: 0.5 }, { loops: 1 }, { loops: 2 }, { loops: 8 }];
/** Dashboards send this much of the rate that lasts alone, times the share. */
const DASHBOARDS = [0.5, 2.5];
const CORES = cpus().length;
/** The usual five seconds make three hundred, and they write for as long as thirty seconds. */
const CUSTOMERS_PER_SECOND = 60;
const WRITES_EVERY_MS = 100;
/** No cell takes longer than four minutes, so a smaller share gets fewer customers. */
const ENDED_WITHIN_MS = 180_000;
const FEWEST = 20;
const MODEL_MS = 1_000;
/** Enough sends to see the rate that lasts. */
const SENDS_ALONE = 600;
/** The numbers from here on are no magic numbers of the sandbox. */
const FIRST_PERSON = 5_601_000;
/** A person answers one chat after the other, because a reply waits for the one before it in its chat. */
const CHATS = 30;
const PERSON_REPLIES_EVERY_MS = 2_000;
/** The engine's code and plans are warm before the clock starts, as those of an engine that runs are. */
const SENDS_BEFORE = 120;
const FIRST_WARM = 100_000;
/** The last replies are still on their way when the last customer is answered. */
const PERSON_SENT_WITHIN_MS = 60_000;
const LOOK_EVERY_MS = 100;
const KINDS = ['engine', 'temporal', 'postgres'] as const;
const LEAST_OF_SHARE = 0.7;

interface Cell {
  how: string;
  /** The part of the machine that the engine had: that of its quota, else what it got. */
  share: number;
  answersPerSecond: number;
  /** Customers who have neither an answer nor a person. */
  forgotten: number;
  expired: number;
  stale: number;
  outages: number;
  dashboards: Dashboards;
  /** Milliseconds from a person's reply to the backend. */
  personMs: number[];
}

interface Dashboards {
  accepted: number;
  refused: number;
  /** Accepted sends without a row. */
  lost: number;
}

interface Asked {
  customers: number;
  sendsPerSecond: number;
  hold: Hold | null;
}

/**
 * Measures customers who write together, a person who replies and dashboards that send meanwhile, with the whole
 * machine and with a part of its CPU. The engine must do that part of the work.
 */
export const squeezed = (machine: Machine, seconds: number): Promise<Result[]> => measured(machine, seconds, ALWAYS);

/** The other quotas and numbers of loops. */
export const squeezedMore = (machine: Machine, seconds: number): Promise<Result[]> =>
  measured(machine, seconds, ON_DEMAND);

async function measured(machine: Machine, seconds: number, holds: readonly Hold[]): Promise<Result[]> {
  const most = Math.round(CUSTOMERS_PER_SECOND * seconds);
  const lasting = await rateAlone(machine);
  const [half = 0] = DASHBOARDS;
  const alone = await cell(machine, { customers: most, sendsPerSecond: lasting * half, hold: null });
  const results: Result[] = [];
  for (const hold of holds) {
    const share = 'cores' in hold ? hold.cores / CORES : 1 / (1 + hold.loops);
    const rate = alone.answersPerSecond * share;
    const customers = Math.max(FEWEST, Math.min(most, Math.round((rate * ENDED_WITHIN_MS) / 2_000)));
    for (const part of DASHBOARDS) {
      results.push(...rows(alone, await cell(machine, { customers, sendsPerSecond: lasting * share * part, hold })));
    }
  }
  return results;
}

function rows(alone: Cell, found: Cell): Result[] {
  const { share, dashboards } = found;
  const ratio = found.answersPerSecond / (alone.answersPerSecond * share);
  const person = percentile(found.personMs, 0.95) / percentile(alone.personMs, 0.95);
  const faults = found.forgotten + found.expired + found.stale + found.outages + dashboards.lost;
  return [
    {
      path: `squeeze: ${found.how}`,
      measured:
        `${round(found.answersPerSecond)} answers/s; ${found.forgotten} forgotten, ${found.expired} expired, ` +
        `${found.stale} stale, ${found.outages} outages; of dashboards ${dashboards.accepted} taken, ` +
        `${dashboards.refused} refused, ${dashboards.lost} lost`,
      baseline: `alone ${round(alone.answersPerSecond)} answers/s × ${round(share)}`,
      ratio,
      aim: `≥ ${LEAST_OF_SHARE}, and no fault`,
      met: ratio >= LEAST_OF_SHARE && faults === 0,
    },
    {
      path: `squeeze: ${found.how}: a person's reply`,
      measured: `p95 ${round(percentile(found.personMs, 0.95))} ms (${found.personMs.length})`,
      baseline: `alone p95 ${round(percentile(alone.personMs, 0.95))} ms`,
      ratio: person,
      aim: `≤ ${round(2 / share)}`,
      met: person <= 2 / share,
    },
  ];
}

/** Returns how many sends a second the engine takes to the backend while nothing else happens. */
async function rateAlone(machine: Machine): Promise<number> {
  return withAgent(machine, async ({ url, database }) => {
    let index = 0;
    const startedAt = performance.now();
    await posts(url, SENDS_ALONE, () => sendTo(index++));
    while ((await countOf(database, "origin = 'api' and sent_at is not null")) < SENDS_ALONE)
      await pause(LOOK_EVERY_MS);
    return SENDS_ALONE / ((performance.now() - startedAt) / 1_000);
  });
}

async function cell(machine: Machine, { customers, sendsPerSecond, hold }: Asked): Promise<Cell> {
  const group = hold !== null && 'cores' in hold ? await makeGroup(hold.cores / CORES) : null;
  if (hold !== null && 'cores' in hold && group === null) throw new Error('This process may make no control group.');
  const start = () => machine.startEngine('all');
  const measure = (scene: AgentScene) => measureCell(machine, scene, { customers, sendsPerSecond, hold, group });
  try {
    // The engine sees its quota at its start, as in a container.
    return await withAgent(machine, measure, group === null ? start : () => group.start(start));
  } finally {
    await group?.release();
  }
}

async function measureCell(
  machine: Machine,
  { url, database, session: { name: session }, outages }: AgentScene,
  { customers, sendsPerSecond, hold, group }: Asked & { group: Group | null },
): Promise<Cell> {
  // A turn asks the model once, or once more when it is begun anew.
  const replies = Array.from({ length: customers * 2 }, () => ({ hangMs: MODEL_MS }));
  await machine.sandbox('POST', '/llm/script', { replies });
  await group?.lift();
  const scene = { machine, url, session, chats: await warmUp(machine, { url, session, database }) };
  await group?.hold(withChildren(KINDS.flatMap((kind) => machine.pids(kind))));
  const loops = hold !== null && 'loops' in hold ? besideLoops(hold.loops) : null;
  const before = await answersOf(database);
  const sendsBefore = await countOf(database, "origin = 'api'");
  const [startedAt, cpuBefore] = [performance.now(), totalCpu(machine.cpuMs())];
  const over = new AbortController();
  try {
    const writes = customersWrite(scene, customers);
    const sends = dashboardsSend(url, sendsPerSecond, over.signal);
    const texts = new Map<string, number>();
    const isOver = async (): Promise<boolean> =>
      (await answersOf(database)) - before >= customers || performance.now() - startedAt > ENDED_WITHIN_MS;
    while (!(await isOver())) {
      const text = `A person replies, ${texts.size + 1}`;
      texts.set(text, performance.timeOrigin + performance.now());
      await personReplies(scene, texts.size, text);
      await pause(PERSON_REPLIES_EVERY_MS);
    }
    const elapsedMs = performance.now() - startedAt;
    const answersPerSecond = ((await answersOf(database)) - before) / (elapsedMs / 1_000);
    const got = (totalCpu(machine.cpuMs()) - cpuBefore) / elapsedMs / CORES;
    over.abort();
    const { accepted, refused } = await sends;
    await writes;
    const personMs = await agesOf(scene, texts);
    const how = group?.how ?? loops?.how ?? 'alone';
    return {
      how: `${how}, ${customers} customers, ${round(sendsPerSecond)} sends/s`,
      share: hold === null ? 1 : 'cores' in hold ? hold.cores / CORES : got,
      answersPerSecond,
      ...(await left(database)),
      outages: outages(),
      dashboards: { accepted, refused, lost: accepted + sendsBefore - (await countOf(database, "origin = 'api'")) },
      personMs,
    };
  } finally {
    over.abort();
    await loops?.release();
  }
}

interface Scene {
  machine: Machine;
  url: string;
  session: string;
  /** The conversations in which a person replies. */
  chats: readonly string[];
}

async function customersWrite({ machine, session }: Scene, customers: number): Promise<void> {
  for (let index = 0; index < customers; index += 1) {
    await personWrites(machine, session, `1555${FIRST_PERSON + index}`, `Customer ${index} asks`);
    await pause(WRITES_EVERY_MS);
  }
}

/** Sends at this rate until the end, whatever the answers take, and counts those that the engine refuses. */
async function dashboardsSend(
  url: string,
  perSecond: number,
  over: AbortSignal,
): Promise<Pick<Dashboards, 'accepted' | 'refused'>> {
  const counts = { accepted: 0, refused: 0 };
  const underWay: Promise<void>[] = [];
  const startedAt = performance.now();
  const one = async (index: number): Promise<void> => {
    const { path, headers, body } = sendTo(index);
    const answer = await fetch(url + path, { method: 'POST', headers, body });
    await answer.text();
    if (answer.status === 202) counts.accepted += 1;
    else if (answer.status === 503) counts.refused += 1;
    else throw new Error(`A send was answered ${answer.status}.`);
  };
  while (!over.aborted) {
    const due = ((performance.now() - startedAt) / 1_000) * perSecond;
    while (underWay.length < due) underWay.push(one(underWay.length));
    await pause(LOOK_EVERY_MS);
  }
  await Promise.all(underWay);
  return counts;
}

/** Has the agent answer some chats and dashboards send, waits until all is done, and returns the chats. */
async function warmUp(
  machine: Machine,
  { url, session, database }: { url: string; session: string; database: Pool },
): Promise<string[]> {
  for (let chat = 1; chat <= CHATS; chat += 1) {
    await personWrites(machine, session, `1555${FIRST_PERSON - chat}`, 'A customer who wants a person');
    await pause(WRITES_EVERY_MS);
  }
  let index = 0;
  await posts(url, SENDS_BEFORE, () => sendTo(FIRST_WARM + index++));
  for (;;) {
    const open = await countOf(database, "status in ('queued', 'sending')");
    const { rows: found } = await database.query<{ id: string }>(
      `select distinct conversation_id as id from message where origin = 'ai' and sent_at is not null`,
    );
    if (open === 0 && found.length === CHATS) return found.map(({ id }) => id);
    await pause(LOOK_EVERY_MS);
  }
}

async function personReplies({ url, chats }: Scene, index: number, text: string): Promise<void> {
  const conversation = chats[index % chats.length] ?? '';
  const answer = await fetch(`${url}/api/v1/inbox/conversations/${conversation}/messages`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-api-key': MASTER_KEY },
    body: JSON.stringify({ ...TARGET, text }),
  });
  if (answer.status !== 202) throw new Error(`A person's reply was answered ${answer.status}: ${await answer.text()}`);
}

/** The ages of a person's replies when they came to the backend; one that does not come has the longest. */
async function agesOf({ machine, session }: Scene, texts: ReadonlyMap<string, number>): Promise<number[]> {
  const until = performance.now() + PERSON_SENT_WITHIN_MS;
  for (;;) {
    const cameAt = new Map((await arrivals(machine, session)).map(({ body, atMs }) => [body, atMs]));
    if ([...texts.keys()].every((text) => cameAt.has(text)) || performance.now() > until) {
      return [...texts].map(([text, askedAt]) => (cameAt.get(text) ?? askedAt + ENDED_WITHIN_MS) - askedAt);
    }
    await pause(LOOK_EVERY_MS);
  }
}

const answersOf = (database: Pool): Promise<number> => countOf(database, "origin = 'ai' and sent_at is not null");

async function countOf(database: Pool, which: string): Promise<number> {
  const { rows: found } = await database.query<{ n: number }>(
    `select count(*)::int as n from message where direction = 'out' and ${which}`,
  );
  return found[0]?.n ?? 0;
}

async function left(database: Pool): Promise<Pick<Cell, 'forgotten' | 'expired' | 'stale'>> {
  const { rows: found } = await database.query<Pick<Cell, 'forgotten' | 'expired' | 'stale'>>(`
    select (select count(*)::int from message m join conversation c on c.id = m.conversation_id
        where m.awaits_turn and not is_owed_to_people(c, now())) as forgotten,
      (select count(*)::int from message where direction = 'out' and error_code = 'expired') as expired,
      (select count(*)::int from ai_turn where silence_code = 'stale') as stale`);
  const [counts] = found;
  if (!counts) throw new Error('The statement has not answered.');
  return counts;
}
