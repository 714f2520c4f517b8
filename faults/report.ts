import type { Ground } from './ground.ts';
import type { Ledger } from './ledger.ts';
import type { Settled } from './settle.ts';

export interface Round {
  number: number;
  title: string;
  /** What the fault did. */
  note: string;
  seconds: number;
}

const COLUMNS = [
  '#',
  'fault',
  'accepted',
  'refused',
  'no answer',
  'arrived',
  'ended',
  'wrong',
  'seconds',
  'what was done',
];

/** A line for each round: what went in, and what became of it. */
export function table(rounds: readonly Round[], ledger: Ledger, { violations, passports, arrived }: Settled): string {
  const lines = rounds.map(({ number, title, note, seconds }) => {
    const inRound = (each: { round: number }): boolean => each.round === number;
    const accepted = ledger.accepted.filter(inRound);
    const reached = accepted.filter(({ text }) => arrived.has(text));
    const ended = accepted.filter(({ messageId }) =>
      ['failed', 'uncertain', 'cancelled'].includes(passports.get(messageId)?.status ?? ''),
    );
    return [
      String(number),
      title,
      accepted.length,
      ledger.refused.filter(inRound).length,
      ledger.unanswered.filter(inRound).length,
      reached.length,
      ended.length,
      violations.filter(inRound).length,
      seconds.toFixed(1),
      note,
    ].map(String);
  });
  return aligned([COLUMNS, ...lines]);
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
