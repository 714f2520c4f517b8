import { signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { useLoad } from '../parts/use-load.ts';
import { engine, place, who } from './engine.ts';
import { query } from './location.ts';
import { tabIcon } from './tab-sign.ts';
import { mayOpen } from './who.ts';

/** Of a moment that has come without an event, such as that the agent is late. */
const LOOK_AGAIN_MS = 20_000;
const CHANGES = ['message', 'message.any', 'message.ack', 'conversation.assigned', 'conversation.released'];

/** How many chats of the account wait for an answer. */
export const waiting = signal(0);

const Counting = () => {
  const { data } = useLoad({
    load: async (signal) => {
      const { session } = query.value;
      const { total } = await engine.value.conversations.list({ waiting: 'true', session, limit: 1 }, { signal });
      return total;
    },
    deps: [place.value, query.value['session']],
    on: CHANGES,
    every: LOOK_AGAIN_MS,
    isBeside: true,
  });
  useEffect(() => {
    waiting.value = data ?? 0;
  }, [data]);
  useEffect(
    () => () => {
      waiting.value = 0;
    },
    [],
  );
  return null;
};

/** Counts whoever waits for an answer, on every page, and shows it in the picture of the tab. */
export const Waiting = () => {
  const { value } = who;
  const isBound = value !== null && (value.tenantId !== null || place.value.tenantId !== undefined);
  useEffect(() => {
    document.querySelector('link[rel="icon"]')?.setAttribute('href', tabIcon(waiting.value));
  }, [waiting.value]);
  return isBound && mayOpen(value, { name: 'inbox' }) ? <Counting /> : null;
};
