import { useEffect, useRef } from 'preact/hooks';
import { go } from '../../shell/location.ts';
import { moveInList } from '../../shell/page-keys.ts';
import { filters } from './filters.ts';

/** The conversation a step from the chosen one; without a chosen one, the first. */
const neighbourOf = (ids: readonly string[], chosen: string | undefined, step: 1 | -1): string | undefined => {
  const at = chosen === undefined ? -1 : ids.indexOf(chosen);
  return at < 0 ? ids[0] : ids[at + step];
};

/** Lets `j` and `k` open the neighbours in the list, which scrolls along: only the rows in sight are in the document. */
export const useMoveInList = (ids: readonly string[], chosen: string | undefined, rowPx: number): void => {
  const latest = useRef({ ids, chosen });
  latest.current = { ids, chosen };
  useEffect(() => {
    moveInList.value = (step) => {
      const { current } = latest;
      const id = neighbourOf(current.ids, current.chosen, step);
      if (id === undefined) return;
      const list = document.querySelector('.chats .window-list');
      const top = current.ids.indexOf(id) * rowPx;
      if (list && (top < list.scrollTop || top + rowPx > list.scrollTop + list.clientHeight))
        list.scrollTop = top - (list.clientHeight - rowPx) / 2;
      go(`/inbox/${id}`, filters());
    };
    return () => {
      moveInList.value = null;
    };
  }, []);
};
