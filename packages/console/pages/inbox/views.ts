import type { QueryChange } from '../../shell/router.ts';
import { t } from '../../parts/words/t.ts';

/** The lists of an inbox. Each is a few filters of the address, so that a copied address shows the same. */
export type View = 'waiting' | 'mine' | 'agent' | 'all';

export const VIEWS: readonly { view: View; label: string }[] = [
  { view: 'waiting', label: t('Waiting for us') },
  { view: 'mine', label: t('Mine') },
  { view: 'agent', label: t('Agent') },
  { view: 'all', label: t('All') },
];

type Query = Readonly<Record<string, string | undefined>>;

/** Names the list that the address asks for; other filters narrow it. `me` is the name under which this person takes chats. */
export const viewOf = ({ waiting, assigned, mode }: Query, me: string): View => {
  if (waiting === 'true') return 'waiting';
  if (assigned !== undefined && assigned === me) return 'mine';
  return mode === 'bot_active' ? 'agent' : 'all';
};

/** The filters of a list. */
export const filtersOf = (view: View, me: string): QueryChange => ({
  waiting: view === 'waiting' ? 'true' : undefined,
  assigned: view === 'mine' ? me : undefined,
  mode: view === 'agent' ? 'bot_active' : undefined,
  unread: undefined,
});
