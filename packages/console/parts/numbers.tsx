import { durationOf } from './times.ts';
import { locale, t } from './words/t.ts';

const plain = new Intl.NumberFormat(locale);
const money = new Intl.NumberFormat(locale, { minimumFractionDigits: 2, maximumFractionDigits: 4 });

export const Count = ({ n }: { n: number | null | undefined }) => <>{n == null ? '–' : plain.format(n)}</>;

/** In the currency in which the models are priced, which the engine does not know the name of. */
export const Money = ({ micros }: { micros: number | null | undefined }) => (
  <>{micros == null ? t('not priced') : money.format(micros / 1_000_000)}</>
);

const UNITS = ['bytes', 'kB', 'MB', 'GB', 'TB'] as const;

export const Bytes = ({ n }: { n: number | null | undefined }) => {
  if (n == null) return <>–</>;
  const step = Math.min(UNITS.length - 1, n < 1 ? 0 : Math.floor(Math.log10(n) / 3));
  return <>{`${plain.format(Number((n / 1000 ** step).toPrecision(3)))} ${UNITS[step] ?? ''}`}</>;
};

export const Duration = ({ ms }: { ms: number | null | undefined }) => <>{ms == null ? '–' : durationOf(ms)}</>;
