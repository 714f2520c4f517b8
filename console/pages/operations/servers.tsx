import { Panel } from '../../parts/panel.tsx';
import { Badge } from '../../parts/small.tsx';
import { Table } from '../../parts/table.tsx';
import { Time } from '../../parts/time.tsx';
import { EngineWorkPanel } from './engine-work.tsx';
import { TROUBLES } from './words.ts';
import { engineOfAll } from '../../shell/engine.ts';

const LOOK_MS = 15_000;

/** What the engine depends on, what waits, and the messaging backends. */
export const Servers = () => (
  <>
    <Panel title="The engine" every={LOOK_MS} load={(signal) => engineOfAll.health.read({ signal })}>
      {({ status, version, dependencies }) => (
        <div class="stack">
          <p class="row">
            <Badge tone={status === 'ok' ? 'good' : 'bad'}>
              {status === 'ok' ? 'Everything works' : 'Something does not work'}
            </Badge>{' '}
            version {version}
          </p>
          <Table
            caption="What the engine depends on"
            rows={dependencies}
            rowKey={({ name }) => name}
            empty="Nothing."
            columns={[
              { head: 'Part', cell: ({ name }) => name },
              { head: 'Status', cell: ({ ok }) => <Badge tone={ok ? 'good' : 'bad'}>{ok ? 'Works' : 'Fails'}</Badge> },
              { head: 'Reason', wide: true, cell: ({ reason }) => reason ?? '–' },
            ]}
          />
        </div>
      )}
    </Panel>
    <EngineWorkPanel />
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
  </>
);
