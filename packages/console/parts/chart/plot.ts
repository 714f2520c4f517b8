import { useEffect, useRef } from 'preact/hooks';
import type uPlot from 'uplot';
import { locale } from '../words/t.ts';
import { heightsOf } from './series.ts';
import type { Series } from './series.ts';

export interface PlotProps {
  /** The names of the groups of bars, and of them all. */
  labels: readonly string[];
  of: string;
  series: readonly Series[];
  /** A value as people read it. */
  show: (value: number) => string;
  /** The unit of the axis: ticks are round numbers of it. */
  unit: { name: string; size: number };
  /** True for what has parts of a unit, such as money. */
  isFine: boolean;
}

const HEIGHT = 210;
/** A label with some space around it. */
const LABEL_PX = 72;
const MAX_BAR_PX = 24;
const plain = new Intl.NumberFormat(locale, { maximumFractionDigits: 4 });
const WHOLE = Array.from({ length: 13 }, (_, power) => [1, 2, 5].map((step) => step * 10 ** power)).flat();

/** The library draws colours, and knows no variables of a style sheet: the place of the chart has them resolved. */
const coloursOf = (place: HTMLElement) => {
  const style = getComputedStyle(place);
  return {
    words: () => style.color,
    rule: () => style.borderTopColor,
    edges: [() => style.caretColor, () => style.outlineColor],
    fills: [() => style.caretColor, () => style.backgroundColor],
  };
};

const optionsOf = (
  { labels, of, series, show, unit, isFine }: PlotProps,
  { paths }: typeof uPlot,
  place: HTMLElement,
): uPlot.Options => {
  const { words, rule, edges, fills } = coloursOf(place);
  const isPair = series.length > 1;
  return {
    width: place.clientWidth,
    height: HEIGHT,
    scales: {
      x: { time: false, range: [-0.5, labels.length - 0.5] },
      y: { range: (_, __, most) => [0, most > 0 ? most * 1.05 : 1] },
    },
    axes: [
      {
        stroke: words,
        grid: { show: false },
        ticks: { show: false },
        incrs: WHOLE,
        space: LABEL_PX,
        values: (_, places) => places.map((at) => labels[at] ?? null),
      },
      {
        stroke: words,
        grid: { stroke: rule, width: 1 },
        ticks: { show: false },
        size: 64,
        values: (_, ticks) => ticks.map((tick) => `${plain.format(tick)} ${tick === 0 ? '' : unit.name}`.trim()),
        // A count has no halves.
        ...(!isFine && unit.size === 1 && { incrs: WHOLE }),
      },
    ],
    series: [
      { label: of, value: (_, at) => labels[at] ?? '' },
      ...series.map(({ name, values }, which): uPlot.Series => {
        const bars = paths.bars?.({
          size: [isPair ? 0.4 : 0.8, MAX_BAR_PX],
          align: isPair ? (which === 0 ? -1 : 1) : 0,
        });
        return {
          label: name,
          class: `s${which}`,
          stroke: edges[which] ?? words,
          fill: fills[which] ?? words,
          // The outline shows a bar that is too low to be seen beside the greatest.
          width: 2,
          points: { show: false },
          value: (_, __, ___, at) => {
            const value = at === null ? null : (values[at] ?? null);
            return value === null ? '–' : show(value);
          },
          ...(bars && { paths: bars }),
        };
      }),
    ],
    cursor: { y: false, drag: { x: false, y: false }, points: { show: false } },
  };
};

/** Draws bars into a place, as wide as that is. The library is loaded for the first chart. */
export const usePlot = (props: PlotProps) => {
  const place = useRef<HTMLDivElement>(null);
  const { labels, series, unit } = props;
  useEffect(() => {
    const { current } = place;
    if (!current) return undefined;
    let plot: uPlot | undefined;
    let isGone = false;
    const begin = async (): Promise<void> => {
      const { default: Plot } = await import('uplot');
      if (isGone) return;
      const places = labels.map((_, at) => at);
      plot = new Plot(
        optionsOf(props, Plot, current),
        [places, ...series.map((one) => heightsOf(one, unit.size))],
        current,
      );
    };
    // Without the library, the table has the numbers.
    void begin().catch(() => undefined);
    const watch = new ResizeObserver(() => plot?.setSize({ width: current.clientWidth, height: HEIGHT }));
    watch.observe(current);
    const dark = window.matchMedia('(prefers-color-scheme: dark)');
    const again = (): void => plot?.redraw();
    dark.addEventListener('change', again);
    return () => {
      isGone = true;
      watch.disconnect();
      dark.removeEventListener('change', again);
      plot?.destroy();
    };
  }, [JSON.stringify([labels, series, unit])]);
  return place;
};
