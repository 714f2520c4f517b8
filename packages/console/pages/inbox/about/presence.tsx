import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { ShowViewer, Viewer } from '../../../../typescript/src/index.ts';
import { coalesce } from '../../../live/coalesce.ts';
import { useHints } from '../../../live/hints.ts';
import { BESIDE_PACE, slownessNow } from '../../../live/spare.ts';
import { engine, mayDo } from '../../../shell/engine.ts';
import { me } from '../../../shell/me.ts';
import { othersThan, refreshMs, tabOf } from './presence-of.ts';

/** A person who stops to type still writes for this long. */
const WRITES_FOR_MS = 8_000;

const TAB = tabOf(() => window.sessionStorage);

/** Shows colleagues that this person has the chat open, and returns the others. */
export const usePresence = (id: string): readonly Viewer[] => {
  const [viewers, setViewers] = useState<readonly Viewer[]>([]);
  const wrote = useRef(0);
  const renamed = useRef<() => void>(() => undefined);
  const look = useRef<() => Promise<void>>(async () => undefined);
  const hints = useMemo(() => coalesce(() => look.current(), BESIDE_PACE), []);
  const name = me.value;
  useEffect(() => {
    let isOver = false;
    let said: ShowViewer['state'] = 'left';
    let shownAs = me.peek();
    const stateNow = (): ShowViewer['state'] => {
      if (document.hidden) return 'left';
      return Date.now() - wrote.current < WRITES_FOR_MS ? 'writing' : 'reading';
    };
    const take = (found: { viewers: readonly Viewer[] }): void => {
      if (!isOver) setViewers(found.viewers);
    };
    const ask = (state: ShowViewer['state']): void => {
      const conversations = engine.value.conversations;
      said = state;
      shownAs = me.peek();
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
    renamed.current = () => {
      if (me.peek() !== shownAs) show();
    };
    look.current = async () => {
      if (!document.hidden) await engine.value.conversations.listViewers(id).then(take, () => undefined);
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
      }, refreshMs(slownessNow()));
    };
    wait();
    document.addEventListener('input', typed);
    document.addEventListener('visibilitychange', news);
    return () => {
      isOver = true;
      clearTimeout(timer);
      hints.stop();
      document.removeEventListener('input', typed);
      document.removeEventListener('visibilitychange', news);
      if (said !== 'left') ask('left');
      setViewers([]);
    };
  }, [id]);
  // A new name shows at once, and without the person leaving in between.
  useEffect(() => renamed.current(), [name]);
  useHints(id, 'viewers', hints.hint);
  return othersThan({ tab: TAB, name }, viewers);
};
