import { Problem } from './problem.tsx';
import { Table } from './table.tsx';
import type { TableProps } from './table.tsx';
import type { Paged } from './use-pages.ts';
import { t } from './words/t.ts';

/** The button for what is further down a list. */
export const More = ({ of }: { of: Pick<Paged<unknown>, 'hasMore' | 'more' | 'loading' | 'items' | 'problem'> }) => (
  <>
    {of.items === undefined && !of.problem && <p class="quiet">{t('Loading …')}</p>}
    {of.hasMore && (
      <div>
        <button type="button" aria-busy={of.loading} onClick={of.more}>
          {t('Show more')}
        </button>
      </div>
    )}
  </>
);

/** A table of a list that is read page by page. */
export const PagedTable = <T,>({ of, ...table }: { of: Paged<T> } & Omit<TableProps<T>, 'rows'>) => (
  <>
    {of.problem && <Problem problem={of.problem} retry={of.reload} />}
    {of.items && <Table {...table} rows={of.items} />}
    <More of={of} />
  </>
);
