import { Action } from '../../parts/action.tsx';
import { Count } from '../../parts/numbers.tsx';
import { Section } from '../../parts/panel.tsx';
import { Problem } from '../../parts/problem.tsx';
import { Table } from '../../parts/table.tsx';
import { Time } from '../../parts/time.tsx';
import { usePages } from '../../parts/use-pages.ts';
import { engineOfAll } from '../../shell/engine.ts';
import { say } from '../../shell/say.tsx';

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
    <Section title="Parked work">
      <p class="quiet">
        Work that Temporal has refused permanently. If it is still needed, the engine hands it over again every five
        minutes.
      </p>
      {pages.problem && <Problem problem={pages.problem} retry={pages.reload} />}
      {pages.items && (
        <Table
          caption="Parked work, the oldest first"
          rows={pages.items}
          rowKey={({ id }) => id}
          empty="Nothing is parked."
          columns={[
            {
              head: 'Workflow',
              wide: true,
              cell: ({ workflowId, temporalUrl }) =>
                temporalUrl === null ? (
                  <span class="words">{workflowId}</span>
                ) : (
                  <a class="words" href={temporalUrl} target="_blank" rel="noreferrer">
                    {workflowId} (new tab)
                  </a>
                ),
            },
            { head: 'Agency', cell: ({ agencyId }) => agencyId || 'The engine itself' },
            { head: 'Error', wide: true, cell: ({ error }) => <span class="words">{error ?? '–'}</span> },
            { head: 'Attempts', numeric: true, cell: ({ attempts }) => <Count n={attempts} /> },
            { head: 'Given up', cell: ({ parkedAt }) => <Time at={parkedAt} how="clock" /> },
            {
              head: 'Actions',
              cell: ({ id }) => (
                <Action
                  run={async () => {
                    await engineOfAll.adminParkedDispatches.retry(id);
                    say('Trying again. If Temporal refuses it again, it returns to this list.');
                    pages.reload();
                  }}
                >
                  Try again<span class="visually-hidden"> number {id}</span>
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
