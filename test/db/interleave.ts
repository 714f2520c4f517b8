import { setTimeout as pause } from 'node:timers/promises';
import type { Stepped } from './sending/stepped.ts';

/** A race that has not begun: its transactions stop after each of their statements. */
export interface Race {
  transactions: Stepped<unknown>[];
  /** Called once all of them are over, with the order in which they went. */
  check: (order: string) => Promise<void>;
}

/** Longer than PostgreSQL takes to find a deadlock and choose its victim. */
const STUCK_AFTER_MS = 5_000;
const LOOK_EVERY_MS = 5;
const MAX_ORDERS = 400;

/**
 * Runs a race in every order of its statements in which one that could go on is made to wait for others at most so many
 * times: one that waits for another's lock cannot go, so most of the other orders are the same ones. Returns how many
 * there were.
 */
export async function inEveryOrder(interruptions: number, begin: () => Promise<Race>): Promise<number> {
  let chosen: number[] = [];
  for (let orders = 1; orders <= MAX_ORDERS; orders += 1) {
    const choices = await run(await begin(), chosen, interruptions);
    // The last choice that leaves another one is the one to change.
    while (choices.length > 0 && isLast(choices.at(-1))) choices.pop();
    if (choices.length === 0) return orders;
    chosen = choices.map(({ taken }) => taken);
    chosen.push((chosen.pop() ?? 0) + 1);
  }
  throw new Error(`There are more than ${MAX_ORDERS} orders.`);
}

interface Choice {
  taken: number;
  of: number;
}

function isLast(choice: Choice | undefined): boolean {
  return choice === undefined || choice.taken + 1 >= choice.of;
}

async function run({ transactions, check }: Race, chosen: readonly number[], interruptions: number): Promise<Choice[]> {
  const choices: Choice[] = [];
  let order = '';
  let last: Stepped<unknown> | undefined;
  let left = interruptions;
  for (const transaction of transactions) await transaction.step();
  while (transactions.some(({ over }) => !over)) {
    const able = transactions.filter(({ over, blocked }) => !over && !blocked);
    if (able.length === 0) {
      await untilOneMoves(transactions, order);
      continue;
    }
    // The running actor comes first, so that a choice of 0 interrupts nobody.
    const mayGoOn = last !== undefined && able.includes(last);
    able.sort((a, b) => Number(b === last) - Number(a === last));
    const of = mayGoOn && left === 0 ? 1 : able.length;
    const taken = Math.min(chosen[choices.length] ?? 0, of - 1);
    choices.push({ taken, of });
    const goes = able[taken];
    if (!goes) break;
    if (mayGoOn && goes !== last) left -= 1;
    last = goes;
    order += String.fromCharCode(97 + transactions.indexOf(goes));
    await goes.step();
    // Only the end of a transaction gives its locks back.
    if (goes.over) for (const waiting of transactions.filter(({ blocked }) => blocked)) await waiting.step();
  }
  await check(order);
  return choices;
}

/** All wait for each other: PostgreSQL ends one of them, which begins again. */
async function untilOneMoves(transactions: readonly Stepped<unknown>[], order: string): Promise<void> {
  // Only the pauses count: a busy machine takes longer for each look.
  for (let pausedMs = 0; pausedMs < STUCK_AFTER_MS; pausedMs += LOOK_EVERY_MS) {
    for (const transaction of transactions) await transaction.step();
    if (transactions.some(({ blocked, over }) => !blocked && !over)) return;
    if (transactions.every(({ over }) => over)) return;
    await pause(LOOK_EVERY_MS);
  }
  throw new Error(`They wait for each other for ever after ${order}.`);
}
