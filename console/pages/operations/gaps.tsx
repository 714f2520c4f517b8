import { allOf } from '../../parts/all-of.ts';
import { Count } from '../../parts/numbers.tsx';
import { Panel } from '../../parts/panel.tsx';
import { Badge } from '../../parts/small.tsx';
import { Table } from '../../parts/table.tsx';
import { Time } from '../../parts/time.tsx';
import { engine } from '../../shell/engine.ts';
import { causeOf } from './words.ts';

const LOOK_MS = 30_000;

/** Times in which messages may have been lost, and what was brought back. */
export const Gaps = () => (
  <Panel
    title="Gaps"
    every={LOOK_MS}
    on={['session.recovered', 'session.silent']}
    load={async (signal) => {
      const sessions = await allOf(engine.value.sessions.list({}, { signal }));
      const all = await Promise.all(
        sessions.map(({ id }) => engine.value.sessions.listGaps(id, { limit: 20 }, { signal })),
      );
      return sessions.flatMap(({ name }, place) => (all[place]?.gaps ?? []).map((gap) => ({ ...gap, name })));
    }}
  >
    {(gaps) => (
      <Table
        caption="Gaps of all accounts"
        rows={gaps}
        rowKey={({ id }) => id}
        empty="There was no time in which a message may have been lost."
        columns={[
          { head: 'Account', cell: ({ name }) => name },
          { head: 'From', cell: ({ from }) => <Time at={from} how="clock" /> },
          { head: 'To', cell: ({ to }) => (to === null ? 'still open' : <Time at={to} how="clock" />) },
          { head: 'Why', wide: true, cell: ({ cause }) => causeOf(cause) },
          { head: 'State', cell: ({ state }) => <Badge tone={state === 'closed' ? 'good' : 'warn'}>{state}</Badge> },
          { head: 'Brought back', numeric: true, cell: ({ recovered }) => <Count n={recovered.messages} /> },
          {
            head: 'Not known',
            wide: true,
            cell: ({ unknown }) => (unknown.length === 0 ? 'nothing' : unknown.join(', ').replaceAll('_', ' ')),
          },
        ]}
      />
    )}
  </Panel>
);
