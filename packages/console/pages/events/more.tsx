import type { Paged } from '../../parts/use-pages.ts';

/** The button for what is further down a list. */
export const More = ({ of }: { of: Pick<Paged<unknown>, 'hasMore' | 'more' | 'loading' | 'items' | 'problem'> }) => (
  <>
    {of.items === undefined && !of.problem && <p class="quiet">Loading …</p>}
    {of.hasMore && (
      <div>
        <button type="button" aria-busy={of.loading} onClick={of.more}>
          Show more
        </button>
      </div>
    )}
  </>
);
