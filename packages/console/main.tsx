import { render } from 'preact';
import { startLive } from './live/live.ts';
import { toFailure } from './parts/failure.ts';
import { language } from './parts/words/t.ts';
import { App } from './shell/app.tsx';
import { arrive } from './shell/engine.ts';
import { followLinks } from './shell/location.ts';
import { Replaces } from './shell/replaces.tsx';
import type { Who } from './shell/who.ts';

const place = document.getElementById('console');
if (!place) throw new Error('The page has no place for the console');

document.documentElement.lang = language;
followLinks();
const asks = (login: Who): Promise<boolean> =>
  new Promise((tell) => render(<Replaces login={login} tell={tell} />, place));
const arrival = await arrive(asks).then(
  () => null,
  (error: unknown) => toFailure(error),
);
render(<App arrival={arrival} />, place);
startLive();
