import { randomUUID } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { createStepActivities } from '../../../activities/automations/steps.ts';
import { handOver, takeOverByPerson } from '../../../db/agent/handover.ts';
import { noteActOfPerson } from '../../../db/sending/runs-taken-over.ts';
import { adoptChatId } from '../../../db/conversations/contact.ts';
import { unmergeContact } from '../../../db/network/unmerge/unmerge.ts';
import { claimAtOnce } from '../../../db/sending/claim.ts';
import { Catalogue } from '../../../domain/automations/definition.ts';
import { askSatisfaction } from '../../../workflows/automations/index.ts';
import { anAgent } from '../../db/agent/a-turn.ts';
import { databaseOfThisFile } from '../../db/database-of-this-file.ts';
import { ago, changeRows, databaseNow, findRows, not } from '../../support/rows.ts';
import { executionScene } from './execution-scene.ts';

const { database, session } = await databaseOfThisFile();
const { sendText, changeHandsFor } = createStepActivities({
  database,
  automations: new Catalogue({ askSatisfaction }),
});
const { anExecution, begins, writes: hears } = executionScene(database, session);
const agent = anAgent(database, session.id);
const scope = { ...session, sessionId: null };

const SEEDS = [1, 2, 3, 4, 5, 6, 7, 8];
const STEPS = 48;

/** The model's state of a run. */
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
  contactId: string;
  /** A merge of it was undone, so nothing merges it again. */
  isApart: boolean;
}

/** An answer of the agent, as the model knows it. */
interface Answer {
  messageId: string;
  place: Place;
  /** A person has the conversation since, or it was one with another when the agent wrote it, and is no more. */
  isOver: boolean;
}

/** A merge that is not undone. */
interface Merged {
  stays: Place;
  goes: Place;
  /** The content of the conversation that went. */
  runs: Run[];
  answers: Answer[];
  /** Counts the answers that the agent had given before. */
  before: number;
}

function randomOf(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return Math.floor((state / 2_147_483_648) * below);
  };
}

async function modeOf(place: Place): Promise<string> {
  const [found] = await findRows(database, 'conversation', { id: place.id }, ['mode']);
  return found?.mode ?? '';
}

async function contactOf(conversationId: string): Promise<string> {
  const [found] = await findRows(database, 'conversation', { id: conversationId }, { id: 'contactId' });
  return found?.id ?? '';
}

async function claims(messageId: string): Promise<boolean> {
  await changeRows(database, 'message', { status: 'sent' }, { status: 'sending' });
  await changeRows(database, 'message', { releasedAt: databaseNow }, { id: messageId });
  const claim = { token: randomUUID(), owner: database.wakeups.owner, chosenNetworkId: null };
  return (await database.statement((tx) => claimAtOnce(tx, messageId, claim))).claim === 'claimed';
}

/** The agent's answer that waits in a conversation and is none of these. */
async function newAnswerIn(place: Place, known: readonly Answer[]): Promise<string | undefined> {
  const found = await findRows(
    database,
    'message',
    { conversationId: place.id, origin: 'ai', status: 'queued', id: not(known.map(({ messageId }) => messageId)) },
    ['id'],
  );
  return found[0]?.id;
}

/** The seeds in which the agent has answered. */
const answered = new Set<number>();
/** The seeds in which a merge was undone. */
const parted = new Set<number>();

describe('persons, the agent, several runs, merges and their ends in any order', () => {
  it.each(SEEDS)('never have a run or the agent speak over a person, nor take from one (seed %i)', async (seed) => {
    await agent.startOver();
    const random = randomOf(seed);
    const scenes = [await anExecution(), await anExecution(), await anExecution()];
    const places: Place[] = [];
    for (const { conversationId: id, chatId } of scenes)
      places.push({ id, chatId, contactId: await contactOf(id), isApart: false });
    const aRun = (id: string, place: Place, besidePeople: boolean): Run => ({
      id,
      place,
      besidePeople,
      steps: 0,
      isOver: false,
      holds: false,
    });
    const runs = scenes.flatMap(({ executionId }, at) =>
      places.slice(at, at + 1).map((place) => aRun(executionId, place, false)),
    );
    const merged: Merged[] = [];
    const answers: Answer[] = [];
    const said: { messageId: string; run: Run }[] = [];
    const pick = <T>(from: readonly T[]): T => {
      const found = from[random(from.length)];
      if (found === undefined) throw new Error('There is nothing to pick from.');
      return found;
    };
    const silenced = (place: Place): void => {
      for (const answer of answers) if (answer.place === place) answer.isOver = true;
    };
    const others = (place: Place, but?: Run): void => {
      // Somebody has the conversation from now on.
      silenced(place);
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
        const holders = runs.filter(({ holds }) => holds);
        const run = pick(holders.length > 0 && random(2) === 0 ? holders : runs);
        const before = await modeOf(run.place);
        await changeHandsFor({ ...stepOf(run, 'release'), to: 'agent', assignee: null, reason: null });
        if (before === 'human_takeover') expect(await modeOf(run.place)).toBe(run.holds ? 'bot_active' : before);
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
        // It takes nothing from the agent.
        for (const run of runs) if (run.place === place) Object.assign(run, { isOver: true, holds: false });
      },
      answers: async () => {
        const place = pick(places);
        const mode = await modeOf(place);
        await hears(place.chatId, 'And what does it cost?');
        // The agent lets a run speak first that has just begun.
        await changeRows(database, 'automationExecution', { createdAt: ago({ minutes: 1 }) });
        // Only an answer of its own words is no duplicate.
        agent.script({ outcome: 'reply', text: `Answer ${randomUUID()}` });
        await agent.settle(place.id);
        const messageId = await newAnswerIn(place, answers);
        if (messageId === undefined) return;
        expect(mode).toBe('bot_active');
        answers.push({ messageId, place, isOver: false });
        answered.add(seed);
      },
      sendsAnswer: async () => {
        if (answers.length === 0) return;
        const { messageId, place, isOver } = pick(answers);
        if (isOver || (await modeOf(place)) === 'human_takeover') expect(await claims(messageId)).toBe(false);
      },
      releases: async () => {
        const to = { mode: 'bot_active', cause: 'release' } as const;
        const place = pick(places);
        await database.transaction((tx) => handOver(tx, scope, place.id, to));
        for (const run of runs) if (run.place === place) run.holds = false;
      },
      merges: async () => {
        const [one, other] = places.filter(({ isApart }) => !isApart);
        if (one === undefined || other === undefined) return;
        const modes = [await modeOf(one), await modeOf(other)];
        const id = await database.transaction((tx) => adoptChatId(tx, one.id, other.chatId));
        const [stays, goes] = id === one.id ? [one, other] : [other, one];
        // A takeover of either holds for both, so the runs of the other are over.
        if (modes[0] !== modes[1]) {
          others(modes[0] === 'bot_active' ? one : other);
          silenced(modes[0] === 'bot_active' ? other : one);
        }
        // Two persons have it: no run may give it back.
        if (modes[0] === 'human_takeover' && modes[1] === 'human_takeover')
          for (const run of runs) if (run.place === one || run.place === other) run.holds = false;
        const moved = {
          runs: runs.filter(({ place }) => place === goes),
          answers: answers.filter(({ place }) => place === goes),
        };
        for (const each of [...moved.runs, ...moved.answers]) each.place = stays;
        places.splice(places.indexOf(goes), 1);
        merged.push({ stays, goes, ...moved, before: answers.length });
      },
      unmerges: async () => {
        const last = merged.pop();
        if (last === undefined) return;
        const { stays, goes } = last;
        const undone = await database.transaction((tx) => unmergeContact(tx, session.agencyId, goes.contactId));
        expect(undone.outcome).toBe('parted');
        parted.add(seed);
        for (const answer of answers.slice(last.before)) if (answer.place === stays) answer.isOver = true;
        for (const each of [...last.runs, ...last.answers]) each.place = goes;
        for (const place of [stays, goes]) place.isApart = true;
        places.push(goes);
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
      'gives',
      'releases',
      'releases',
      'merges',
      'merges',
      'unmerges',
      'unmerges',
      'answers',
      'answers',
      'answers',
      'answers',
      'sendsAnswer',
      'claims',
      'claims',
    ];
    for (let step = 0; step < STEPS; step += 1) await does[pick(names)]?.();
    for (const { messageId, run } of said) {
      if (run.isOver && !run.besidePeople) expect(await claims(messageId)).toBe(false);
    }
    for (const { messageId, place, isOver } of answers)
      if (isOver || (await modeOf(place)) === 'human_takeover') expect(await claims(messageId)).toBe(false);
  });

  it('have answered, and were taken apart, in most of these sequences', () => {
    expect(answered.size).toBeGreaterThan(SEEDS.length / 2);
    expect(parted.size).toBeGreaterThan(SEEDS.length / 2);
  });
});
