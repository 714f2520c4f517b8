import { Panel } from '../../parts/panel.tsx';
import { Badge } from '../../parts/small.tsx';
import { Table } from '../../parts/table.tsx';
import { Time } from '../../parts/time.tsx';
import { TROUBLES } from './words.ts';
import { engineOfAll } from '../../shell/engine.ts';
import { t } from '../../parts/words/t.ts';

const LOOK_MS = 15_000;

/** The messaging backends. */
export const Servers = () => (
  <Panel title={t('Messaging backends')} every={LOOK_MS} load={(signal) => engineOfAll.adminBackends.list({ signal })}>
    {({ backends }) => (
      <Table
        caption={t('Messaging backends')}
        rows={backends}
        rowKey={({ id }) => id}
        empty={t('No messaging backends.')}
        columns={[
          { head: t('Backend'), cell: ({ id }) => id },
          { head: t('Engine'), cell: ({ engine }) => engine ?? '–' },
          {
            head: t('Connected accounts'),
            numeric: true,
            cell: ({ sessions, sessionsWorking }) => t('{0} of {1}', sessionsWorking, sessions),
          },
          {
            head: t('Status'),
            cell: ({ trouble }) => (
              <Badge tone={trouble === null ? 'good' : 'bad'}>
                {trouble === null ? t('Works') : TROUBLES[trouble]}
              </Badge>
            ),
          },
          { head: t('Down since'), cell: ({ downSince }) => <Time at={downSince} /> },
        ]}
      />
    )}
  </Panel>
);
