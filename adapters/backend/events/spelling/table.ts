/** The engines behind a backend. Each shows a message in a shape of its own. */
export const ENGINES = ['NOWEB', 'WEBJS', 'GOWS', 'WPP'] as const;
export type Engine = (typeof ENGINES)[number];

/**
 * Says how a spelling is known: from a payload that a real backend has sent, from the source of the engine or of the
 * backend, or from a public report. Our captures are NOWEB's.
 */
type Origin = `captured: ${string}` | `source: ${string}` | `report: ${string}`;

/** The places of a fact in a payload, as paths; `*` is any name. */
interface Told {
  at: readonly string[];
  /** The values that mean the fact, where it is not any value but false. */
  is?: readonly unknown[];
  /** Only a text means it; other engines have something else at one of the places. */
  as?: 'text';
  origin: Origin;
}
/** The engine does not tell the fact, or the backend tells it by an event of its own. */
interface Untold {
  at: readonly [];
  because: string;
  origin: Origin;
}
type Cell = Told | Untold;

const WHATSMEOW = 'source: whatsmeow, types/events.Message and its UnwrapRaw';
const WEB_MODEL = 'source: whatsapp-web.js, structures/Message.js';
const WPP_MODEL = 'source: devlikeapro/waha, session.wpp.core.ts (toWAMessage passes the model on as _data)';
const BAILEYS_CONTEXT = 'source: Baileys, WAProto ContextInfo';

/** The words of a customer with an order come before the name of the shop. */
const WORDS_OF_MODEL = [
  '_data.message',
  '_data.contentText',
  '_data.orderTitle',
  '_data.title',
  '_data.listResponse.title',
  '_data.eventName',
] as const;
const SELECTION_OF_MODEL = [
  '_data.selectedButtonId',
  '_data.selectedRowId',
  '_data.listResponse.singleSelectReply.selectedRowId',
] as const;

/**
 * Each engine's place for each fact of a message. A reader asks the table, never an engine, because a backend may be of
 * any engine and may change it. `_data.message` and `_data.Message` are read behind what wraps the content.
 */
export const SPELLINGS = {
  viewOnce: {
    NOWEB: {
      at: [
        '_data.key.isViewOnce',
        '_data.message.viewOnceMessage',
        '_data.message.viewOnceMessageV2',
        '_data.message.viewOnceMessageV2Extension',
        '_data.message.ephemeralMessage.message.viewOnceMessage',
        '_data.message.ephemeralMessage.message.viewOnceMessageV2',
        'content.*.viewOnce',
      ],
      origin: 'report: devlikeapro/waha#1972, #1634',
    },
    WEBJS: { at: ['_data.isViewOnce'], origin: WEB_MODEL },
    GOWS: {
      at: [
        '_data.IsViewOnce',
        '_data.IsViewOnceV2',
        '_data.IsViewOnceV2Extension',
        '_data.RawMessage.viewOnceMessage',
        '_data.RawMessage.viewOnceMessageV2',
        '_data.RawMessage.viewOnceMessageV2Extension',
        '_data.Message.viewOnceMessage',
        '_data.Message.viewOnceMessageV2',
        '_data.Message.viewOnceMessageV2Extension',
      ],
      origin: WHATSMEOW,
    },
    WPP: { at: ['_data.isViewOnce'], origin: WPP_MODEL },
  },
  /** GOWS tells a view-once message that it cannot have as one that is not available. */
  viewOnceKind: {
    NOWEB: { at: [], because: 'The key says it.', origin: 'report: devlikeapro/waha#1972' },
    WEBJS: { at: ['_data.subtype'], is: ['view_once'], origin: WEB_MODEL },
    GOWS: {
      at: ['_data.UnavailableType'],
      is: ['view_once'],
      origin: 'source: whatsmeow, types/events.UndecryptableMessage',
    },
    WPP: { at: ['_data.subtype'], is: ['view_once'], origin: WPP_MODEL },
  },
  ephemeral: {
    NOWEB: {
      at: ['_data.message.ephemeralMessage', '_data.ephemeralDuration', 'content.*.contextInfo.expiration'],
      origin: 'captured: message.any ephemeralMessage',
    },
    WEBJS: { at: ['_data.ephemeralDuration', '_data.isEphemeral'], origin: WEB_MODEL },
    GOWS: { at: ['_data.IsEphemeral', '_data.RawMessage.ephemeralMessage'], origin: WHATSMEOW },
    WPP: { at: ['_data.ephemeralDuration', '_data.isEphemeral'], origin: WPP_MODEL },
  },
  edited: {
    NOWEB: { at: ['_data.message.editedMessage'], origin: 'captured: message.edited' },
    WEBJS: { at: ['_data.latestEditMsgKey', '_data.latestEditSenderTimestampMs'], origin: WEB_MODEL },
    GOWS: { at: ['_data.IsEdit', '_data.RawMessage.editedMessage'], origin: WHATSMEOW },
    WPP: { at: ['_data.latestEditMsgKey', '_data.latestEditSenderTimestampMs'], origin: WPP_MODEL },
  },
  forwarded: {
    NOWEB: { at: ['content.*.contextInfo.isForwarded'], origin: BAILEYS_CONTEXT },
    WEBJS: { at: ['_data.isForwarded'], origin: WEB_MODEL },
    GOWS: { at: ['content.*.contextInfo.isForwarded'], origin: 'source: whatsmeow, waE2E ContextInfo' },
    WPP: { at: ['_data.isForwarded'], origin: WPP_MODEL },
  },
  broadcast: {
    NOWEB: { at: ['_data.broadcast'], origin: 'captured: message.any, `broadcast: false`' },
    WEBJS: { at: ['_data.broadcast'], origin: WEB_MODEL },
    GOWS: {
      at: ['_data.Info.BroadcastListOwner', '_data.Info.Multicast'],
      origin: 'source: whatsmeow, types.MessageSource',
    },
    WPP: { at: ['_data.broadcast'], origin: WPP_MODEL },
  },
  /** The other address of the person whom the message is with. Groups have their own row. */
  otherAddress: {
    NOWEB: {
      at: ['_data.key.remoteJidAlt', '_data.key.senderPn', '_data.key.senderLid'],
      origin: 'captured: message.any lid with remoteJidAlt',
    },
    WEBJS: { at: [], because: 'Asked by the route of hidden ids.', origin: 'source: devlikeapro/waha, lids routes' },
    GOWS: { at: ['_data.Info.SenderAlt'], origin: 'source: whatsmeow, types.MessageSource' },
    WPP: { at: [], because: 'Asked by the route of hidden ids.', origin: 'source: devlikeapro/waha, lids routes' },
  },
  otherAddressOfOwn: {
    NOWEB: { at: ['_data.key.remoteJidAlt'], origin: 'captured: message.any lid with remoteJidAlt' },
    WEBJS: { at: [], because: 'Asked by the route of hidden ids.', origin: 'source: devlikeapro/waha, lids routes' },
    GOWS: { at: ['_data.Info.RecipientAlt'], origin: 'source: whatsmeow, types.MessageSource' },
    WPP: { at: [], because: 'Asked by the route of hidden ids.', origin: 'source: devlikeapro/waha, lids routes' },
  },
  otherAddressInGroup: {
    NOWEB: {
      at: ['_data.key.participantAlt', '_data.key.participantPn', '_data.key.participantLid'],
      origin: 'captured: message.any group',
    },
    WEBJS: { at: [], because: 'Asked by the route of hidden ids.', origin: 'source: devlikeapro/waha, lids routes' },
    GOWS: { at: ['_data.Info.SenderAlt'], origin: 'source: whatsmeow, types.MessageSource' },
    WPP: { at: [], because: 'Asked by the route of hidden ids.', origin: 'source: devlikeapro/waha, lids routes' },
  },
  /** The content is still to come: the phone sends it again, under the same id. */
  placeholder: {
    NOWEB: {
      at: ['_data.messageStubType'],
      is: [2, '2', 'CIPHERTEXT'],
      origin: 'report: WhiskeySockets/Baileys#2334, #1723, #1034',
    },
    WEBJS: { at: ['_data.type'], is: ['ciphertext'], origin: 'report: avoylenko/wwebjs-api#13' },
    GOWS: {
      at: ['_data.IsUnavailable'],
      origin: 'source: whatsmeow, types/events.UndecryptableMessage',
    },
    WPP: { at: ['_data.type'], is: ['ciphertext'], origin: WPP_MODEL },
  },
  /** A device that gets no content of this sort, and never will unless the phone sends it again. */
  placeholderContent: {
    NOWEB: { at: ['_data.message.placeholderMessage'], origin: 'source: Baileys, WAProto Message' },
    WEBJS: { at: [], because: 'The type says it.', origin: WEB_MODEL },
    GOWS: { at: ['_data.Message.placeholderMessage'], origin: 'source: whatsmeow, waE2E Message' },
    WPP: { at: [], because: 'The type says it.', origin: WPP_MODEL },
  },
  /** The engine could not read it, and WhatsApp itself would show nothing of it. */
  hidden: {
    NOWEB: { at: [], because: 'It tells no such message.', origin: 'source: Baileys, Utils/decode-wa-message.ts' },
    WEBJS: { at: [], because: 'It tells no such message.', origin: WEB_MODEL },
    GOWS: {
      at: ['_data.DecryptFailMode'],
      is: ['hide'],
      origin: 'source: whatsmeow, types/events.UndecryptableMessage',
    },
    WPP: { at: [], because: 'It tells no such message.', origin: WPP_MODEL },
  },
  /** The frame of several pictures, which follow as messages of their own. */
  album: {
    NOWEB: { at: ['content.albumMessage'], origin: 'report: devlikeapro/waha#1405' },
    WEBJS: { at: ['_data.type'], is: ['album'], origin: WEB_MODEL },
    GOWS: { at: ['content.albumMessage'], origin: 'source: whatsmeow, waE2E Message' },
    WPP: { at: ['_data.type'], is: ['album'], origin: WPP_MODEL },
  },
  /** The addresses of the people whom the words name with @. */
  mentions: {
    NOWEB: { at: ['content.*.contextInfo.mentionedJid'], origin: BAILEYS_CONTEXT },
    WEBJS: { at: ['_data.mentionedJidList'], origin: WEB_MODEL },
    GOWS: { at: ['content.*.contextInfo.mentionedJID'], origin: 'source: whatsmeow, waE2E ContextInfo' },
    WPP: { at: ['_data.mentionedJidList'], origin: WPP_MODEL },
  },
  caption: {
    NOWEB: { at: ['content.*.caption'], origin: 'captured: message.any imageMessage' },
    WEBJS: { at: ['_data.caption'], origin: WEB_MODEL },
    GOWS: { at: ['content.*.caption'], origin: 'source: whatsmeow, waE2E ImageMessage' },
    WPP: { at: ['_data.caption'], origin: WPP_MODEL },
  },
  /** Words that a model of WhatsApp Web has in a field of their own, as those of buttons, orders and products. */
  wordsOfModel: {
    NOWEB: { at: [], because: 'Its contents have names, which `words.ts` lists.', origin: BAILEYS_CONTEXT },
    WEBJS: { at: WORDS_OF_MODEL, as: 'text', origin: WEB_MODEL },
    GOWS: { at: [], because: 'Its contents have names, which `words.ts` lists.', origin: WHATSMEOW },
    WPP: { at: WORDS_OF_MODEL, as: 'text', origin: WPP_MODEL },
  },
  /** A list that offers rows. */
  list: {
    NOWEB: { at: ['content.listMessage'], origin: BAILEYS_CONTEXT },
    WEBJS: { at: ['_data.list'], origin: 'source: whatsapp-web.js, structures/List.js' },
    GOWS: { at: ['content.listMessage'], origin: 'source: whatsmeow, waE2E ListMessage' },
    WPP: { at: ['_data.list'], origin: WPP_MODEL },
  },
  /** The id of the option that was pressed, where it lies flat; `selection.ts` reads the answers with a shape. */
  selection: {
    NOWEB: { at: ['content.*.selectedButtonId', 'content.*.selectedId'], origin: 'captured: button press' },
    WEBJS: { at: SELECTION_OF_MODEL, origin: WEB_MODEL },
    GOWS: {
      at: ['content.*.selectedButtonID', 'content.*.selectedID'],
      origin: 'source: whatsmeow, waE2E ButtonsResponseMessage',
    },
    WPP: { at: SELECTION_OF_MODEL, origin: WPP_MODEL },
  },
  /** A stub that stands for what the network itself says; 1 is a revoked message, 2 one whose content is to come. */
  stub: {
    NOWEB: { at: ['_data.messageStubType'], origin: 'source: Baileys, WAProto WebMessageInfo.StubType' },
    WEBJS: { at: [], because: 'The type says it.', origin: WEB_MODEL },
    GOWS: { at: ['_data.SourceWebMsg.messageStubType'], origin: WHATSMEOW },
    WPP: { at: [], because: 'The type says it.', origin: WPP_MODEL },
  },
} as const satisfies Record<string, Record<Engine, Cell>>;

export type Fact = keyof typeof SPELLINGS;
