// Made from openapi.json by `npm run client`: change the routes, not this file.

/** A file to send. */
export interface Attachment {
  /** The address of the file: http or https, up to 2,048 characters, without a user name or password. The engine fetches it when the message goes out. */
  url?: string | undefined;
  /** The id of a file that was uploaded for the same tenant in the last 24 hours. It is already stored, so nothing is fetched when the message goes out. */
  fileId?: string | undefined;
  /** The file itself in base64, up to 900,000 characters. Upload larger files first and send their `fileId`. */
  data?: string | undefined;
  /** How the file is shown to the contact; `document` shows it as a file to open. */
  kind: 'image' | 'document' | 'audio' | 'video';
  /** The media type, such as `image/jpeg`. Defaults to what the server of the file says, or what its first bytes show. */
  mimeType?: string | undefined;
  /** The name that the contact sees. Defaults to the end of the URL. */
  fileName?: string | undefined;
  /** The caption of the file, up to 4096 characters. With audio it is sent as a separate text after the file. */
  caption?: string | undefined;
}

/** A place on the map. */
export interface SendLocation {
  /** Degrees north of the equator; south is negative. */
  latitude: number;
  /** Degrees east of Greenwich; west is negative. */
  longitude: number;
  /** The text under the map. */
  name?: string | undefined;
}

/** A person. The engine creates the contact card. */
export interface SendContact {
  /** The name of the person, in 1 to 256 characters. */
  name: string;
  /** The person's phone number with its country code. A number without one is read in the tenant's default country. */
  phone: string;
  /** The place where the person works. */
  organization?: string | undefined;
  /** The person's e-mail address. */
  email?: string | undefined;
}

/** A question with answers to choose from. */
export interface SendPoll {
  /** The question, 1 to 255 characters. */
  name: string;
  /** Two to twelve answers of 1 to 100 characters. No two may be the same. */
  options: string[];
  /** True if one person may choose several answers. Defaults to `false`. */
  multipleAnswers?: boolean | undefined;
}

/** A button under a message. */
export interface Button {
  /** `reply` sends its `id` back, `url` opens a page. */
  type: 'reply' | 'url';
  /** The text on the button, 1 to 64 characters. */
  text: string;
  /** The value returned in `selected.id` when the button is chosen. Defaults to `text`. */
  id?: string | undefined;
  /** The page that a `url` button opens, http or https. Required for `url` buttons. */
  url?: string | undefined;
}

/** One choice of a list. */
export interface ListRow {
  /** A description of the row, 1 to 256 characters. */
  title: string;
  /** The value returned in `selected.id` when the row is chosen. */
  rowId: string;
  /** A smaller line below the title. */
  description?: string | undefined;
}

/** The tenant whose agent to read. */
export interface ReadAgent {
  /** The agency's id. Only the master key needs it, if the request names no object of the agency. */
  agencyId?: string | undefined;
  /** The tenant's id. Omit it with a session's key, or if the request names an object of the tenant. */
  tenantId?: string | undefined;
}

/** An opening on one day of the week; a day can have several. */
export interface WorkingHours {
  /** The day of the week. */
  day: 'monday' | 'tuesday' | 'wednesday' | 'thursday' | 'friday' | 'saturday' | 'sunday';
  /** When it opens, as hours and minutes such as 09:00. */
  from: string;
  /** When it closes, at most 24:00, as hours and minutes such as 09:00. */
  to: string;
}
