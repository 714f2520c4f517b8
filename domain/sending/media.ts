import type { MediaKind } from './content.ts';
import { typeOfName } from './file-types.ts';
import { cleanFileName } from './file-name.ts';
import { SIGNED_TYPES, sniffType } from './media-signature.ts';

/** A part of a file; both the first and the last byte belong to it. */
export interface ByteRange {
  first: number;
  last: number;
}

/** A file that is not in memory, read piece by piece. */
export interface FileContent {
  sizeBytes: number;
  /** The same memory may hold one piece after the other: each may be used until the next is asked for. */
  chunks(): AsyncIterable<Uint8Array>;
}

/** Keeps files under a key that is made of their content, so a file that comes twice is stored once. */
export interface MediaStore {
  /** Stores the file. Safe to repeat, because a reader finds the whole file or none. */
  put(key: string, content: Uint8Array | FileContent, mimeType: string): Promise<void>;
  /** Reads the file, or the range of it; null when the store has no file under the key. */
  get(key: string, range?: ByteRange): Promise<AsyncIterable<Uint8Array> | null>;
  /** Deletes the file, if there is one. */
  delete(key: string): Promise<void>;
  /** Lists the keys behind this one in the order of their bytes, those of thumbnails not. */
  keys(after: string): AsyncIterable<string>;
}

export type MediaFailure = 'media_unavailable' | 'media_too_large' | 'media_type_refused' | 'media_storage_full';

const KEY = /^[A-Za-z0-9_-]{1,64}\/[0-9a-f]{64}$/;

/** True for a key that {@link mediaKey} makes; a store may hold other things besides. */
export function isMediaKey(key: string): boolean {
  return KEY.test(key);
}

export function mediaKey(agencyId: string, sha256: string): string {
  const key = `${agencyId}/${sha256}`;
  if (!isMediaKey(key)) throw new Error('A media key is an agency id and a SHA-256.');
  return key;
}

/** The agency whose file it is. */
export function agencyOfMedia(key: string): string {
  return key.slice(0, key.indexOf('/'));
}

/** The key of a picture's thumbnail, which is made of the picture alone, and so is there and goes with it. */
export function thumbnailKey(key: string): string {
  return `${key}.webp`;
}

const MEBIBYTE = 1_048_576;

/**
 * Returns the largest size of a file of this kind that is sent. The network bounds images and audio; for documents and
 * videos only the engine's own bound counts.
 */
export function mediaLimit(kind: MediaKind, maxBytes: number): number {
  return kind === 'image' || kind === 'audio' ? Math.min(maxBytes, 16 * MEBIBYTE) : maxBytes;
}

const TAKEN: Readonly<Record<Exclude<MediaKind, 'document'>, readonly string[]>> = {
  image: ['image/jpeg', 'image/png', 'image/webp', 'image/gif'],
  audio: ['audio/ogg', 'audio/mpeg', 'audio/mp4', 'audio/aac', 'audio/amr', 'audio/wav', 'audio/3gpp'],
  video: ['video/mp4', 'video/3gpp', 'video/quicktime', 'video/webm'],
};

const ALIASES: Readonly<Record<string, string>> = {
  'image/jpg': 'image/jpeg',
  'audio/mp3': 'audio/mpeg',
  'audio/opus': 'audio/ogg',
  'audio/m4a': 'audio/mp4',
  'audio/x-m4a': 'audio/mp4',
  'audio/wave': 'audio/wav',
  'audio/x-wav': 'audio/wav',
  'audio/m4b': 'audio/mp4',
  'audio/x-flac': 'audio/flac',
  'audio/amr-nb': 'audio/amr',
  'audio/amr-wb': 'audio/amr',
  'audio/3gp': 'audio/3gpp',
  'video/3gp': 'video/3gpp',
  'video/3gpp2': 'video/3gpp',
  'image/heif': 'image/heic',
  'text/rtf': 'application/rtf',
  'application/x-rtf': 'application/rtf',
  'application/csv': 'text/csv',
  'text/x-csv': 'text/csv',
  'application/x-rar-compressed': 'application/vnd.rar',
  'application/x-gzip': 'application/gzip',
  'application/x-pdf': 'application/pdf',
};
/** These types say nothing about a file, or only how it is packed. */
export const GENERIC_TYPES: readonly string[] = [
  'application/octet-stream',
  'binary/octet-stream',
  'application/binary',
  'application/unknown',
  'application/download',
  'application/x-download',
  'application/force-download',
  'application/zip',
  'application/x-zip',
  'application/x-zip-compressed',
  'application/x-ole-storage',
  'application/vnd.ms-office',
];
/** Servers say so of every file that they take for text, so the name may know more. */
const TEXT = 'text/plain';
/** The bytes of these show how something is packed; another type may say more of what is in it. */
const CONTAINERS = /^(?:audio\/|video\/|application\/(?:vnd\.openxmlformats|vnd\.oasis|gzip|rtf))/;
/** Files that run when they are opened, recognised by type or name; web pages and their drawings are among them. */
const PROGRAM_TYPES =
  /^(text\/html|application\/(xhtml\+xml|hta)|image\/svg\+xml|(text|application)\/(x-)?(javascript|ecmascript|vbscript)|application\/(x-(msdownload|msdos-program|dosexec|executable|msi|ms-installer|sh|bat|java-archive|apple-diskimage)|java-archive|vnd\.android\.package-archive|vnd\.microsoft\.portable-executable))$/;
const PROGRAM_NAMES =
  /\.(html?|xhtml|shtml|mhtml?|svgz?|exe|scr|pif|bat|cmd|ps1|jse?|mjs|vb[es]|ws[fh]|hta|ms[ip]|cpl|lnk|reg|jar|apk|sh|dmg|pkg)$/i;

/**
 * Tells the type as which a file that somebody has sent is kept. It is what the bytes show, so that a browser never runs
 * a page that is called a photo; what they do not show is believed only where nothing of the kind can run.
 */
export function receivedType(
  kind: string,
  head: Uint8Array,
  claimedType: string | null,
  fileName: string | null = null,
): string {
  const shown = sniffType(head);
  if (shown === 'text/html' || shown === 'application/x-executable') return UNKNOWN_TYPE;
  if (kind === 'audio' && shown !== null) return asAudio(shown);
  const claimed = plainType(claimedType);
  const isLie = claimed === null || PROGRAM_TYPES.test(claimed) || SIGNED_TYPES.has(claimed);
  const isSpecific = !isLie && !GENERIC_TYPES.includes(claimed) && claimed !== TEXT;
  if (isSpecific && (shown === null ? !claimed.startsWith('image/') : GENERIC_TYPES.includes(shown))) return claimed;
  if (shown !== null && !GENERIC_TYPES.includes(shown)) return shown;
  const named = kind === 'document' ? typeOfName(fileName ?? '', shown) : null;
  return named ?? (shown === null && claimed === TEXT ? TEXT : (shown ?? UNKNOWN_TYPE));
}

/** Finds the type of a document that was kept as a mere archive; null where its name tells no other. */
export function repairedType(keptType: string, fileName: string): string | null {
  if (!GENERIC_TYPES.includes(keptType)) return null;
  const shown = keptType === UNKNOWN_TYPE ? null : keptType;
  const named = PROGRAM_NAMES.test(fileName.trim()) ? null : typeOfName(fileName, shown);
  return named === keptType ? null : named;
}

const UNKNOWN_TYPE = 'application/octet-stream';
/** Browsers display these types; they save all others. */
const SHOWN_BY_BROWSERS = new Set<string>([...TAKEN.image, ...TAKEN.audio, ...TAKEN.video]);

/** True for files that a browser may show in its window, because nothing in them can run. */
export function mayBeShown(mimeType: string | null): boolean {
  return mimeType !== null && SHOWN_BY_BROWSERS.has(mimeType);
}

/** Other common types that no browser runs as a script, a style sheet or a page of the engine's origin. */
const INERT_DOCUMENTS = new Set([
  'application/gzip',
  'application/json',
  'application/msword',
  'application/pdf',
  'application/rtf',
  'application/vnd.ms-excel',
  'application/vnd.ms-powerpoint',
  'application/vnd.oasis.opendocument.presentation',
  'application/vnd.oasis.opendocument.spreadsheet',
  'application/vnd.oasis.opendocument.text',
  'application/vnd.openxmlformats-officedocument.presentationml.presentation',
  'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  'application/vnd.rar',
  'application/x-7z-compressed',
  'application/zip',
  'text/calendar',
  'text/csv',
  'text/plain',
  'text/vcard',
]);

/**
 * Tells the type as which a file is served. Browsers know more names of scripts than any list of ours, so a type that
 * is not known to be harmless is served as bytes.
 */
export function servedType(mimeType: string | null): string {
  const isKnown = mimeType !== null && (SHOWN_BY_BROWSERS.has(mimeType) || INERT_DOCUMENTS.has(mimeType));
  return isKnown ? mimeType : UNKNOWN_TYPE;
}

export type MediaCheck = { mimeType: string } | { refused: string };

/**
 * Tells a file's type, or why the file is refused. For images, audio and video the bytes decide. A document may be of
 * any type but a program and a web page: people send links to those, and a page is nearly always a login or an error
 * that the address answered instead of the file. The name is judged as it is stored: cleaning turns `evil.exe.` into
 * the name of a program.
 */
export function checkMedia(
  kind: MediaKind,
  bytes: Uint8Array,
  named: { byTenant: string | null; byServer: string | null; fileName?: string | null },
): MediaCheck {
  const shown = sniffType(bytes);
  if (bytes.length === 0) return { refused: 'The file is empty.' };
  if (shown === 'text/html') return { refused: 'The address returns a web page, not a file; it may require a login.' };
  if (shown === 'application/x-executable' || PROGRAM_NAMES.test(cleanFileName(named.fileName ?? '') ?? '')) {
    return { refused: 'Programs and web pages are not sent.' };
  }
  return kind === 'document' ? documentType(shown, named) : listedType(kind, shown);
}

/**
 * Tells a file's type before anybody has said as what it is sent, or why nothing takes it. A client names the type by the
 * file's ending, so a picture that is called otherwise than it is passes here as what it is.
 */
export function checkUpload(bytes: Uint8Array, claimedType: string | null, fileName: string | null): MediaCheck {
  const claimed = plainType(claimedType);
  const isLie = claimed !== null && SIGNED_TYPES.has(claimed) && !isSame(claimed, sniffType(bytes));
  return checkMedia('document', bytes, { byTenant: isLie ? null : claimedType, byServer: null, fileName });
}

function listedType(kind: Exclude<MediaKind, 'document'>, shown: string | null): MediaCheck {
  // The same container holds audio and video, and a file that is sent as audio is played as audio.
  const type = kind === 'audio' && shown !== null ? asAudio(shown) : shown;
  if (type !== null && TAKEN[kind].includes(type)) return { mimeType: type };
  const taken = TAKEN[kind].map((name) => name.slice(name.indexOf('/') + 1)).join(', ');
  return { refused: `As ${kind} the network accepts ${taken}; this is ${type ?? 'none of them'}.` };
}

const AUDIO_NAMES = /\.m4[ab]$/i;

/** A container that holds sound or pictures is played as sound where it was sent as sound. */
function asAudio(shown: string): string {
  return shown === 'video/mp4' ? 'audio/mp4' : shown === 'video/3gpp' ? 'audio/3gpp' : shown;
}

/**
 * The bytes decide before the request, the server and the name, but where they show only how a file is packed. A type
 * that is generic says nothing.
 */
function documentType(
  shown: string | null,
  { byTenant, byServer, fileName }: { byTenant: string | null; byServer: string | null; fileName?: string | null },
): MediaCheck {
  const claimed = plainType(byTenant);
  if (claimed !== null && PROGRAM_TYPES.test(claimed)) return { refused: 'Programs and web pages are not sent.' };
  if (claimed !== null && SIGNED_TYPES.has(claimed) && !isSame(claimed, shown)) {
    return { refused: `The file is not ${claimed}, although its declared type says so.` };
  }
  const told = plainType(byServer);
  // A server guesses, too: bytes without the signature of its type are not of that type.
  const isLie = told !== null && (PROGRAM_TYPES.test(told) || (SIGNED_TYPES.has(told) && !isSame(told, shown)));
  const served = isLie ? null : told;
  const named = typeOfName(fileName ?? '', shown);
  const isDecided = shown !== null && !GENERIC_TYPES.includes(shown) && !CONTAINERS.test(shown);
  const isSound =
    shown !== null && asAudio(shown) !== shown && (asAudio(shown) === served || AUDIO_NAMES.test(fileName ?? ''));
  const candidates = [isDecided ? shown : null, claimed, isSound ? asAudio(shown) : shown];
  const ways = [...candidates, served === TEXT ? null : served, named, served];
  const specific = ways.find((type) => type !== null && !GENERIC_TYPES.includes(type));
  return { mimeType: specific ?? shown ?? UNKNOWN_TYPE };
}

function isSame(claimed: string, shown: string | null): boolean {
  return claimed === shown || (shown !== null && asAudio(shown) === claimed);
}

/** Answers a type without parameters and in its usual spelling; null when it is not a type at all. */
export function plainType(named: string | null): string | null {
  const type = named?.split(';')[0]?.trim().toLowerCase() ?? '';
  if (!/^[a-z]+\/[a-z0-9][a-z0-9.+-]{0,100}$/.test(type)) return null;
  return ALIASES[type] ?? type;
}
