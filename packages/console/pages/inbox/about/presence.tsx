import { useEffect, useRef, useState } from 'preact/hooks';
import type { ShowViewer, Viewer } from '../../../../typescript/src/index.ts';
import { useHints } from '../../../live/hints.ts';
import { slownessNow } from '../../../live/spare.ts';
import { engine, mayDo } from '../../../shell/engine.ts';
import { me } from '../../../shell/me.ts';

/** The engine forgets a tab that it has not heard of for 25 seconds. */
const SHOW_EVERY_MS = 10_000;
/** A person who stops to type still writes for this long. */
const WRITES_FOR_MS = 8_000;

const TAB = Math.random().toString(36).slice(2);

/** Shows colleagues that this person has the chat open, and returns the others. */
export const usePresence = (id: string): readonly Viewer[] => {
  const [viewers, setViewers] = useState<readonly Viewer[]>([]);
  const wrote = useRef(0);
  const look = useRef<() => void>(() => undefined);
  const name = me.value;
  useEffect(() => {
    let isOver = false;
    let said: ShowViewer['state'] = 'left';
    const stateNow = (): ShowViewer['state'] => {
      if (document.hidden) return 'left';
      return Date.now() - wrote.current < WRITES_FOR_MS ? 'writing' : 'reading';
    };
    const take = (found: { viewers: readonly Viewer[] }): void => {
      if (!isOver) setViewers(found.viewers.filter(({ viewerId }) => viewerId !== TAB));
    };
    const ask = (state: ShowViewer['state']): void => {
      const conversations = engine.value.conversations;
      said = state;
      const asked = mayDo('send')
        ? conversations.showViewer(id, { viewerId: TAB, state })
        : conversations.listViewers(id);
      // Presence is a courtesy: its failure stops nobody.
      asked.then(take, () => undefined);
    };
    const show = (): void => {
      const state = stateNow();
      if (state !== 'left' || said !== 'left') ask(state);
    };
    const news = (): void => {
      if (stateNow() !== said) show();
    };
    look.current = () => {
      if (!document.hidden) engine.value.conversations.listViewers(id).then(take, () => undefined);
    };
    const typed = ({ target }: Event): void => {
      if (!(target instanceof HTMLTextAreaElement) || target.closest('.conversation') === null) return;
      wrote.current = target.value === '' ? 0 : Date.now();
      news();
    };
    wrote.current = 0;
    show();
    let timer: ReturnType<typeof setTimeout>;
    const wait = (): void => {
      timer = setTimeout(() => {
        show();
        wait();
      }, SHOW_EVERY_MS * slownessNow());
    };
    wait();
    document.addEventListener('input', typed);
    document.addEventListener('visibilitychange', news);
    return () => {
      isOver = true;
      clearTimeout(timer);
      document.removeEventListener('input', typed);
      document.removeEventListener('visibilitychange', news);
      if (said !== 'left') ask('left');
      setViewers([]);
    };
  }, [id, name]);
  useHints(id, () => look.current());
  return viewers;
};
