import { render } from 'preact';
import { startLive } from './live/live.ts';
import { toFailure } from './parts/failure.ts';
import { App } from './shell/app.tsx';
import { arrive } from './shell/engine.ts';
import { followLinks } from './shell/location.ts';

const place = document.getElementById('console');
if (!place) throw new Error('The page has no place for the console');

followLinks();
const arrival = await arrive().then(
  () => null,
  (error: unknown) => toFailure(error),
);
render(<App arrival={arrival} />, place);
startLive();
