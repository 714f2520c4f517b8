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
const TONES = { active: 'good', registered: 'info', suspended: 'bad' } as const;

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
      text: `${counts.keys} keys stop to work, ${counts.messagesWaiting} messages and ${counts.deliveriesPending} deliveries wait until it goes on, ${counts.sessions} accounts stay connected.`,
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
            { head: 'State', cell: ({ status }) => <Badge tone={TONES[status]}>{status}</Badge> },
            {
              head: 'Why',
              wide: true,
              cell: ({ suspendedReason }) => (
                <span class="words" dir="auto">
                  {suspendedReason ?? '–'}
                </span>
              ),
            },
            { head: 'Tenants', numeric: true, cell: ({ counts }) => <Count n={counts.tenants} /> },
            {
              head: 'Accounts that work',
              numeric: true,
              cell: ({ counts }) => `${counts.sessionsWorking} of ${counts.sessions}`,
            },
            { head: 'Last active', cell: ({ lastActivityAt }) => <Time at={lastActivityAt} /> },
            {
              head: 'Do',
              cell: ({ agencyId, status }) =>
                status === 'suspended' ? (
                  <Action
                    run={async ({ reason }) => {
                      await engineOfAll.adminDashboards.activate(agencyId, { reason });
                      pages.reload();
                    }}
                    confirm={{
                      title: `Let ${agencyId} go on?`,
                      text: 'What waits goes out in order, at a bounded rate.',
                      yes: 'Let it go on',
                      reason: true,
                    }}
                    done="It goes on"
                  >
                    Let it go on …
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
