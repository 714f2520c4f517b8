import { allOf } from '../../parts/all-of.ts';
import { Count } from '../../parts/numbers.tsx';
import { Panel } from '../../parts/panel.tsx';
import { Badge } from '../../parts/small.tsx';
import { Table } from '../../parts/table.tsx';
import { Time } from '../../parts/time.tsx';
import { engine } from '../../shell/engine.ts';
import { GAP_CAUSES, GAP_STATES, GAP_UNKNOWNS } from '../connect/words.ts';
import { t } from '../../parts/words/t.ts';

const LOOK_MS = 30_000;

/** Times in which messages may have been lost, and what was brought back. */
export const Gaps = () => (
  <Panel
    title={t('Gaps')}
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
        caption={t('Gaps of all accounts')}
        rows={gaps}
        rowKey={({ id }) => id}
        empty={t('There are no gaps: no messages are known to be missing.')}
        columns={[
          { head: t('Account'), cell: ({ name }) => name },
          { head: t('From'), cell: ({ from }) => <Time at={from} how="clock" /> },
          { head: t('To'), cell: ({ to }) => (to === null ? t('Ongoing') : <Time at={to} how="clock" />) },
          { head: t('Cause'), wide: true, cell: ({ cause }) => GAP_CAUSES[cause] },
          {
            head: t('Status'),
            cell: ({ state }) => <Badge tone={state === 'closed' ? 'good' : 'warn'}>{GAP_STATES[state]}</Badge>,
          },
          { head: t('Recovered'), numeric: true, cell: ({ recovered }) => <Count n={recovered.messages} /> },
          {
            head: t('Not checked'),
            wide: true,
            cell: ({ unknown }) => (unknown.length === 0 ? '–' : unknown.map((word) => GAP_UNKNOWNS[word]).join(' ')),
          },
        ]}
      />
    )}
  </Panel>
);
