// Made from openapi.json by `npm run client`: change the routes, not this file.

/** A file to send. */
export interface Attachment {
  /** Where the file is: http or https, 2,048 characters at most, without a user name or password. The engine fetches it when the message goes out. Either this, `fileId` or `data`. */
  url?: string | undefined;
  /** The id of a file that was uploaded for the same tenant in the last 24 hours. It is in the store, so nothing is fetched when the message goes out. */
  fileId?: string | undefined;
  /** The file itself in base64, up to 900,000 characters; larger files are uploaded first, and named by their `fileId`. */
  data?: string | undefined;
  /** How the contact is shown the file: `document` as a file to open. */
  kind: 'image' | 'document' | 'audio' | 'video';
  /** The media type, such as `image/jpeg`; what the server of the file says when left out, or what its first bytes say. */
  mimeType?: string | undefined;
  /** The name that the contact sees; the end of the URL when left out. */
  fileName?: string | undefined;
  /** The words under the file, in 4096 characters at most. With audio they are a text of its own behind the file. */
  caption?: string | undefined;
}

/** A place on the map. */
export interface SendLocation {
  /** Degrees north of the equator; south is negative. */
  latitude: number;
  /** Degrees east of Greenwich; west is negative. */
  longitude: number;
  /** What is written under the map. */
  name?: string | undefined;
}

/** A person, of whom the engine makes a contact card. */
export interface SendContact {
  /** The name of the person, in 1 to 256 characters. */
  name: string;
  /** The person's phone number with its country code; one without is read in the tenant's default country. */
  phone: string;
  /** Where the person works. */
  organization?: string | undefined;
  /** The person's e-mail address. */
  email?: string | undefined;
}

/** A question with answers to choose from. */
export interface SendPoll {
  /** What is asked, in 1 to 255 characters. */
  name: string;
  /** Two to twelve answers of 1 to 100 characters. No two may be the same. */
  options: string[];
  /** True where one person may choose several answers. Left out, it is `false`. */
  multipleAnswers?: boolean | undefined;
}

/** A button under a message. */
export interface Button {
  /** `reply` sends its `id` back, `url` opens a page. */
  type: 'reply' | 'url';
  /** What is written on it, in 1 to 64 characters. */
  text: string;
  /** What comes back in `selected.id` when it is chosen; its `text` when left out. */
  id?: string | undefined;
  /** The page that a `url` button opens, http or https. Required for those. */
  url?: string | undefined;
}

/** One choice of a list. */
export interface ListRow {
  /** What the row offers, in 1 to 256 characters. */
  title: string;
  /** What comes back in `selected.id` when the row is chosen. */
  rowId: string;
  /** A smaller line below the title. */
  description?: string | undefined;
}

/** The tenant whose agent is read. */
export interface ReadAgent {
  /** The agency's id, as it was registered. Only the master key needs it; other keys may leave it out. 1 to 64 letters, digits, hyphens or underscores. */
  agencyId?: string | undefined;
  /** The tenant's id, as the agency chose it. A session's key leaves it out, and a dashboard's key may where the agency has one tenant alone or the path names something of the tenant. 1 to 64 letters, digits, hyphens or underscores. */
  tenantId?: string | undefined;
}

/** One opening on one day of the week; a day may have several. */
export interface WorkingHours {
  /** The day of the week. */
  day: 'monday' | 'tuesday' | 'wednesday' | 'thursday' | 'friday' | 'saturday' | 'sunday';
  /** When it opens, as hours and minutes such as 09:00. */
  from: string;
  /** When it closes, at most 24:00, as hours and minutes such as 09:00. */
  to: string;
}
