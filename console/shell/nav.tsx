import { live, offlineSince, paused } from '../live/live.ts';
import type { LiveState } from '../live/live.ts';
import { Time } from '../parts/time.tsx';
import { PAGES } from '../pages/index.ts';
import { hasPlace, logOut, who } from './engine.ts';
import { helpIsOpen } from './help.tsx';
import { href, path } from './location.ts';
import { matchPath } from './router.ts';
import { mayOpen } from './who.ts';
import { Workspace } from './workspace.tsx';

const WORDS: Readonly<Record<LiveState, string>> = {
  connecting: 'Connecting …',
  'catching-up': 'Catching up …',
  live: 'Live',
  offline: 'Offline',
  paused: 'Paused',
};

const Live = () => (
  <div class="row live-state">
    <span class={`dot ${live.value}`} aria-hidden="true" />
    <span role="status">
      {WORDS[live.value]}
      {live.value === 'offline' && offlineSince.value && (
        <>
          {' since '}
          <Time at={offlineSince.value.toISOString()} how="brief" />
        </>
      )}
    </span>
    <button type="button" class="plain" aria-pressed={paused.value} onClick={() => (paused.value = !paused.value)}>
      {paused.value ? 'Go on' : 'Pause'}
    </button>
  </div>
);

const firstPart = (pattern: string): string => pattern.split('/:')[0] ?? pattern;

export const Nav = () => {
  const { value } = who;
  if (!value) return null;
  const pages = PAGES.filter((page) => page.hidden !== true && mayOpen(value, page));
  return (
    <header class="top">
      <a class="skip" href="#main">
        To the content
      </a>
      <nav aria-label="Pages">
        <ul>
          {pages.map((page) => (
            <li key={page.name}>
              <a href={href(firstPart(page.path))} aria-current={matchPath(page.path, path.value) ? 'page' : undefined}>
                {page.title}
              </a>
            </li>
          ))}
        </ul>
      </nav>
      <Workspace />
      <div class="row end">
        {value.sandbox && <span class="badge info">Simulated network</span>}
        {hasPlace.value && <Live />}
        <button type="button" class="plain" aria-label="Help and keys" onClick={() => (helpIsOpen.value = true)}>
          ?
        </button>
        <button type="button" class="plain" onClick={() => void logOut()}>
          Log out
        </button>
      </div>
    </header>
  );
};
