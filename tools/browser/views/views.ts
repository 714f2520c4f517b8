import { MARKUP, NAME } from '../scene/hostile.ts';
import type { Storm } from '../scene/storm.ts';

/** One address of the console, and the words of strangers that must stand on it. */
export interface View {
  path: string;
  shows: readonly string[];
  /** True for a page with a chart. */
  draws?: boolean;
}

/** Every page with each of its views. */
export const viewsOf = (storm: Storm): View[] => [
  { path: '/inbox', shows: [NAME] },
  { path: `/inbox/${storm.conversation}`, shows: [NAME, ...storm.said] },
  { path: '/connect', shows: [] },
  { path: `/connect/${storm.session}`, shows: [] },
  { path: `/connect/${storm.unscanned}`, shows: [] },
  { path: '/message', shows: [MARKUP[0] ?? ''] },
  { path: '/message?status=scheduled', shows: [NAME] },
  { path: `/message/${storm.failed}`, shows: [MARKUP.join('\n')] },
  { path: '/events/endpoints', shows: [NAME] },
  { path: '/events/endpoints/new', shows: [] },
  { path: `/events/endpoints/${storm.endpoint}`, shows: [NAME] },
  { path: '/events/events', shows: [] },
  { path: `/events/events/${storm.event}`, shows: [] },
  { path: '/events/deliveries', shows: [NAME] },
  { path: `/events/deliveries/${storm.delivery}`, shows: [MARKUP[0] ?? ''] },
  { path: '/events/attempts', shows: [NAME] },
  { path: '/events/live', shows: [] },
  { path: '/agent/persona', shows: [] },
  { path: `/agent/rehearse?rehearsal=${storm.rehearsal}`, shows: [NAME] },
  { path: '/agent/memories', shows: MARKUP },
  { path: '/agent/usage', shows: [], draws: true },
  { path: '/automations/all', shows: [] },
  { path: '/automations/all/welcome-contact', shows: [] },
  { path: '/automations/runs', shows: [] },
  { path: `/automations/runs/${storm.execution}`, shows: [] },
  { path: '/workflows', shows: [NAME] },
  { path: `/workflows/${storm.workflow}`, shows: [NAME] },
  { path: '/operations/health', shows: [] },
  { path: '/operations/load', shows: [], draws: true },
  { path: '/operations/gaps', shows: [] },
  { path: '/operations/settings', shows: [] },
  { path: '/operations/keys', shows: [NAME] },
  { path: '/operations/links', shows: [NAME] },
  { path: '/operations/brand', shows: [] },
  { path: '/operations/audit', shows: [] },
  { path: '/operations/dashboards', shows: [NAME] },
  { path: '/operations/parked', shows: [] },
  { path: '/operations/servers', shows: [] },
  { path: '/nowhere', shows: [] },
];
