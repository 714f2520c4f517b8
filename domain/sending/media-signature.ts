type Magic = readonly [at: number, text: string];

/** The first bytes of files of each type, as Latin-1; where several rows fit, the first row counts. */
const SIGNATURES: readonly (readonly [type: string, ...magic: Magic[]])[] = [
  ['image/jpeg', [0, '\xff\xd8\xff']],
  ['image/png', [0, '\x89PNG\r\n\x1a\n']],
  ['image/gif', [0, 'GIF87a']],
  ['image/gif', [0, 'GIF89a']],
  ['image/webp', [0, 'RIFF'], [8, 'WEBP']],
  ['audio/wav', [0, 'RIFF'], [8, 'WAVE']],
  ['audio/ogg', [0, 'OggS']],
  ['audio/amr', [0, '#!AMR']],
  ['audio/mpeg', [0, 'ID3']],
  ['audio/mpeg', [0, '\xff\xfb']],
  ['audio/mpeg', [0, '\xff\xfa']],
  ['audio/mpeg', [0, '\xff\xf3']],
  ['audio/mpeg', [0, '\xff\xf2']],
  ['audio/aac', [0, '\xff\xf1']],
  ['audio/aac', [0, '\xff\xf9']],
  ['audio/flac', [0, 'fLaC']],
  ['audio/mp4', [4, 'ftypM4A']],
  ['audio/mp4', [4, 'ftypM4B']],
  ['video/3gpp', [4, 'ftyp3g']],
  ['video/quicktime', [4, 'ftypqt']],
  ['image/heic', [4, 'ftyphei']],
  ['image/heic', [4, 'ftyphevc']],
  ['image/avif', [4, 'ftypmif1'], [16, 'avif']],
  ['image/heic', [4, 'ftypmif1']],
  ['image/heic', [4, 'ftypmsf1']],
  ['image/avif', [4, 'ftypavif']],
  ['image/tiff', [0, 'II*\0']],
  ['image/tiff', [0, 'MM\0*']],
  ['video/mp4', [4, 'ftyp']],
  ['video/webm', [0, '\x1aE\xdf\xa3']],
  ['application/pdf', [0, '%PDF-']],
  ['application/zip', [0, 'PK\x03\x04']],
  ['application/x-7z-compressed', [0, "7z\xbc\xaf'\x1c"]],
  ['application/vnd.rar', [0, 'Rar!\x1a\x07']],
  ['application/gzip', [0, '\x1f\x8b\x08']],
  ['application/rtf', [0, '{\\rtf']],
  ['application/x-ole-storage', [0, '\xd0\xcf\x11\xe0']],
  ['application/x-executable', [0, '\x7fELF']],
  ['application/x-executable', [0, '\xca\xfe\xba\xbe']],
  ['application/x-executable', [0, '\xcf\xfa\xed\xfe']],
  ['application/x-executable', [0, '\xce\xfa\xed\xfe']],
];

/** Programs write these also in forms that begin otherwise. */
const MAY_LACK_SIGNATURE = ['application/rtf', 'application/gzip', 'application/vnd.rar', 'image/tiff'];

/**
 * Files of these types always begin with their signature, so a file that claims such a type without its signature is of
 * another type.
 */
export const SIGNED_TYPES: ReadonlySet<string> = new Set(
  SIGNATURES.map(([type]) => type).filter((type) => !MAY_LACK_SIGNATURE.includes(type)),
);

const HEAD_BYTES = 1_024;
/**
 * Matches a web page after any comments. A comment ends at its first `-->`; a pattern that could also choose a later
 * end would let a crafted file keep the search busy for ever.
 */
const WEB_PAGE =
  /^(?:\xef\xbb\xbf)?\s*(?:<\?xml[^>]*>\s*)?(?:<!--(?:(?!-->).)*-->\s*)*<(?:!doctype html|html|head|body|script)\b/is;

/**
 * Matches the tags of a page anywhere in the first bytes, because programs that guess a file's type look beyond the
 * first tag, too.
 */
const SCRIPTED = /<(?:html|script|svg)[\s/>]/i;

/** Tells the type that the bytes themselves show; null when they show none. */
export function sniffType(bytes: Uint8Array): string | null {
  const head = latin1(bytes, 0, HEAD_BYTES);
  const found = SIGNATURES.find(([, ...magic]) => magic.every(([at, text]) => head.startsWith(text, at)));
  if (found) return found[0] === 'application/zip' ? (officeType(bytes) ?? found[0]) : found[0];
  if (isWindowsProgram(bytes, head)) return 'application/x-executable';
  // Every second byte of a page in UTF-16 is empty.
  const text = /^(?:\xff\xfe|\xfe\xff)/.test(head) ? head.slice(2).replaceAll('\0', '') : head;
  if (WEB_PAGE.test(text) || SCRIPTED.test(text)) return 'text/html';
  // A PDF may have other bytes before its signature, because readers accept that.
  return head.includes('%PDF-') ? 'application/pdf' : null;
}

const OFFICE = 'application/vnd.openxmlformats-officedocument';
const OFFICE_PARTS: readonly (readonly [part: string, type: string])[] = [
  ['word/', `${OFFICE}.wordprocessingml.document`],
  ['xl/', `${OFFICE}.spreadsheetml.sheet`],
  ['ppt/', `${OFFICE}.presentationml.presentation`],
];
const OF_FIRST_ENTRY = /^(application\/(?:vnd\.oasis\.opendocument\.[a-z-]{1,40}|epub\+zip))/;
const ENTRY_BYTES = 30;
const MAX_ENTRIES = 50;

/** Tells which office document an archive is, by its first entries; null for any other archive. */
function officeType(bytes: Uint8Array): string | null {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const names: string[] = [];
  let at = 0;
  while (names.length < MAX_ENTRIES && at + ENTRY_BYTES <= bytes.length && view.getUint32(at, true) === 0x04034b50) {
    const nameAt = at + ENTRY_BYTES;
    const contentAt = nameAt + view.getUint16(at + 26, true) + view.getUint16(at + 28, true);
    const name = latin1(bytes, nameAt, nameAt + Math.min(view.getUint16(at + 26, true), 200));
    if (names.length === 0 && name === 'mimetype') {
      return OF_FIRST_ENTRY.exec(latin1(bytes, contentAt, contentAt + 80))?.[1] ?? null;
    }
    names.push(name);
    at = contentAt + view.getUint32(at + 18, true);
  }
  // A document with macros is what its name or its server says.
  if (!names.includes('[Content_Types].xml') || names.some((name) => name.endsWith('vbaProject.bin'))) return null;
  return OFFICE_PARTS.find(([part]) => names.some((name) => name.startsWith(part)))?.[1] ?? null;
}

/**
 * Recognises a Windows program by its letters `MZ` and by the header to which they point, because a text could begin
 * with the two letters alone.
 */
function isWindowsProgram(bytes: Uint8Array, head: string): boolean {
  if (!head.startsWith('MZ') || bytes.length < 64) return false;
  const at = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength).getUint32(60, true);
  return latin1(bytes, at, at + 4) === 'PE\0\0';
}

function latin1(bytes: Uint8Array, from: number, to: number): string {
  return String.fromCharCode(...bytes.subarray(from, to));
}
