import type { ComponentType } from 'preact';
import type { Who } from './who.ts';
import type { Params } from './router.ts';

export interface PageProps {
  params: Params;
}

/** A page of the console: one folder, and one line in `packages/console/pages/index.ts`. */
export interface Page {
  name: string;
  /** Its pattern, such as `/message/:id`. */
  path: string;
  title: string;
  /** Loaded when somebody goes there. */
  load: () => Promise<{ default: ComponentType<PageProps> }>;
  /** Not in the menu. */
  hidden?: boolean;
  /** The key that opens it after `g`. */
  key?: string;
  /** For whom it is; for everybody where missing. */
  only?: (who: Who) => boolean;
}
