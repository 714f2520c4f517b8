import { randomUUID } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { sql } from 'kysely';
import { createStepActivities } from '../../../activities/automations/steps.ts';
import { handOver, takeOverByPerson } from '../../../db/agent/handover.ts';
import { noteActOfPerson } from '../../../db/automations/taken-over.ts';
import { adoptChatId } from '../../../db/conversations/contact.ts';
import { claimAtOnce } from '../../../db/sending/claim.ts';
import { Catalogue } from '../../../domain/automations/definition.ts';
import { askSatisfaction } from '../../../workflows/automations/index.ts';
import { databaseOfThisFile } from '../../db/database-of-this-file.ts';
import { rowsOf } from '../../support/rows.ts';
import { executionScene } from './execution-scene.ts';

const { database, session } = await databaseOfThisFile();
const { sendText, changeHandsFor } = createStepActivities({
  database,
  automations: new Catalogue({ askSatisfaction }),
});
const { anExecution, begins } = executionScene(database, session);
const scope = { ...session, sessionId: null };

const SEEDS = [1, 2, 3, 4, 5, 6, 7, 8];
const STEPS = 24;

/** What the model knows of a run. */
interface Run {
  id: string;
  place: Place;
  besidePeople: boolean;
  steps: number;
  /** Somebody else has done something in its conversation since it began. */
  isOver: boolean;
  /** It has given the conversation to a person, and nobody has done anything since. */
  holds: boolean;
}

/** A conversation, or what several became. */
interface Place {
  id: string;
  chatId: string;
}

function randomOf(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return Math.floor((state / 2_147_483_648) * below);
  };
}

async function modeOf(place: Place): Promise<string> {
  const [found] = await rowsOf(database, sql<{ mode: string }>`select mode from conversation where id = ${place.id}`);
  return found?.mode ?? '';
}

async function claims(messageId: string): Promise<boolean> {
  await rowsOf(database, sql`update message set status = 'sent' where status = 'sending'`);
  await rowsOf(database, sql`update message set released_at = now() where id = ${messageId}`);
  const claim = { token: randomUUID(), owner: database.wakeups.owner, chosenNetworkId: null };
  return (await database.statement((tx) => claimAtOnce(tx, messageId, claim))).claim === 'claimed';
}

describe('persons, the agent, several runs and merges in any order', () => {
  it.each(SEEDS)('never have a run speak over a person, nor take from one (seed %i)', async (seed) => {
    const random = randomOf(seed);
    const first = await anExecution();
    const second = await anExecution();
    const places: Place[] = [first, second].map(({ conversationId, chatId }) => ({
      id: conversationId,
      chatId,
    }));
    const aRun = (id: string, place: Place, besidePeople: boolean): Run => ({
      id,
      place,
      besidePeople,
      steps: 0,
      isOver: false,
      holds: false,
    });
    const runs = [first, second].map(({ executionId }, at) =>
      aRun(executionId, places[at] ?? { id: '', chatId: '' }, false),
    );
    const said: { messageId: string; run: Run }[] = [];
    const pick = <T>(from: readonly T[]): T => {
      const found = from[random(from.length)];
      if (found === undefined) throw new Error('There is nothing to pick from.');
      return found;
    };
    const others = (place: Place, but?: Run): void => {
      for (const run of runs) {
        if (run.place !== place || run === but) continue;
        run.isOver = true;
        run.holds = false;
      }
    };
    const stepOf = (run: Run, name: string) => ({
      executionId: run.id,
      number: (run.steps += 1),
      name,
      besidePeople: run.besidePeople,
    });

    const does: Record<string, () => Promise<void>> = {
      begins: async () => {
        const place = pick(places);
        runs.push(aRun(await begins(place.id), place, random(2) === 0));
      },
      says: async () => {
        const run = pick(runs);
        const mode = await modeOf(run.place);
        const taken = await sendText({ ...stepOf(run, 'send'), text: 'thanks' });
        if (run.isOver && !run.besidePeople) expect(taken).toEqual({ stop: 'taken_over' });
        if (run.besidePeople || (!run.isOver && mode === 'bot_active')) expect(taken.stop).toBeNull();
        const messageId = taken.stop === null ? taken.detail['messageId'] : null;
        if (typeof messageId === 'string') said.push({ messageId, run });
      },
      assigns: async () => {
        const run = pick(runs);
        const step = stepOf(run, 'assignHuman');
        const taken = await changeHandsFor({ ...step, to: 'person', assignee: 'ann', reason: null });
        if (run.isOver && !run.besidePeople) expect(taken).toEqual({ stop: 'taken_over' });
        if (taken.stop !== null) return;
        others(run.place, run);
        run.holds = true;
      },
      gives: async () => {
        const run = pick(runs);
        const before = await modeOf(run.place);
        await changeHandsFor({ ...stepOf(run, 'release'), to: 'agent', assignee: null, reason: null });
        if (before === 'human_takeover' && !run.holds) expect(await modeOf(run.place)).toBe('human_takeover');
        run.holds = false;
      },
      writes: async () => {
        const place = pick(places);
        const cause = pick(['reply', 'phone'] as const);
        await database.transaction((tx) => takeOverByPerson(tx, scope, place.id, { cause, actor: 'ann' }));
        others(place);
      },
      acts: async () => {
        const place = pick(places);
        await database.transaction((tx) => noteActOfPerson(tx, place.id));
        others(place);
      },
      releases: async () => {
        const to = { mode: 'bot_active', cause: 'release' } as const;
        const place = pick(places);
        await database.transaction((tx) => handOver(tx, scope, place.id, to));
        for (const run of runs) if (run.place === place) run.holds = false;
      },
      merges: async () => {
        const [into, from] = places;
        if (into === undefined || from === undefined) return;
        const modes = [await modeOf(into), await modeOf(from)];
        const id = await database.transaction((tx) => adoptChatId(tx, into.id, from.chatId));
        // A takeover of either holds for both, so the runs of the other are over.
        if (modes[0] !== modes[1]) others(modes[0] === 'bot_active' ? into : from);
        for (const run of runs) if (run.place === from) run.place = into;
        places.splice(1, 1);
        into.id = id;
      },
      claims: async () => {
        if (said.length === 0) return;
        const { messageId, run } = pick(said);
        const mayGo = run.besidePeople || !run.isOver;
        if (!mayGo)
          expect({ step: 'claim', claimed: await claims(messageId) }).toEqual({ step: 'claim', claimed: false });
      },
    };
    const names = [
      'begins',
      'says',
      'says',
      'says',
      'assigns',
      'gives',
      'writes',
      'acts',
      'releases',
      'merges',
      'claims',
      'claims',
    ];
    for (let step = 0; step < STEPS; step += 1) await does[pick(names)]?.();
    for (const { messageId, run } of said) {
      if (run.isOver && !run.besidePeople) expect(await claims(messageId)).toBe(false);
    }
  });
});
