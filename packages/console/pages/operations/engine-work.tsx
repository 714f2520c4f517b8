import type { EngineWork } from '../../../typescript/src/index.ts';
import { Count } from '../../parts/numbers.tsx';
import { Panel } from '../../parts/panel.tsx';
import { Badge } from '../../parts/small.tsx';
import { Table } from '../../parts/table.tsx';
import { engineOfAll } from '../../shell/engine.ts';
import { HOLDS, waitedFor } from './words.ts';
import { t } from '../../parts/words/t.ts';

/** Counting what waits costs the engine something. */
const LOOK_MS = 15_000;

type Wait = EngineWork['queued'];
type Late = EngineWork['delays'][number]['work'];

/** The queues, each with the kind of delay that judges it. Null for waits that rules, people or receivers cause. */
const ROWS: readonly { what: string; late: Late | null; of: (work: EngineWork) => Wait }[] = [
  { what: t('Queued messages'), late: null, of: ({ queued }) => queued },
  { what: t('Messages not tried yet'), late: 'messages', of: ({ untriedMessages }) => untriedMessages },
  { what: t('Answers owed by the agent'), late: 'answers', of: ({ owed }) => owed },
  { what: t('Conversations owed to people'), late: null, of: ({ owedToPeople }) => owedToPeople },
  { what: t('Promises to Temporal'), late: 'promises', of: ({ promises }) => promises },
  { what: t('Incoming events'), late: 'events_in', of: ({ unappliedEvents }) => unappliedEvents },
  { what: t('Outgoing events not tried yet'), late: 'events_out', of: ({ untriedDeliveries }) => untriedDeliveries },
  { what: t('Outgoing events in all'), late: null, of: ({ pendingDeliveries }) => pendingDeliveries },
];

/** Shows the work of all tenants, as `engine status` does. */
export const EngineWorkPanel = () => (
  <Panel title={t('Waiting work')} every={LOOK_MS} load={(signal) => engineOfAll.adminWork.read({ signal })}>
    {(work) => {
      const isLate = (kind: Late | null): boolean => work.delays.some((delay) => delay.work === kind);
      const held = HOLDS.flatMap(([hold, text]) => {
        const count = work.holds[hold] ?? 0;
        return count > 0 ? [`${text}: ${count}`] : [];
      });
      return (
        <div class="stack">
          <Table
            caption={t('Waiting work')}
            rows={ROWS}
            rowKey={({ what }) => what}
            empty={t('Nothing.')}
            columns={[
              { head: t('Work'), cell: ({ what }) => what },
              { head: t('Waiting'), numeric: true, cell: ({ of }) => <Count n={of(work).count} /> },
              { head: t('Oldest'), cell: ({ of }) => waitedFor(of(work).oldestSeconds) },
              {
                head: t('Status'),
                cell: ({ late }) => (isLate(late) ? <Badge tone="bad">{t('Late')}</Badge> : '–'),
              },
            ]}
          />
          {held.length > 0 && (
            <p>
              {t('Held messages by cause:')} {held.join(', ')}.
            </p>
          )}
          <p class="quiet">{work.dependencies.map(({ name, ms }) => `${name}: ${ms} ms`).join(', ')}</p>
        </div>
      );
    }}
  </Panel>
);
