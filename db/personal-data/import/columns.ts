import type { TableName } from '../tables.ts';

/** What is written instead of what the file says: `r` is its row, `$agency` the agency into which it is read. */
type Instead = Readonly<Record<string, string>>;

/** A file is where its digest says in our own store: what else a row says of its place is not believed. */
const PICTURE = `
  case when r.picture->>'sha256' ~ '^[0-9a-f]{64}$'
    then r.picture || jsonb_build_object('key', $agency || '/' || (r.picture->>'sha256')) end`;

/**
 * What an engine must not take over of another: nothing is sent, answered or begun by itself because it was imported.
 * The engine of before may be at it still.
 */
export const INSTEAD: Readonly<Partial<Record<TableName, Instead>>> = {
  session: {
    status: "'STOPPED'",
    wish: "'stopped'",
    picture: PICTURE,
  },
  contact: { picture: PICTURE },
  message: {
    status: `
      case when r.status in ('scheduled', 'queued') then 'cancelled' when r.status = 'sending' then 'uncertain'
        else r.status end`,
    error_code: `
      case when r.status in ('scheduled', 'queued') then 'imported' when r.status = 'sending' then 'outcome_unknown'
        else r.error_code end`,
    ended_at: `case when r.status in ('scheduled', 'queued', 'sending') then now() else r.ended_at end`,
    media: `
      case when r.media->'stored'->>'sha256' ~ '^[0-9a-f]{64}$' then r.media || jsonb_build_object('url', null,
          'stored', (r.media->'stored') || jsonb_build_object('key', $agency || '/' || (r.media->'stored'->>'sha256')))
        when r.media is not null then (r.media - 'stored') || jsonb_build_object('url', null) end`,
  },
  automation: { enabled: 'false', follows_agency: 'false' },
};
