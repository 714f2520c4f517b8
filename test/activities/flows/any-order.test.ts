import { afterAll, describe, expect, it } from '@jest/globals';
import { createCallActivities } from '../../../activities/automations/calls.ts';
import { createLabelActivities } from '../../../activities/automations/labels.ts';
import { createFlowCallActivities, createFlowLabelActivities } from '../../../activities/flows/calls.ts';
import type { FlowStep } from '../../../activities/flows/steps.ts';
import type { CallAnswer, CallRequest } from '../../../adapters/egress/call.ts';
import { handOver } from '../../../db/agent/handover.ts';
import { endExecution } from '../../../db/automations/execution.ts';
import { addVersion, lockFlow } from '../../../db/flows/flow.ts';
import { Catalogue } from '../../../domain/automations/definition.ts';
import { createFairSlots } from '../../../domain/fair-slots.ts';
import { createEvaluator, Todo } from '../../../domain/flows/index.ts';
import { EQUAL_SHARES } from '../../../domain/shares.ts';
import { seeded } from '../../../local/sandbox/random.ts';
import { everywhere } from '../../adapters/backend/only-backend.ts';
import { databaseOfThisFile } from '../../db/database-of-this-file.ts';
import { watched } from '../../db/round-trips.ts';
import { flowOf, HEAD, walk } from '../../domain/flows/walk.ts';
import type { Walked } from '../../domain/flows/walk.ts';
import { howMany } from '../../support/depth.ts';
import { ago, changeRows, findRows } from '../../support/rows.ts';
import { inActivity } from '../in-activity.ts';
import { flowScene } from './flow-scene.ts';
import { answerTo, randomTasks, statusOfOrder, worldOf } from './random-tasks.ts';

const { database, session } = await databaseOfThisFile();
const real = flowScene(database, session);
/** Called before each read and each transaction of a step: between two of them, a process can die. */
let between: () => Promise<void> = async () => undefined;
const mortal = watched(database, () => between());
const { step } = flowScene(mortal, session);

const posted: CallRequest[] = [];
const egress = {
  post: () => Promise.reject(new Error('No endpoint is called.')),
  async call(request: CallRequest): Promise<CallAnswer> {
    posted.push(request);
    const status = statusOfOrder(JSON.parse(request.body ?? ''));
    return { outcome: 'answered', status, contentType: 'application/json', text: '{"ok":true}' };
  },
};
const shares = EQUAL_SHARES;
const calls = createCallActivities({ database: mortal, egress, automations: new Catalogue({}), shares });
const { requestInFlow } = createFlowCallActivities({ database: mortal, egress, shares }, calls);
const labels = createLabelActivities({
  database: mortal,
  backends: everywhere({
    listLabels: async () => [{ id: '2', name: 'VIP', color: 1, colorHex: null }],
    listLabelsOfChat: async () => [],
    setLabelsOfChat: async () => null,
  }),
  limits: everywhere(createFairSlots({ perOwner: 4, inAll: 64 })),
});
const { labelInFlow } = createFlowLabelActivities({ database: mortal }, labels);
const { evaluate, close } = createEvaluator();
afterAll(close);

const SEEDS = Array.from({ length: howMany({ few: 6, all: 250 }) }, (_, index) => `seed ${index + 1}`);
/** More than any of these definitions takes. */
const MAX_TURNS = 1_000;
const DEATH = 0.15;
const VERSION = 0.05;
const TWICE = 0.15;
/** The moments in which a takeover may come. Short runs are over before the last of them. */
const MOMENTS = 60;

/** Counts over all seeds, because a test without any of these would prove nothing. */
const met = { deaths: 0, takeovers: 0, versions: 0, ends: 0 };

interface Run {
  executionId: string;
  conversationId: string;
  chatId: string;
}

const messagesOf = ({ executionId }: Run) =>
  findRows(database, 'message', { executionId }, ['body', 'status'], 'chatSeq');
const bodiesOf = async (run: Run): Promise<string[]> => (await messagesOf(run)).map(({ body }) => body ?? '');

const textsOf = ({ did }: Walked): string[] =>
  did.flatMap((todo) => {
    const text = todo.do === 'call' ? todo.input['text'] : undefined;
    return typeof text === 'string' ? [text] : [];
  });

/** The definition changes while the run is on its way. False before the run has begun. */
async function changeDefinition({ executionId }: Run): Promise<boolean> {
  const [begun] = await findRows(database, 'flowRun', { executionId }, ['flowId']);
  if (begun === undefined) return false;
  const source = JSON.stringify({ ...HEAD, do: [{ other: { call: 'send', with: { text: 'Of another version' } } }] });
  await database.transaction(async (tx) => {
    const flow = await lockFlow(tx, session.agencyId, begun.flowId);
    if (flow) await addVersion(tx, flow, { title: 'Changed', form: 'json', source, keyId: 'key_test' });
  });
  return true;
}

async function takeOver({ conversationId }: Run): Promise<void> {
  const to = { mode: 'human_takeover', cause: 'assign' } as const;
  await database.transaction((tx) => handOver(tx, { ...session, sessionId: null }, conversationId, to));
}

/** Drives a run as its workflow does, and repeats each activity that has died. */
async function drive(run: Run, { seed, random }: { seed: string; random: () => number }, hasDied: () => boolean) {
  const { executionId, chatId } = run;
  const written = new Set<string>();
  const survive = async <T>(attempt: () => Promise<T>): Promise<T> => {
    for (;;) {
      try {
        return await attempt();
      } catch (error) {
        if (!hasDied()) throw error;
        // The right to label the chat, which a dead process cannot give back, ends with its time.
        await changeRows(database, 'labelLease', { leasedUntil: ago({ minutes: 5 }) });
      }
    }
  };
  let over: number | null = null;
  for (let turn = 0; turn < MAX_TURNS; turn += 1) {
    const given: number | null = over;
    // A process that was believed dead takes the same step beside the next one.
    if (random() < TWICE) await Promise.allSettled([step(executionId, given), step(executionId, given)]);
    hasDied();
    const taken: FlowStep = await survive(() => step(executionId, given));
    over = null;
    if (taken.is === 'ended' || taken.is === 'stopped') return taken;
    if (taken.is === 'outside') {
      const at = { executionId, number: taken.number, path: taken.path };
      const reach = taken.name === 'label' ? labelInFlow : requestInFlow;
      const { stop } = await survive(() => inActivity(reach, at));
      if (stop !== null) return { is: 'stopped' as const, reason: stop };
    } else if (taken.is === 'waiting') {
      const [row] = await findRows(database, 'flowRun', { executionId }, ['todo']);
      const todo = Todo.parse(row?.todo);
      const words = todo.do === 'call' ? answerTo(seed, todo) : null;
      if (words === null) over = taken.number;
      else if (!written.has(words)) await real.writes(chatId, words);
      if (words !== null) written.add(words);
    }
  }
  throw new Error('The run has no end.');
}

describe('a stored workflow beside deaths of its worker, a takeover and new versions', () => {
  it.each(SEEDS)('says each text once and in its order, and nothing over a person (%s)', async (seed) => {
    const random = seeded(seed);
    const tasks = randomTasks(seed);
    const expected = await walk(flowOf(tasks), { evaluate, world: worldOf(seed) });
    const run = await real.aRun(tasks);
    const takesOverAt = random() < 0.5 ? Math.floor(random() * MOMENTS) : null;
    const before: { said: string[] | null; asked: number } = { said: null, asked: 0 };
    let moment = 0;
    let died = false;
    posted.length = 0;
    between = async () => {
      const now = moment;
      moment += 1;
      if (now === takesOverAt) {
        await takeOver(run);
        Object.assign(before, { said: await bodiesOf(run), asked: posted.length });
        met.takeovers += 1;
      }
      if (random() < VERSION && (await changeDefinition(run))) met.versions += 1;
      if (random() >= DEATH) return;
      died = true;
      met.deaths += 1;
      throw new Error('The process has died.');
    };
    const hasDied = (): boolean => {
      const was = died;
      died = false;
      return was;
    };
    const last = await drive(run, { seed, random }, hasDied);
    between = async () => undefined;

    const [texts, expectedTexts] = [await bodiesOf(run), textsOf(expected)];
    const steps = await findRows(database, 'automationStep', { executionId: run.executionId }, ['path'], 'number');
    const paths = steps.map(({ path }) => path).filter((path, at, all) => path !== all[at - 1]);
    const expectedPaths = expected.did.map(({ path }) => path).filter((path, at, all) => path !== all[at - 1]);
    expect(expectedPaths.slice(0, paths.length)).toEqual(paths);
    const keys = new Set(posted.map(({ headers }) => headers['idempotency-key']));
    const requests = expected.did.filter((todo) => todo.do === 'call' && todo.name === 'http');
    if (last.is === 'stopped') {
      expect(last.reason).toBe('taken_over');
      expect(texts).toEqual(before.said);
      expect(posted).toHaveLength(before.asked);
      expect(expectedTexts.slice(0, texts.length)).toEqual(texts);
      expect(keys.size).toBeLessThanOrEqual(requests.length);
      await database.transaction((tx) =>
        endExecution(tx, run.executionId, { status: 'cancelled', reason: last.reason }),
      );
      // The rest of what it said is not sent either.
      const statuses = (await messagesOf(run)).map(({ status }) => status);
      expect(statuses.filter((status) => status !== 'cancelled')).toEqual([]);
      expect(await real.stateOf(run.executionId)).toMatchObject({ status: 'cancelled', reason: 'taken_over' });
    } else {
      met.ends += 1;
      expect(last).toEqual({ is: 'ended', end: { status: 'completed', reason: null } });
      expect(texts).toEqual(expectedTexts);
      expect(paths).toEqual(expectedPaths);
      expect(keys.size).toBe(requests.length);
      // The takeover came after the last words.
      if (before.said !== null) expect(texts).toEqual(before.said);
    }
  });

  it('met all of these', () => {
    expect(Object.entries(met).filter(([, times]) => times === 0)).toEqual([]);
  });
});
