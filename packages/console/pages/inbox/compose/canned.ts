import { signal } from '@preact/signals';
import type { CannedAnswer } from '../../../../typescript/src/index.ts';
import { allOf } from '../../../parts/all-of.ts';
import { toFailure } from '../../../parts/failure.ts';
import type { Failure } from '../../../parts/failure.ts';
import { engine, isGuest, mayDo, who } from '../../../shell/engine.ts';

const AT_ONCE = 100;
const FRESH_MS = 60_000;

interface Known {
  /** The client that read them: another tenant has other answers. */
  by: object | null;
  at: number;
  answers: readonly CannedAnswer[] | undefined;
  problem: Failure | null;
}

const NONE: Known = { by: null, at: -Infinity, answers: undefined, problem: null };
const known = signal<Known>(NONE);

/** The tenant's canned answers, as they were read last. */
export const cannedAnswers = (): Known => (known.value.by === engine.value ? known.value : NONE);

/** The reading that began last. An older one that ends later would show the list from before a change. */
let reading: { by: object; isUnderWay: boolean } | null = null;

const readAnswers = async (): Promise<void> => {
  const client = engine.value;
  const mine = { by: client, isUnderWay: true };
  reading = mine;
  const at = performance.now();
  try {
    const answers = await allOf(client.cannedAnswers.list({ limit: AT_ONCE }));
    if (reading === mine) known.value = { by: client, at, answers, problem: null };
  } catch (error) {
    if (reading === mine)
      known.value = { by: client, at: -Infinity, answers: cannedAnswers().answers, problem: toFailure(error) };
  } finally {
    mine.isUnderWay = false;
  }
};

/** Reads them when somebody needs them, and no more than once a minute. */
export const wantAnswers = (): void => {
  const isOnItsWay = reading?.isUnderWay === true && reading.by === engine.value;
  if (!isOnItsWay && performance.now() - cannedAnswers().at > FRESH_MS) void readAnswers();
};

export const setAnswer = async (shortcut: string, text: string): Promise<void> => {
  await engine.value.cannedAnswers.set(shortcut, { text });
  await readAnswers();
};

export const deleteAnswer = async (shortcut: string): Promise<void> => {
  await engine.value.cannedAnswers.delete(shortcut);
  await readAnswers();
};

/** All accounts of a tenant use the answers, so neither a session's key nor a link changes them. */
export const mayChangeAnswers = (): boolean => mayDo('send') && !isGuest.value && who.value?.kind !== 'session';
