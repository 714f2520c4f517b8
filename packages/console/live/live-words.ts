import { t } from '../parts/words/t.ts';
import type { LiveState } from './live.ts';

export const LIVE_WORDS: Readonly<Record<LiveState, string>> = {
  connecting: t('Connecting …'),
  'catching-up': t('Catching up …'),
  live: t('Live'),
  offline: t('Offline'),
  paused: t('Paused'),
  polled: t('Reads every 5 s'),
  unheard: t('No live updates'),
};
