import { useEffect } from 'preact/hooks';
import { COUNT_PACE } from '../live/spare.ts';
import { useLoad } from '../parts/use-load.ts';
import { engine, place, who } from './engine.ts';
import { query } from './location.ts';
import { tabIcon } from './tab-sign.ts';
import { accountOf, forgetWaiting, isListed, noteWaiting, waiting } from './waiting-count.ts';
import { mayOpen } from './who.ts';

/** Catches changes without an event, such as a late agent. */
export const LOOK_AGAIN_MS = 20_000;
/** A hidden tab has no stream of events, and its title is all that people see of it. */
export const LOOK_HIDDEN_MS = 30_000;
/** A new status of a message seldom changes who waits, and each message has several. */
export const CHANGES = ['message', 'message.any', 'conversation.assigned', 'conversation.released'];

const Counting = () => {
  const { session } = query.value;
  const account = accountOf(place.value, session);
  useLoad({
    load: async (signal) => {
      if (isListed(account)) return null;
      const { total } = await engine.value.conversations.list({ waiting: 'true', session, limit: 1 }, { signal });
      if (!signal.aborted) noteWaiting(total);
      return total;
    },
    deps: [account],
    on: CHANGES,
    every: LOOK_AGAIN_MS,
    everyHidden: LOOK_HIDDEN_MS,
    pace: COUNT_PACE,
  });
  useEffect(() => forgetWaiting, [account]);
  return null;
};

/** False for a person who is bound to no tenant, or whose link does not open the inbox. */
export const seesWaiting = (): boolean => {
  const { value } = who;
  const isBound = value !== null && (value.tenantId !== null || place.value.tenantId !== undefined);
  return isBound && mayOpen(value, { name: 'inbox' });
};

/** Counts the waiting chats of the chosen account, on every page, and shows the number in the picture of the tab. */
export const Waiting = () => {
  useEffect(() => {
    document.querySelector('link[rel="icon"]')?.setAttribute('href', tabIcon(waiting.value));
  }, [waiting.value]);
  return seesWaiting() ? <Counting /> : null;
};
