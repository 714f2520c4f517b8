import type { OutgoingFile, Outgoing } from '../../../domain/sending/outgoing.ts';
import { asNumberedText, buttonId, rendersNatively } from '../../../domain/sending/interactive.ts';
import type { JsonFile } from '../http/json-body.ts';
import { shownName } from '../../../domain/sending/file-name.ts';
import { plainType } from '../../../domain/sending/media.ts';
import { serializeMessageId } from '../events/message-id.ts';

/** The form in which an interactive message reaches contacts. */
export type RenderedAs = 'native' | 'text';

/** One call that sends a message. */
export interface SendRequest {
  path: string;
  body: Record<string, unknown>;
  file?: JsonFile;
  /** Fields that the backend takes without documenting them; a backend that refuses a field by name does not get it. */
  undocumented?: Record<string, unknown>;
  /** The id under which the message certainly goes out; null when the backend chooses or may choose the id. */
  networkId: string | null;
  renderedAs?: RenderedAs;
}

type OutgoingMedia = Extract<Outgoing, { file: OutgoingFile }>;

type Ways = [SendRequest, ...SendRequest[]];

/**
 * Lists the ways to send a message, the best first. The next way is tried only when the backend has certainly refused
 * the one before because it does not know how to do it.
 */
export function waysToSend(message: Outgoing, platform: string | null): Ways {
  switch (message.kind) {
    case 'text':
      return [text(message, message.text)];
    case 'image':
      return media(message, platform, '/api/sendImage', { ...caption(message) });
    case 'video':
      return media(message, platform, '/api/sendVideo', {
        ...caption(message),
        // The network plays only MP4. Converting is slow, so an MP4 is not converted.
        convert: message.file.mimeType !== 'video/mp4',
      });
    case 'audio':
      return isVoiceNote(message)
        ? media(message, platform, '/api/sendVoice', { convert: true })
        : media(named(message), platform, '/api/sendFile', { ...caption(message) });
    case 'document':
      return media(named(message), platform, '/api/sendFile', { ...caption(message) });
    case 'buttons': {
      const asText = { ...text(message, asNumberedText(message.text, message.buttons)), renderedAs: 'text' as const };
      return rendersNatively('buttons', platform, addressee(message)) ? [buttons(message), asText] : [asText];
    }
    case 'list': {
      const asText = { ...text(message, asNumberedText(message.text, message.list)), renderedAs: 'text' as const };
      return rendersNatively('list', platform, addressee(message)) ? [list(message), asText] : [asText];
    }
    case 'location': {
      const { latitude, longitude, name } = message.location;
      const place = { latitude, longitude, title: name ?? '' };
      return [underItsId(message, '/api/sendLocation', { ...place, ...replyTo(message) })];
    }
    case 'contact': {
      const contacts = message.contacts.map(({ vcard }) => ({ vcard }));
      return [underItsId(message, '/api/sendContactVcard', { contacts, ...replyTo(message) })];
    }
    case 'poll': {
      const { name, options, multipleAnswers } = message.poll;
      return [underItsId(message, '/api/sendPoll', { poll: { name, options, multipleAnswers }, ...replyTo(message) })];
    }
    case 'forward':
      return [underItsId(message, '/api/forwardMessage', { messageId: serializeMessageId(message.forwarded) })];
  }
}

/**
 * Matches formats that people play from files (MP3, uncompressed and lossless sound); recorders make all other formats.
 */
const NO_RECORDING = /^audio\/(mpeg|mp3|(x-|vnd\.)?wave?|(x-)?flac)\b/i;

/**
 * Tells whether audio is sent as a voice note: it must be a recording, and have no text, which a voice note cannot
 * show.
 */
function isVoiceNote({ text: words, file: { mimeType } }: { text: string; file: OutgoingFile }): boolean {
  return words === '' && !NO_RECORDING.test(mimeType);
}

/** The backend makes a preview by fetching the address, from inside the operator's network and past the egress. */
function text(message: Outgoing, words: string): SendRequest {
  const parts = { text: words, linkPreview: false, ...mentions(message), ...replyTo(message) };
  return underItsId(message, '/api/sendText', parts);
}

/** Makes a call that goes under the chosen id: the backend documents the id for texts and these kinds. */
function underItsId(message: Outgoing, path: string, parts: Record<string, unknown>): SendRequest {
  const { networkId } = message;
  const id = networkId === null ? {} : { id: networkId };
  return { path, body: { ...address(message), ...parts, ...id }, networkId };
}

/**
 * Makes the call that sends a file. NOWEB uses a chosen id for files, too, without promising it
 * (`docs/extend/backend.md#sending`, 3). So the id is sent there, for the echo to bear it, and is believed only when
 * the answer names it.
 */
function media(message: OutgoingMedia, platform: string | null, path: string, parts: Record<string, unknown>): Ways {
  const { data, mimeType, fileName } = message.file;
  const takesId = platform?.toUpperCase() === 'NOWEB' && message.networkId !== null;
  return [
    {
      path,
      body: { ...address(message), ...parts, ...replyTo(message) },
      file: { data, about: { mimetype: mimeType, ...(fileName === null ? {} : { filename: fileName }) } },
      undocumented: { ...(takesId ? { id: message.networkId } : {}), ...mentions(message) },
      networkId: null,
    },
  ];
}

/** Makes the call that sends buttons, for which the backend takes neither a chosen id nor a quote. */
function buttons(message: Extract<Outgoing, { kind: 'buttons' }>): SendRequest {
  const { header, footer } = message.buttons;
  return {
    path: '/api/sendButtons',
    body: {
      ...address(message),
      header: header ?? '',
      body: message.text,
      footer: footer ?? '',
      buttons: message.buttons.buttons.map((button) =>
        button.type === 'url'
          ? { type: 'url', text: button.text, url: button.url }
          : { type: 'reply', text: button.text, id: buttonId(button) },
      ),
    },
    networkId: null,
    renderedAs: 'native',
  };
}

function list(message: Extract<Outgoing, { kind: 'list' }>): SendRequest {
  return {
    path: '/api/sendList',
    body: {
      ...address(message),
      message: { ...message.list, ...(message.text === '' ? {} : { description: message.text }) },
      ...replyTo(message),
    },
    networkId: null,
    renderedAs: 'native',
  };
}

function addressee({ chatId, replyTo: quoted }: Outgoing): { chatId: string; quotes: boolean } {
  return { chatId, quotes: quoted !== null };
}

function address({ session, chatId }: Outgoing): { session: string; chatId: string } {
  return { session, chatId };
}

function caption(message: OutgoingMedia): { caption?: string } {
  return message.text === '' ? {} : { caption: message.text };
}

function mentions({ mentions: people }: Outgoing): { mentions?: readonly string[] } {
  return people.length === 0 ? {} : { mentions: people };
}

/** Quotes a message by its whole id, which every engine takes; only some take the bare id. */
function replyTo({ replyTo: quoted, chatId }: Outgoing): { reply_to?: string } {
  return quoted === null ? {} : { reply_to: serializeMessageId({ ...quoted, chatId }) };
}

/** Names a document that has no name or no ending, because phones open it by its ending. */
function named<M extends OutgoingMedia>(message: M): M {
  const { kind, file } = message;
  return { ...message, file: { ...file, fileName: shownName(kind, plainType(file.mimeType), file.fileName) } };
}
