import { Action } from '../../parts/action.tsx';
import { ask } from '../../parts/ask.tsx';
import { Count } from '../../parts/numbers.tsx';
import { Section } from '../../parts/panel.tsx';
import { Badge } from '../../parts/small.tsx';
import { Time } from '../../parts/time.tsx';
import { usePages } from '../../parts/use-pages.ts';
import { engineOfAll } from '../../shell/engine.ts';
import { say } from '../../shell/say.tsx';
import { t } from '../../parts/words/t.ts';
import { PagedTable } from '../../parts/paged-table.tsx';

const LOOK_MS = 15_000;
const STATUSES = {
  active: ['good', t('Active')],
  registered: ['info', t('Registered')],
  suspended: ['bad', t('Suspended')],
} as const;

/** All agencies, for the operator. */
export const Dashboards = () => {
  const pages = usePages({
    load: (cursor, signal) => engineOfAll.adminDashboards.list({ limit: 50, cursor }, { signal }),
    items: (page) => page.dashboards,
    key: ({ agencyId }) => agencyId,
    every: LOOK_MS,
  });
  /** It is tried first, so that the question says what would stop. */
  const suspend = async (agencyId: string): Promise<void> => {
    const { counts } = await engineOfAll.adminDashboards.suspend(agencyId, { dryRun: true });
    const answer = await ask({
      title: t('Suspend {0}?', agencyId),
      text: t(
        '{0} keys stop working. {1} messages and {2} deliveries wait until you activate it again. {3} accounts stay connected.',
        counts.keys,
        counts.messagesWaiting,
        counts.deliveriesPending,
        counts.sessions,
      ),
      yes: t('Suspend'),
      danger: true,
      reason: true,
    });
    if (answer === null) return;
    await engineOfAll.adminDashboards.suspend(agencyId, { reason: answer.reason });
    say(t('Suspended'));
    pages.reload();
  };
  return (
    <Section title={t('Dashboards')}>
      <PagedTable
        of={pages}
        caption={t('Dashboards of all agencies')}
        rowKey={({ agencyId }) => agencyId}
        empty={t('No dashboard is registered.')}
        columns={[
          {
            head: t('Dashboard'),
            wide: true,
            cell: ({ dashboardName, agencyId }) => (
              <span class="words" dir="auto">
                {dashboardName} ({agencyId})
              </span>
            ),
          },
          { head: t('Status'), cell: ({ status }) => <Badge tone={STATUSES[status][0]}>{STATUSES[status][1]}</Badge> },
          {
            head: t('Reason'),
            wide: true,
            cell: ({ suspendedReason }) => (
              <span class="words" dir="auto">
                {suspendedReason ?? '–'}
              </span>
            ),
          },
          { head: t('Tenants'), numeric: true, cell: ({ counts }) => <Count n={counts.tenants} /> },
          {
            head: t('Connected accounts'),
            numeric: true,
            cell: ({ counts }) => t('{0} of {1}', counts.sessionsWorking, counts.sessions),
          },
          { head: t('Last active'), cell: ({ lastActivityAt }) => <Time at={lastActivityAt} /> },
          {
            head: t('Actions'),
            cell: ({ agencyId, status }) =>
              status === 'suspended' ? (
                <Action
                  run={async ({ reason }) => {
                    await engineOfAll.adminDashboards.activate(agencyId, { reason });
                    pages.reload();
                  }}
                  confirm={{
                    title: t('Activate {0}?', agencyId),
                    text: t('The engine sends waiting messages and deliveries in order, at a limited rate.'),
                    yes: t('Activate'),
                    reason: true,
                  }}
                  done={t('Activated')}
                >
                  {t('Activate …')}
                </Action>
              ) : (
                <Action tone="danger" run={() => suspend(agencyId)}>
                  {t('Suspend …')}
                </Action>
              ),
          },
        ]}
      />
    </Section>
  );
};
