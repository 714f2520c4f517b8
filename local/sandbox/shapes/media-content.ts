import { createHash } from 'node:crypto';
import type { Message } from '../state/message.ts';

/** Describes a file as the network does. Nothing is encrypted here; the digests only look like real ones. */
export function mediaContent(message: Message): object {
  const { media, kind, id, body } = message;
  const digest = createHash('sha256').update(id).digest('base64');
  const path = `/m/${id.toLowerCase()}.enc`;
  const isVoice = kind === 'voice';
  return {
    [`${mediaType(kind)}Message`]: {
      url: `https://mmg.whatsapp.invalid${path}`,
      mimetype: media?.mimetype,
      caption: body === '' ? undefined : body,
      fileSha256: digest,
      fileLength: String(Buffer.byteLength(media?.data ?? '', 'base64')),
      seconds: isVoice ? 0 : undefined,
      ptt: isVoice ? true : undefined,
      viewOnce: message.viewOnce,
      mediaKey: digest,
      fileName: kind === 'file' ? (media?.filename ?? undefined) : undefined,
      fileEncSha256: digest,
      directPath: path,
      mediaKeyTimestamp: String(message.timestamp),
    },
  };
}

export function mediaType(kind: Message['kind']): string {
  if (kind === 'voice') return 'audio';
  return kind === 'file' ? 'document' : kind;
}
