import { Search } from '../../parts/field.tsx';
import { useKeyNames } from '../../parts/key-names.ts';
import { Section } from '../../parts/panel.tsx';
import { Time } from '../../parts/time.tsx';
import { usePages } from '../../parts/use-pages.ts';
import { whoDid } from '../../parts/who-did.ts';
import { engine, engineOfAll, place, who } from '../../shell/engine.ts';
import { query, setQuery } from '../../shell/location.ts';
import { deedOf } from './words.ts';
import { t } from '../../parts/words/t.ts';
import { PagedTable } from '../../parts/paged-table.tsx';

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
    <Section title={t('Audit')}>
      <div class="filters">
        <Search label={t('Actor')} value={actor} onChange={(value) => setQuery({ actor: value })} />
        <Search
          label={t('Object ID')}
          placeholder={t('such as ses_…')}
          value={objectId}
          onChange={(value) => setQuery({ objectId: value })}
        />
      </div>
      <PagedTable
        of={pages}
        caption={t('Changes, the newest first')}
        rowKey={({ at, object, objectId: of, action }) => `${at} ${object} ${of} ${action}`}
        empty={t('No changes match.')}
        columns={[
          { head: t('When'), cell: ({ at }) => <Time at={at} how="clock" /> },
          {
            head: t('Actor'),
            wide: true,
            cell: (entry) => (
              <span class="words" dir="auto">
                {whoDid(entry, names)}
              </span>
            ),
          },
          { head: t('Action'), cell: deedOf },
          { head: t('Object ID'), cell: ({ objectId: of }) => <span class="mono">{of}</span> },
          {
            head: t('Reason'),
            wide: true,
            cell: ({ reason }) => (
              <span class="words" dir="auto">
                {reason ?? '–'}
              </span>
            ),
          },
          {
            head: t('Details'),
            wide: true,
            cell: ({ detail }) => detail && <span class="mono small words">{JSON.stringify(detail)}</span>,
          },
        ]}
      />
    </Section>
  );
};
