import { Table } from '../table.tsx';
import type { Unit } from '../times.ts';
import { usePlot } from './plot.ts';
import type { Series } from './series.ts';
import { locale, t } from '../words/t.ts';

export interface ChartProps {
  /** The sentence above the chart, which also names it for screen readers. */
  title: string;
  /** The label below each group of bars. */
  labels: readonly string[];
  series: readonly Series[];
  /** The head of the labels' column in the table. */
  of: string;
  /** A value as people read it, in the table. */
  show?: (value: number) => string;
  /** Returns the unit of the axis, by its greatest value. */
  unit?: (greatest: number) => Unit;
  /** True for what has parts of a unit, such as money. */
  isFine?: boolean;
}

const NO_UNIT: Unit = { name: '', size: 1 };
const plain = new Intl.NumberFormat(locale, { maximumFractionDigits: 4 });
const asPlain = (value: number): string => plain.format(value);

/** Bars over time, in numbers also as a table. The pattern of the second series tells it without its colour. */
export const Chart = ({
  title,
  labels,
  series,
  of,
  show = asPlain,
  unit = () => NO_UNIT,
  isFine = false,
}: ChartProps) => {
  const greatest = Math.max(0, ...series.flatMap(({ values }) => values.map((value) => value ?? 0)));
  const place = usePlot({ labels, of, series, show, unit: unit(greatest), isFine });
  const rows = labels.map((label, at) => ({ label, at }));
  return (
    <figure class="chart stack">
      <figcaption>{title}</figcaption>
      <div ref={place} class="plot" role="img" aria-label={t('{0}. The numbers are in the table below.', title)} />
      <details>
        <summary>{t('Show as a table')}</summary>
        <Table
          caption={title}
          rows={rows}
          rowKey={({ at }) => String(at)}
          empty={t('Nothing yet.')}
          columns={[
            { head: of, cell: ({ label }) => label },
            ...series.map(({ name, values }) => ({
              head: name,
              numeric: true,
              cell: ({ at }: { at: number }) => {
                const value = values[at] ?? null;
                return value === null ? '–' : show(value);
              },
            })),
          ]}
        />
      </details>
    </figure>
  );
};
