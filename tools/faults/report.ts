import type { Ground } from './ground.ts';
import type { Ledger } from './sends/ledger.ts';
import { reasonOf } from './sends/passports.ts';
import type { Settled } from './sends/settle.ts';

export interface Round {
  number: number;
  title: string;
  /** A description of what the fault did. */
  note: string;
  seconds: number;
}

const COLUMNS = ['#', 'fault', 'accepted', 'retried', 'once', 'uncertain', 'wrong', 'seconds', 'what was done'];

/** Makes a table with a line for each round: the sends that were accepted, and their outcomes. */
export function table(rounds: readonly Round[], ledger: Ledger, { violations, passports, arrived }: Settled): string {
  const lines = rounds.map(({ number, title, note, seconds }) => {
    const inRound = (each: { round: number }): boolean => each.round === number;
    const accepted = ledger.acceptedIn(number);
    return [
      String(number),
      title,
      accepted.length,
      ledger.retried.filter(inRound).length,
      accepted.filter(({ text }) => arrived.get(text) === 1).length,
      accepted.filter(({ messageId }) => passports.get(messageId)?.status === 'uncertain').length,
      violations.filter(inRound).length,
      seconds.toFixed(1),
      note,
    ].map(String);
  });
  return aligned([COLUMNS, ...lines]);
}

/**
 * Makes a line for each uncertain message, with the engine's reason and the number of times that it reached the
 * network.
 */
export function uncertainLines(ledger: Ledger, { passports, arrived }: Settled): string[] {
  return ledger.accepted.flatMap(({ round, text, messageId }) => {
    const passport = passports.get(messageId);
    if (passport?.status !== 'uncertain') return [];
    const truth = arrived.has(text) ? 'it did arrive' : 'it did not arrive';
    return [`uncertain: "${text}" (${messageId}), round ${round}: ${reasonOf(passport)}; ${truth}`];
  });
}

export function eventsLine({ receiver }: Ground): string {
  const events = receiver.events();
  const repeated = receiver.deliveries.length - events.length;
  return (
    `${events.length} events came, each signed, each conversation in order; ${repeated} came again under the same id, ` +
    `${receiver.refused} attempts were refused on purpose.`
  );
}

function aligned(rows: readonly (readonly string[])[]): string {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  return rows
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}
