import { Action } from '../../parts/action.tsx';
import { ask } from '../../parts/ask.tsx';
import { Count } from '../../parts/numbers.tsx';
import { Section } from '../../parts/panel.tsx';
import { Problem } from '../../parts/problem.tsx';
import { Badge } from '../../parts/small.tsx';
import { Table } from '../../parts/table.tsx';
import { Time } from '../../parts/time.tsx';
import { usePages } from '../../parts/use-pages.ts';
import { engineOfAll } from '../../shell/engine.ts';
import { say } from '../../shell/say.tsx';

const LOOK_MS = 15_000;
const STATUSES = {
  active: ['good', 'Active'],
  registered: ['info', 'Registered'],
  suspended: ['bad', 'Suspended'],
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
      title: `Suspend ${agencyId}?`,
      text: `${counts.keys} keys stop working. ${counts.messagesWaiting} messages and ${counts.deliveriesPending} deliveries wait until you activate it again. ${counts.sessions} accounts stay connected.`,
      yes: 'Suspend',
      danger: true,
      reason: true,
    });
    if (answer === null) return;
    await engineOfAll.adminDashboards.suspend(agencyId, { reason: answer.reason });
    say('Suspended');
    pages.reload();
  };
  return (
    <Section title="Dashboards">
      {pages.problem && <Problem problem={pages.problem} retry={pages.reload} />}
      {pages.items && (
        <Table
          caption="Dashboards of all agencies"
          rows={pages.items}
          rowKey={({ agencyId }) => agencyId}
          empty="No dashboard is registered."
          columns={[
            {
              head: 'Dashboard',
              wide: true,
              cell: ({ dashboardName, agencyId }) => (
                <span class="words" dir="auto">
                  {dashboardName} ({agencyId})
                </span>
              ),
            },
            { head: 'Status', cell: ({ status }) => <Badge tone={STATUSES[status][0]}>{STATUSES[status][1]}</Badge> },
            {
              head: 'Reason',
              wide: true,
              cell: ({ suspendedReason }) => (
                <span class="words" dir="auto">
                  {suspendedReason ?? '–'}
                </span>
              ),
            },
            { head: 'Tenants', numeric: true, cell: ({ counts }) => <Count n={counts.tenants} /> },
            {
              head: 'Connected accounts',
              numeric: true,
              cell: ({ counts }) => `${counts.sessionsWorking} of ${counts.sessions}`,
            },
            { head: 'Last active', cell: ({ lastActivityAt }) => <Time at={lastActivityAt} /> },
            {
              head: 'Actions',
              cell: ({ agencyId, status }) =>
                status === 'suspended' ? (
                  <Action
                    run={async ({ reason }) => {
                      await engineOfAll.adminDashboards.activate(agencyId, { reason });
                      pages.reload();
                    }}
                    confirm={{
                      title: `Activate ${agencyId}?`,
                      text: 'Waiting messages and deliveries are sent in order, at a limited rate.',
                      yes: 'Activate',
                      reason: true,
                    }}
                    done="Activated"
                  >
                    Activate …
                  </Action>
                ) : (
                  <Action tone="danger" run={() => suspend(agencyId)}>
                    Suspend …
                  </Action>
                ),
            },
          ]}
        />
      )}
      {pages.hasMore && (
        <div>
          <button type="button" onClick={pages.more}>
            Show more
          </button>
        </div>
      )}
    </Section>
  );
};
