import { Fragment } from 'preact';
import type { ComponentType } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { AskDialog } from '../parts/ask.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { PageHead } from '../parts/page-head.tsx';
import { Problem, toFailure } from '../parts/problem.tsx';
import type { Failure } from '../parts/problem.tsx';
import { PAGES } from '../pages/index.ts';
import { BrandBar } from './brand.tsx';
import { Alerts } from './alerts/alerts.tsx';
import { isGuest, needsLogin, who } from './engine.ts';
import { Finder } from './finder/finder.tsx';
import { Guard } from './guard.tsx';
import { Help, useKeys } from './help.tsx';
import { go, href, path } from './location.ts';
import { useKeptFocus } from './keep-focus.ts';
import { LoginForm } from './login.tsx';
import { Nav } from './nav.tsx';
import type { Page, PageProps } from './page.ts';
import { matchPath } from './router.ts';
import { Said } from './say.tsx';
import { useTenantZone } from './tenant-zone.ts';
import { tabTitle } from './tab-sign.ts';
import { Waiting } from './waiting.tsx';
import { waiting } from './waiting-count.ts';
import { mayOpen, reachOf } from './who.ts';
import { t } from '../parts/words/t.ts';

const NAME = t('Messaging engine');

/** The page's code, once it is here. A browser that could not load it asks again when somebody asks. */
const Loaded = ({ page, props }: { page: Page; props: PageProps }) => {
  const [shown, setShown] = useState<{ of: Page; Component: ComponentType<PageProps> } | null>(null);
  const [problem, setProblem] = useState<Failure | null>(null);
  useEffect(() => {
    // The code of a page that was left may come after that of the present one.
    let isPresent = true;
    setProblem(null);
    page.load().then(
      (module) => isPresent && setShown({ of: page, Component: module.default }),
      (error) => isPresent && setProblem(toFailure(error)),
    );
    return () => {
      isPresent = false;
    };
  }, [page]);
  if (problem) return <Problem problem={problem} retry={() => window.location.reload()} />;
  if (shown?.of !== page) return <p class="quiet">{t('Loading …')}</p>;
  return (
    <Guard key={page.name}>
      <shown.Component {...props} />
    </Guard>
  );
};

const Missing = () => (
  <>
    <PageHead title={t('Page not found')} />
    <p>
      {t('This page does not exist, or your key does not have access to it.')}{' '}
      <a href={href('/')}>{t('Go to the start page')}</a>
    </p>
  </>
);

const Content = () => {
  const { value } = who;
  if (!value) return null;
  const pages = PAGES.filter((page) => mayOpen(value, page));
  const first = pages[0];
  const page = pages.find((one) => matchPath(one.path, path.value) !== null);
  const isAtDoor = path.value === '/' && first !== undefined;
  useEffect(() => {
    if (isAtDoor) go(first.path.split('/:')[0] ?? '/');
  }, [isAtDoor]);
  useEffect(() => {
    document.title = tabTitle(page?.title, NAME, waiting.value);
  }, [page, waiting.value]);
  if (isAtDoor) return null;
  const params = page && matchPath(page.path, path.value);
  return page && params ? <Loaded page={page} props={{ params }} /> : <Missing />;
};

const AGAIN = t('Your login has ended. Log in again to continue. Your text stays.');
const AGAIN_BY_LINK = t(
  'Your login has ended, and a link opens only once. Ask for a new link, or log in with a key. Your text stays.',
);

/** All that there is: the menu, the page, and what may lie over both. */
export const App = ({ arrival }: { arrival: Failure | null }) => {
  useKeys();
  useKeptFocus();
  useTenantZone();
  if (who.value === null)
    return (
      <main id="main" class="door stack">
        <h1>{NAME}</h1>
        {arrival && <Problem problem={arrival} />}
        {needsLogin.value && <LoginForm text={t('Log in to see your conversations.')} />}
      </main>
    );
  // A key of another reach must see nothing of the former one, not even what a page holds by itself.
  return (
    <Fragment key={reachOf(who.value)}>
      {window.top === window && <Nav />}
      <main id="main">
        <BrandBar />
        <Content />
      </main>
      <Dialog open={needsLogin.value} onClose={() => undefined} title={t('Log in again')} stays>
        <LoginForm text={isGuest.value ? AGAIN_BY_LINK : AGAIN} />
      </Dialog>
      <Waiting />
      <Alerts />
      <Finder />
      <AskDialog />
      <Help />
      <Said />
    </Fragment>
  );
};
