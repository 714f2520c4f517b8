import { Panel } from '../../parts/panel.tsx';
import { Badge } from '../../parts/small.tsx';
import { Table } from '../../parts/table.tsx';
import { Time } from '../../parts/time.tsx';
import { TROUBLES } from './words.ts';
import { engineOfAll } from '../../shell/engine.ts';

const LOOK_MS = 15_000;

/** The messaging backends. */
export const Servers = () => (
  <Panel title="Messaging backends" every={LOOK_MS} load={(signal) => engineOfAll.adminBackends.list({ signal })}>
    {({ backends }) => (
      <Table
        caption="Messaging backends"
        rows={backends}
        rowKey={({ id }) => id}
        empty="No messaging backends."
        columns={[
          { head: 'Backend', cell: ({ id }) => id },
          { head: 'Engine', cell: ({ engine }) => engine ?? '–' },
          {
            head: 'Connected accounts',
            numeric: true,
            cell: ({ sessions, sessionsWorking }) => `${sessionsWorking} of ${sessions}`,
          },
          {
            head: 'Status',
            cell: ({ trouble }) => (
              <Badge tone={trouble === null ? 'good' : 'bad'}>{trouble === null ? 'Works' : TROUBLES[trouble]}</Badge>
            ),
          },
          { head: 'Down since', cell: ({ downSince }) => <Time at={downSince} /> },
        ]}
      />
    )}
  </Panel>
);
