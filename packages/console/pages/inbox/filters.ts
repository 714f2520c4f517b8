import { query } from '../../shell/location.ts';

export const FILTERS = ['search', 'unread', 'waiting', 'mode', 'assigned', 'session'] as const;

/** The part of the address that stays when another conversation or pane is opened. */
export const filters = () => Object.fromEntries(FILTERS.map((name) => [name, query.value[name]]));
