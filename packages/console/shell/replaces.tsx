import { nameOfLogin } from './arrival.ts';
import type { Who } from './who.ts';
import { t } from '../parts/words/t.ts';

/** Asks before a link replaces the login of this browser. No page is shown before the answer. */
export const Replaces = ({ login, tell }: { login: Who; tell: (opens: boolean) => void }) => (
  <main id="main" class="door stack">
    <h1>{t('Replace your login?')}</h1>
    <p>
      {t('You are logged in by')} {nameOfLogin(login)}
      {t('. The link that you opened replaces this login. Open it only if you know who sent it.')}
    </p>
    <div class="row">
      <button type="button" class="primary" onClick={() => tell(false)}>
        {t('Keep login')}
      </button>
      <button type="button" onClick={() => tell(true)}>
        {t('Open link')}
      </button>
    </div>
  </main>
);
