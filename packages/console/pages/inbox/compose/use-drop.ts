import { useEffect, useRef, useState } from 'preact/hooks';
import { filesOf } from '../draft.ts';
import type { File } from '../draft.ts';

const hasFiles = (event: DragEvent): boolean => event.dataTransfer?.types.includes('Files') === true;

/**
 * Takes files that are dropped anywhere on the page. The browser would otherwise open them in place of the console.
 * Says whether files are being dragged over the page.
 */
export const useDrop = (take: (files: readonly File[]) => void): boolean => {
  const latest = useRef(take);
  latest.current = take;
  const [isOver, setOver] = useState(false);
  useEffect(() => {
    const over = (event: DragEvent): void => {
      if (!hasFiles(event)) return;
      event.preventDefault();
      setOver(true);
    };
    const left = (event: DragEvent): void => {
      // Only the page's own edge has no element behind it.
      if (event.relatedTarget === null) setOver(false);
    };
    const dropped = (event: DragEvent): void => {
      if (!hasFiles(event)) return;
      event.preventDefault();
      setOver(false);
      if (!document.querySelector('dialog[open]')) latest.current(filesOf(event.dataTransfer?.files ?? []));
    };
    document.addEventListener('dragover', over);
    document.addEventListener('dragleave', left);
    document.addEventListener('drop', dropped);
    return () => {
      document.removeEventListener('dragover', over);
      document.removeEventListener('dragleave', left);
      document.removeEventListener('drop', dropped);
    };
  }, []);
  return isOver;
};
