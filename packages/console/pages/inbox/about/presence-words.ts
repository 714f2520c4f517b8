import type { Viewer } from '../../../../typescript/src/index.ts';

const nameOf = ({ name }: Viewer): string => name ?? 'A colleague';

const listOf = (names: readonly string[]): string =>
  names.length < 2 ? (names[0] ?? '') : `${names.slice(0, -1).join(', ')} and ${names.at(-1) ?? ''}`;

/** Says which colleagues have the chat open. A person who writes comes first: two answers would reach the customer. */
export const presenceText = (others: readonly Viewer[]): string | null => {
  const names = (state: Viewer['state']): string[] => [
    ...new Set(others.filter((one) => one.state === state).map(nameOf)),
  ];
  const writing = names('writing');
  if (writing.length > 0) return `${listOf(writing)} ${writing.length === 1 ? 'is' : 'are'} writing …`;
  const reading = names('reading');
  if (reading.length === 0) return null;
  return `${listOf(reading)} ${reading.length === 1 ? 'has' : 'have'} this chat open`;
};
