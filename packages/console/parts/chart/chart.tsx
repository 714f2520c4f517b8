import { useEffect, useRef, useState } from 'preact/hooks';
import { Table } from '../table.tsx';
import type { Unit } from '../times.ts';
import { heightOf, labelEvery, slotsOf, ticksOf } from './scale.ts';
import { locale, t } from '../words/t.ts';

export interface Series {
  name: string;
  /** Null where there is nothing to show, which is not the same as 0. */
  values: readonly (number | null)[];
}

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

/** Until it is known how wide its place is. */
const FIRST_WIDTH = 640;
const HEIGHT = 180;
const LEFT = 56;
const BELOW = 22;
const ABOVE = 8;
/** As wide as a label with some space around it. */
const LABEL_PX = 72;
const NO_UNIT: Unit = { name: '', size: 1 };
const plain = new Intl.NumberFormat(locale, { maximumFractionDigits: 4 });

/** Measures the width of the drawing in pixels: it fills its place, and its words keep their size. */
const useWidth = () => {
  const drawing = useRef<SVGSVGElement>(null);
  const [width, setWidth] = useState(FIRST_WIDTH);
  useEffect(() => {
    const { current } = drawing;
    if (!current) return undefined;
    const watch = new ResizeObserver(() => {
      const now = Math.round(current.getBoundingClientRect().width);
      // A folded or hidden part has no width.
      if (now > LEFT) setWidth(now);
    });
    watch.observe(current);
    return () => watch.disconnect();
  }, []);
  return { drawing, width };
};

/** Bars over time, in numbers also as a table. The pattern of the second series tells it without its colour. */
export const Chart = ({
  title,
  labels,
  series,
  of,
  show = (value) => plain.format(value),
  unit = () => NO_UNIT,
  isFine = false,
}: ChartProps) => {
  const greatest = Math.max(0, ...series.flatMap(({ values }) => values.map((value) => value ?? 0)));
  const { name: unitName, size } = unit(greatest);
  const ticks = ticksOf(greatest / size, 4, !isFine).map((tick) => tick * size);
  const top = ticks.at(-1) ?? 1;
  const { drawing, width } = useWidth();
  const slots = slotsOf(labels.length, series.length, width - LEFT);
  const every = labelEvery(labels.length, Math.floor((width - LEFT) / LABEL_PX));
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
        ref={drawing}
        viewBox={`0 -${ABOVE} ${width} ${HEIGHT + BELOW + ABOVE}`}
        height={HEIGHT + BELOW + ABOVE}
        role="img"
        aria-label={t('{0}. The numbers are in the table below.', title)}
      >
        {ticks.map((tick) => (
          <g key={tick}>
            <line class="rule" x1={LEFT} x2={width} y1={yOf(tick)} y2={yOf(tick)} />
            <text x={LEFT - 6} y={yOf(tick) + 4} text-anchor="end">
              {`${plain.format(tick / size)} ${tick === 0 ? '' : unitName}`.trim()}
            </text>
          </g>
        ))}
        {slots.map((bars, place) =>
          bars.map(({ x, width: wide }, which) => {
            const high = heightOf(series[which]?.values[place] ?? 0, top, HEIGHT);
            return (
              high > 0 && (
                <rect
                  key={`${place} ${which}`}
                  class={`s${which}`}
                  x={LEFT + x}
                  y={HEIGHT - high}
                  width={wide}
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
                key={place}
                x={LEFT + ((place + 0.5) * (width - LEFT)) / labels.length}
                y={HEIGHT + 16}
                text-anchor="middle"
              >
                {label}
              </text>
            ),
        )}
      </svg>
      <details>
        <summary>{t('Show as a table')}</summary>
        <Table
          caption={title}
          rows={rows}
          rowKey={({ place }) => String(place)}
          empty={t('Nothing yet.')}
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
