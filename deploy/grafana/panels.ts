import { ThresholdsMode } from '@grafana/schema';
import type { FieldConfig, Panel, RowPanel, ThresholdsConfig } from '@grafana/schema';

export interface Shown {
  title: string;
  /** The conclusion that an operator draws from it. */
  description: string;
  unit: 's' | 'short' | 'reqps' | 'percentunit' | 'bytes' | 'cps';
  queries: readonly { expr: string; legend: string }[];
  /** The height from which on it is red. */
  red?: number;
}

const SOURCE = { type: 'prometheus', uid: '${source}' } as const;
const COLUMNS = 3;
const WIDTH = 8;
const HEIGHT = 7;

/** Sets rows of panels, three in a line, each row under a heading of its own. */
export function setOut(rows: readonly { title: string; panels: readonly Shown[] }[]): (Panel | RowPanel)[] {
  const set: (Panel | RowPanel)[] = [];
  let y = 0;
  for (const { title, panels } of rows) {
    const id = set.length + 1;
    set.push({ id, type: 'row', title, collapsed: false, gridPos: { x: 0, y, w: WIDTH * COLUMNS, h: 1 }, panels: [] });
    y += 1;
    for (const [index, shown] of panels.entries()) {
      const line = Math.floor(index / COLUMNS);
      const gridPos = { x: (index % COLUMNS) * WIDTH, y: y + line * HEIGHT, w: WIDTH, h: HEIGHT };
      set.push({ ...timeSeries(shown), id: set.length + 1, gridPos });
    }
    y += Math.ceil(panels.length / COLUMNS) * HEIGHT;
  }
  return set;
}

function timeSeries({ title, description, unit, queries, red }: Shown): Panel {
  const defaults: FieldConfig = {
    unit,
    min: 0,
    ...(red === undefined ? {} : { custom: { thresholdsStyle: { mode: 'line' } }, thresholds: thresholdsAt(red) }),
  };
  return {
    type: 'timeseries',
    title,
    description,
    datasource: SOURCE,
    fieldConfig: { defaults, overrides: [] },
    options: {
      legend: { displayMode: 'list', placement: 'bottom', showLegend: true, calcs: [] },
      tooltip: { mode: 'multi', sort: 'desc' },
    },
    targets: queries.map(({ expr, legend }, index) => ({
      refId: String.fromCodePoint('A'.charCodeAt(0) + index),
      datasource: SOURCE,
      expr,
      legendFormat: legend,
    })),
  };
}

function thresholdsAt(red: number): ThresholdsConfig {
  const steps = [
    { color: 'green', value: null },
    { color: 'red', value: red },
  ];
  return { mode: ThresholdsMode.Absolute, steps };
}
