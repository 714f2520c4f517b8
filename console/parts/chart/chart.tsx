import type { ComponentChildren } from 'preact';
import { Table } from '../table.tsx';
import { heightOf, labelEvery, slotsOf, ticksOf } from './scale.ts';

export interface Series {
  name: string;
  /** Null where there is nothing to show, which is not the same as 0. */
  values: readonly (number | null)[];
}

export interface ChartProps {
  /** What it shows, in a sentence: it stands above the chart, and names it for screen readers. */
  title: string;
  /** What stands below each group of bars. */
  labels: readonly string[];
  series: readonly Series[];
  /** The head of the labels' column in the table. */
  of: string;
  show?: (value: number) => ComponentChildren;
  /** True for what has parts of a unit, such as money. */
  isFine?: boolean;
}

const WIDTH = 640;
const HEIGHT = 180;
const LEFT = 56;
const BELOW = 22;
const MAX_LABELS = 8;
const plain = new Intl.NumberFormat('en', { maximumFractionDigits: 4 });

/** Bars over time, in numbers also as a table. The pattern of the second series tells it without its colour. */
export const Chart = ({
  title,
  labels,
  series,
  of,
  show = (value) => plain.format(value),
  isFine = false,
}: ChartProps) => {
  const greatest = Math.max(0, ...series.flatMap(({ values }) => values.map((value) => value ?? 0)));
  const ticks = ticksOf(greatest, 4, !isFine);
  const top = ticks.at(-1) ?? 1;
  const slots = slotsOf(labels.length, series.length, WIDTH - LEFT);
  const every = labelEvery(labels.length, MAX_LABELS);
  const yOf = (value: number): number => HEIGHT - (value / top) * HEIGHT;
  const rows = labels.map((label, place) => ({ label, place }));
  return (
    <figure class="chart stack">
      <figcaption class="spread">
        <span>{title}</span>
        {series.length > 1 && (
          <span class="row small" aria-hidden="true">
            {series.map(({ name }, which) => (
              <span key={name} class={`legend s${which}`}>
                {name}
              </span>
            ))}
          </span>
        )}
      </figcaption>
      <svg
        viewBox={`0 -8 ${WIDTH} ${HEIGHT + BELOW + 8}`}
        role="img"
        aria-label={`${title}. The numbers are in the table below.`}
      >
        {ticks.map((tick) => (
          <g key={tick}>
            <line class="rule" x1={LEFT} x2={WIDTH} y1={yOf(tick)} y2={yOf(tick)} />
            <text x={LEFT - 6} y={yOf(tick) + 4} text-anchor="end">
              {plain.format(tick)}
            </text>
          </g>
        ))}
        {slots.map((bars, place) =>
          bars.map(({ x, width }, which) => {
            const high = heightOf(series[which]?.values[place] ?? 0, top, HEIGHT);
            return (
              high > 0 && (
                <rect
                  key={`${place} ${which}`}
                  class={`s${which}`}
                  x={LEFT + x}
                  y={HEIGHT - high}
                  width={width}
                  height={high}
                />
              )
            );
          }),
        )}
        {labels.map(
          (label, place) =>
            place % every === 0 && (
              <text
                key={label}
                x={LEFT + ((place + 0.5) * (WIDTH - LEFT)) / labels.length}
                y={HEIGHT + 16}
                text-anchor="middle"
              >
                {label}
              </text>
            ),
        )}
      </svg>
      <details>
        <summary>Show as a table</summary>
        <Table
          caption={title}
          rows={rows}
          rowKey={({ place }) => String(place)}
          empty="Nothing yet."
          columns={[
            { head: of, cell: ({ label }) => label },
            ...series.map(({ name, values }) => ({
              head: name,
              numeric: true,
              cell: ({ place }: { place: number }) => {
                const value = values[place] ?? null;
                return value === null ? '–' : show(value);
              },
            })),
          ]}
        />
      </details>
    </figure>
  );
};
