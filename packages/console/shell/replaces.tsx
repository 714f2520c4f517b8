import { nameOfLogin } from './arrival.ts';
import type { Who } from './who.ts';

/** Asks before a link replaces the login of this browser. No page is shown before the answer. */
export const Replaces = ({ login, tell }: { login: Who; tell: (opens: boolean) => void }) => (
  <main id="main" class="door stack">
    <h1>Replace your login?</h1>
    <p>
      You are logged in by {nameOfLogin(login)}. The link that you opened replaces this login. Open it only if you know
      who sent it.
    </p>
    <div class="row">
      <button type="button" class="primary" onClick={() => tell(false)}>
        Keep login
      </button>
      <button type="button" onClick={() => tell(true)}>
        Open link
      </button>
    </div>
  </main>
);
