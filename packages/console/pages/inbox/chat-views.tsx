import { useState } from 'preact/hooks';
import { Dialog } from '../../parts/dialog.tsx';
import { href, query, setQuery } from '../../shell/location.ts';
import { me } from '../../shell/me.ts';
import { waiting } from '../../shell/waiting-count.ts';
import { NameForm } from '../../parts/name-form.tsx';
import { filtersOf, viewOf, VIEWS } from './views.ts';
import type { View } from './views.ts';
import { t } from '../../parts/words/t.ts';

/** The lists of the inbox. Whoever has said no name yet is asked for it before their own chats are listed. */
export const ChatViews = ({ chosen }: { chosen: string | undefined }) => {
  const [isAsked, setAsked] = useState(false);
  const here = viewOf(query.value, me.value);
  const { search, session } = query.value;
  const page = chosen === undefined ? '/inbox' : `/inbox/${chosen}`;
  const to = (view: View): string => href(page, { search, session, ...filtersOf(view, me.value) });
  return (
    <nav class="views" aria-label={t('Lists')}>
      {VIEWS.map(({ view, label }) =>
        view === 'mine' && me.value === '' ? (
          <button key={view} type="button" class="plain" onClick={() => setAsked(true)}>
            {label}
          </button>
        ) : (
          <a key={view} href={to(view)} aria-current={here === view ? 'page' : undefined}>
            {label}
            {view === 'waiting' && waiting.value > 0 && <span class="unread">{waiting.value}</span>}
          </a>
        ),
      )}
      <Dialog open={isAsked} onClose={() => setAsked(false)} title={t('Your chats')}>
        <NameForm
          done={(name) => {
            setQuery(filtersOf('mine', name));
            setAsked(false);
          }}
        />
      </Dialog>
    </nav>
  );
};
