import type { Attachment } from './generated/types.ts';

/** A file as browsers, workers and servers have it. */
export type GivenFile = Blob | ArrayBuffer | Uint8Array;

/** The facts of a file that its bytes do not give. */
export type AboutFile = Pick<Attachment, 'mimeType' | 'fileName' | 'caption'> & {
  kind?: Attachment['kind'] | undefined;
};

/** The types that the network shows in the chat; others are sent as documents, which people open. */
const SHOWN = {
  image: /^image\/(jpeg|png|webp|gif)\b/,
  audio: /^audio\/(ogg|mpeg|mp4|aac|amr|wav)\b/,
  video: /^video\/(mp4|3gpp|quicktime|webm)\b/,
} as const;
/** Arguments of one call are bounded. */
const CHUNK_BYTES = 32_768;

/**
 * Makes an attachment of a file that has no address: its type and name are those of the `Blob` or `File` unless `about` says
 * otherwise, and its kind is what the network shows of that type. Files of more than 675,000 bytes are uploaded first, by
 * `engine.files.attach`.
 */
export async function attachmentOf(file: GivenFile, about: AboutFile = {}): Promise<Attachment> {
  return { ...described(file, about), data: await base64Of(file) };
}

/** Returns an attachment's facts of a file, without its bytes. */
export function described(file: GivenFile, about: AboutFile): Omit<Attachment, 'data' | 'url' | 'fileId'> {
  const mimeType = about.mimeType ?? (file instanceof Blob && file.type !== '' ? file.type : undefined);
  const fileName = about.fileName ?? ('name' in file && typeof file.name === 'string' ? file.name : undefined);
  return { ...about, kind: about.kind ?? kindOf(mimeType), mimeType, fileName };
}

/** A file as `fetch` takes it. A `Blob` is not copied. */
export function bodyOfFile(file: GivenFile): Blob {
  return file instanceof Blob ? file : new Blob([file instanceof ArrayBuffer ? file : Uint8Array.from(file)]);
}

/** Writes a file in base64, as fields called `data` take it. */
export async function base64Of(file: GivenFile): Promise<string> {
  const buffer = file instanceof Blob ? await file.arrayBuffer() : file;
  const bytes = buffer instanceof Uint8Array ? buffer : new Uint8Array(buffer);
  let text = '';
  for (let at = 0; at < bytes.length; at += CHUNK_BYTES) {
    text += String.fromCharCode(...bytes.subarray(at, at + CHUNK_BYTES));
  }
  return btoa(text);
}

function kindOf(mimeType = ''): Attachment['kind'] {
  return (['image', 'audio', 'video'] as const).find((kind) => SHOWN[kind].test(mimeType)) ?? 'document';
}
