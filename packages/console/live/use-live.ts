import { useEffect, useRef } from 'preact/hooks';
import type { StreamedEvent } from '../../typescript/src/index.ts';
import { onEvent } from './live.ts';

/** Tells the component of these events for as long as it is shown. */
export const useLive = (types: readonly string[], listener: (event: StreamedEvent) => void): void => {
  const latest = useRef(listener);
  latest.current = listener;
  useEffect(() => onEvent(types, (event) => latest.current(event)), [types.join(' ')]);
};
