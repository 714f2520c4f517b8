import type { Viewer } from '../../../../typescript/src/index.ts';
import { t } from '../../../parts/words/t.ts';

const nameOf = ({ name }: Viewer): string => name ?? t('A colleague');

const listOf = (names: readonly string[]): string =>
  names.length < 2 ? (names[0] ?? '') : t('{0} and {1}', names.slice(0, -1).join(', '), names.at(-1) ?? '');

/** Says which colleagues have the chat open. A person who writes comes first: two answers would reach the customer. */
export const presenceText = (others: readonly Viewer[]): string | null => {
  const names = (state: Viewer['state']): string[] => [
    ...new Set(others.filter((one) => one.state === state).map(nameOf)),
  ];
  const writing = names('writing');
  if (writing.length > 0)
    return writing.length === 1 ? t('{0} is writing …', listOf(writing)) : t('{0} are writing …', listOf(writing));
  const reading = names('reading');
  if (reading.length === 0) return null;
  return reading.length === 1
    ? t('{0} has this chat open', listOf(reading))
    : t('{0} have this chat open', listOf(reading));
};
