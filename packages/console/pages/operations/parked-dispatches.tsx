import { Action } from '../../parts/action.tsx';
import { Count } from '../../parts/numbers.tsx';
import { Section } from '../../parts/panel.tsx';
import { Time } from '../../parts/time.tsx';
import { usePages } from '../../parts/use-pages.ts';
import { engineOfAll } from '../../shell/engine.ts';
import { say } from '../../shell/say.tsx';
import { t } from '../../parts/words/t.ts';
import { PagedTable } from '../../parts/paged-table.tsx';

const LOOK_MS = 30_000;

/** Work that the engine has promised to Temporal, and Temporal has refused for good, for the operator. */
export const ParkedDispatches = () => {
  const pages = usePages({
    load: (cursor, signal) => engineOfAll.adminParkedDispatches.list({ limit: 50, cursor }, { signal }),
    items: (page) => page.dispatches,
    key: ({ id }) => id,
    deps: [],
    keep: true,
    every: LOOK_MS,
  });
  return (
    <Section title={t('Parked work')}>
      <p class="quiet">
        {t('Work that Temporal refused permanently. While it is needed, the engine retries it every five minutes.')}
      </p>
      <PagedTable
        of={pages}
        caption={t('Parked work, the oldest first')}
        rowKey={({ id }) => id}
        empty={t('Nothing is parked.')}
        columns={[
          {
            head: t('Workflow'),
            wide: true,
            cell: ({ workflowId, temporalUrl }) =>
              temporalUrl === null ? (
                <span class="words">{workflowId}</span>
              ) : (
                <a class="words" href={temporalUrl} target="_blank" rel="noreferrer">
                  {workflowId} {t('(new tab)')}
                </a>
              ),
          },
          { head: t('Agency'), cell: ({ agencyId }) => agencyId || t('The engine itself') },
          { head: t('Error'), wide: true, cell: ({ error }) => <span class="words">{error ?? '–'}</span> },
          { head: t('Attempts'), numeric: true, cell: ({ attempts }) => <Count n={attempts} /> },
          { head: t('Dead-lettered'), cell: ({ parkedAt }) => <Time at={parkedAt} how="clock" /> },
          {
            head: t('Actions'),
            cell: ({ id }) => (
              <Action
                run={async () => {
                  await engineOfAll.adminParkedDispatches.retry(id);
                  say(t('Trying again. If Temporal refuses it again, it returns to this list.'));
                  pages.reload();
                }}
              >
                {t('Try again')}
                <span class="visually-hidden">
                  {' '}
                  {t('number')} {id}
                </span>
              </Action>
            ),
          },
        ]}
      />
    </Section>
  );
};
