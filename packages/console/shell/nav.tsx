import { useEffect, useRef } from 'preact/hooks';
import { live, offlineSince, paused } from '../live/live.ts';
import { LIVE_WORDS } from '../live/live-words.ts';
import { Icon, isIcon } from '../parts/icon.tsx';
import { Time } from '../parts/time.tsx';
import { PAGES } from '../pages/index.ts';
import { Delays } from './delays.tsx';
import { hasPlace, logOut, who } from './engine.ts';
import { finder } from './finder/opened.ts';
import { helpIsOpen } from './help.tsx';
import { href, path } from './location.ts';
import { Menu } from './menu.tsx';
import { MyName } from './my-name.tsx';
import { matchPath } from './router.ts';
import { mayOpen } from './who.ts';
import { Workspace } from './workspace.tsx';
import { t } from '../parts/words/t.ts';

const LiveDot = () => <span class={`dot ${live.value}`} aria-hidden="true" />;

const Live = () => (
  <div class="row live-state">
    <LiveDot />
    <span role="status">
      {LIVE_WORDS[live.value]}
      {live.value === 'offline' && offlineSince.value && (
        <>
          {` ${t('since')} `}
          <Time at={offlineSince.value.toISOString()} how="brief" />
        </>
      )}
    </span>
  </div>
);

/** Browsers without a dictionary hyphenate nothing, and this word of three languages is longer than the rail. */
const breakable = (title: string): string => title.replace(/^Automati(?=.{4})/u, 'Automati\u00AD');

const firstPart = (pattern: string): string => pattern.split('/:')[0] ?? pattern;

/** As wide as the fade at an edge behind which the menu goes on (shell.css): what is in sight is clear of it. */
const FADE_PX = 48;

/** Says at which edges the menu goes on, where it is wider than its place. */
const showEdges = (menu: HTMLElement): void => {
  const { scrollLeft, clientWidth, scrollWidth } = menu;
  menu.classList.toggle('goes-left', scrollLeft > 1);
  menu.classList.toggle('goes-right', scrollLeft + clientWidth < scrollWidth - 1);
};

/** Keeps the page that one is on in sight, where the menu is wider than its place. */
const useCurrentInSight = (isThere: boolean) => {
  const menu = useRef<HTMLElement>(null);
  const show = (): void => {
    const { current } = menu;
    if (!current) return;
    const here = current.querySelector<HTMLElement>('[aria-current]');
    if (here) {
      const { left, right } = here.getBoundingClientRect();
      const box = current.getBoundingClientRect();
      if (left < box.left + FADE_PX) current.scrollLeft -= box.left + FADE_PX - left;
      else if (right > box.right - FADE_PX) current.scrollLeft += right - box.right + FADE_PX;
    }
    showEdges(current);
  };
  useEffect(show, [path.value, isThere]);
  useEffect(() => {
    const watch = new ResizeObserver(show);
    if (menu.current) watch.observe(menu.current);
    return () => watch.disconnect();
    // Before somebody has logged in there is no menu to watch.
  }, [isThere]);
  return menu;
};

/** The rail: the pages, and at its foot whose data is shown and how the engine is. */
export const Nav = () => {
  const { value } = who;
  const menu = useCurrentInSight(value !== null);
  if (!value) return null;
  const pages = PAGES.filter((page) => page.hidden !== true && mayOpen(value, page));
  return (
    <header class="rail">
      <a class="skip" href="#main">
        {t('Skip to the content')}
      </a>
      <nav ref={menu} aria-label={t('Pages')} onScroll={(event) => showEdges(event.currentTarget)}>
        <ul>
          {pages.map((page) => (
            <li key={page.name}>
              <a href={href(firstPart(page.path))} aria-current={matchPath(page.path, path.value) ? 'page' : undefined}>
                {isIcon(page.name) && <Icon name={page.name} />}
                {breakable(page.title)}
              </a>
            </li>
          ))}
        </ul>
      </nav>
      <Delays />
      <Menu state={hasPlace.value && <LiveDot />}>
        <Workspace />
        {value.sandbox && <span class="badge info">{t('Simulated network')}</span>}
        {hasPlace.value && <Live />}
        <MyName />
        <div class="row deeds">
          {hasPlace.value && (
            <button
              type="button"
              class="plain"
              aria-pressed={paused.value}
              onClick={() => (paused.value = !paused.value)}
            >
              {paused.value ? t('Resume') : t('Pause')}
            </button>
          )}
          <button type="button" class="plain" title="Ctrl+K" onClick={() => (finder.value = '')}>
            {t('Find')}
          </button>
          <button
            type="button"
            class="plain"
            aria-label={t('Help and shortcuts')}
            onClick={() => (helpIsOpen.value = true)}
          >
            {t('Help')}
          </button>
          <button type="button" class="plain" onClick={() => void logOut()}>
            {t('Log out')}
          </button>
        </div>
      </Menu>
    </header>
  );
};
