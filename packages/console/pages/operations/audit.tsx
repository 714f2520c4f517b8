import { Search } from '../../parts/field.tsx';
import { useKeyNames } from '../../parts/key-names.ts';
import { Section } from '../../parts/panel.tsx';
import { Problem } from '../../parts/problem.tsx';
import { Table } from '../../parts/table.tsx';
import { Time } from '../../parts/time.tsx';
import { usePages } from '../../parts/use-pages.ts';
import { whoDid } from '../../parts/who-did.ts';
import { engine, engineOfAll, place, who } from '../../shell/engine.ts';
import { query, setQuery } from '../../shell/location.ts';
import { deedOf } from './words.ts';

const LOOK_MS = 30_000;

export const Audit = () => {
  const actor = query.value['actor'];
  const objectId = query.value['objectId'];
  const names = useKeyNames();
  const isOfAll = who.value?.kind === 'master' && place.value.agencyId === undefined;
  const pages = usePages({
    load: (cursor, signal) => {
      const asked = { actor, objectId, limit: 50, cursor };
      return isOfAll ? engineOfAll.audit.listAll(asked, { signal }) : engine.value.audit.list(asked, { signal });
    },
    items: (page) => page.entries,
    key: ({ at, object, objectId: of, action }) => `${at} ${object} ${of} ${action}`,
    deps: [actor, objectId, isOfAll],
    keep: true,
    every: LOOK_MS,
  });
  return (
    <Section title="Audit">
      <div class="filters">
        <Search label="Who" value={actor} onChange={(value) => setQuery({ actor: value })} />
        <Search
          label="Object ID"
          placeholder="such as ses_…"
          value={objectId}
          onChange={(value) => setQuery({ objectId: value })}
        />
      </div>
      {pages.problem && <Problem problem={pages.problem} retry={pages.reload} />}
      {pages.items && (
        <Table
          caption="Changes, the newest first"
          rows={pages.items}
          rowKey={({ at, object, objectId: of, action }) => `${at} ${object} ${of} ${action}`}
          empty="No changes match."
          columns={[
            { head: 'When', cell: ({ at }) => <Time at={at} how="clock" /> },
            {
              head: 'Who',
              wide: true,
              cell: (entry) => (
                <span class="words" dir="auto">
                  {whoDid(entry, names)}
                </span>
              ),
            },
            { head: 'What', cell: deedOf },
            { head: 'Object ID', cell: ({ objectId: of }) => <span class="mono">{of}</span> },
            {
              head: 'Reason',
              wide: true,
              cell: ({ reason }) => (
                <span class="words" dir="auto">
                  {reason ?? '–'}
                </span>
              ),
            },
            {
              head: 'Details',
              wide: true,
              cell: ({ detail }) => detail && <span class="mono small words">{JSON.stringify(detail)}</span>,
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
