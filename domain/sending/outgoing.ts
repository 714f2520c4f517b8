import type { ContactCard, Location, Poll } from '../network/message-content.ts';
import type { Buttons, Forwarded, List, MediaKind } from './content.ts';

/** A file on its way to the backend, which never fetches a tenant's URL itself. */
export interface OutgoingFile {
  data: Buffer;
  mimeType: string;
  fileName: string | null;
}

interface OutgoingBase {
  /** The session's name at the backend. */
  session: string;
  chatId: string;
  /** The network id, chosen before the call where the backend supports that; else null. */
  networkId: string | null;
  replyTo: { networkId: string; fromMe: boolean } | null;
  /** Chat ids of the people that the text names. */
  mentions: readonly string[];
}

/**
 * A message as the backend's client takes it; `text` is the caption of a file and the body of an interactive message.
 */
export type Outgoing = OutgoingBase &
  (
    | { kind: 'text'; text: string }
    | { kind: MediaKind; text: string; file: OutgoingFile }
    | { kind: 'buttons'; text: string; buttons: Buttons }
    | { kind: 'list'; text: string; list: List }
    | { kind: 'location'; location: Pick<Location, 'latitude' | 'longitude' | 'name'> }
    | { kind: 'contact'; contacts: readonly Pick<ContactCard, 'vcard'>[] }
    | { kind: 'poll'; poll: Poll }
    | { kind: 'forward'; forwarded: Pick<Forwarded, 'networkId' | 'fromMe' | 'chatId' | 'participant'> }
  );
