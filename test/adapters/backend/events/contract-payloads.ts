/** The envelope that the backend puts around every payload (`docs/extend/backend.md#events`, 4). */
export function envelope(event: string, payload: unknown, over: Record<string, unknown> = {}): string {
  return JSON.stringify({
    id: 'evt_01m7xxm51e71rnp2k2evbd4zh9',
    timestamp: 1795226735662,
    event,
    session: 'default',
    metadata: { 'user.id': '1' },
    me: { id: '15551230000@c.us', pushName: 'Test Account', lid: '99887766554433@lid' },
    payload,
    engine: 'NOWEB',
    environment: { version: '2025.11.3', engine: 'NOWEB', tier: 'CORE', browser: null },
    ...over,
  });
}

const direct = {
  id: 'false_15557654321@c.us_3A0000000000000000A1',
  timestamp: 1795226735,
  from: '15557654321@c.us',
  fromMe: false,
  source: 'app',
  body: 'Hi there',
  hasMedia: false,
  media: null,
  ack: 2,
  ackName: 'DEVICE',
  location: null,
  vCards: null,
  replyTo: null,
};

/** The payloads as the backend sends them, letter by letter. */
export const payloads = {
  direct: {
    ...direct,
    _data: {
      key: { remoteJid: '15557654321@s.whatsapp.net', fromMe: false, id: '3A0000000000000000A1' },
      messageTimestamp: 1795226735,
      pushName: 'Alice',
      message: { conversation: 'Hi there' },
      status: 3,
    },
  },
  hiddenUser: {
    ...direct,
    id: 'false_123456789012345@lid_3A0000000000000000A2',
    from: '123456789012345@lid',
    body: 'lid msg',
    replyTo: {
      id: '3EB0785ED5B14F01C04FDE',
      participant: '15551230000@c.us',
      body: 'hello',
      _data: { conversation: 'hello' },
    },
    _data: {
      key: {
        remoteJid: '123456789012345@lid',
        remoteJidAlt: '15557654321@s.whatsapp.net',
        fromMe: false,
        id: '3A0000000000000000A2',
        addressingMode: 'lid',
      },
      pushName: 'Alice',
    },
  },
  group: {
    ...direct,
    id: 'false_120363000000000000@g.us_3A0000000000000000A3_123456789012345@lid',
    from: '120363000000000000@g.us',
    to: '120363000000000000@g.us',
    participant: '123456789012345@lid',
    body: 'hello all',
    _data: {
      key: {
        remoteJid: '120363000000000000@g.us',
        participant: '123456789012345@lid',
        participantAlt: '15557654321@s.whatsapp.net',
      },
      pushName: 'Alice',
    },
  },
  own: {
    ...direct,
    id: 'true_15557654321@c.us_3EB0785ED5B14F01C04FDE',
    timestamp: 1795226701,
    fromMe: true,
    source: 'api',
    body: 'hello',
    ack: 0,
    ackName: 'PENDING',
    _data: { key: { remoteJid: '15557654321@s.whatsapp.net', fromMe: true, id: '3EB0785ED5B14F01C04FDE' } },
  },
  media: {
    ...direct,
    body: null,
    hasMedia: true,
    media: {
      url: 'http://localhost:3000/api/files/default/true_AAA.jpg',
      mimetype: 'image/jpeg',
      filename: null,
      error: null,
    },
  },
  mediaFailed: {
    ...direct,
    body: 'a caption',
    hasMedia: true,
    media: {
      url: null,
      filename: null,
      mimetype: 'image/jpeg',
      error: { details: 'TypeError: fetch failed http://10.0.0.3' },
    },
  },
  ack: {
    id: 'true_15557654321@c.us_3EB0785ED5B14F01C04FDE',
    from: '15557654321@c.us',
    fromMe: true,
    ack: 3,
    ackName: 'READ',
  },
  errorAck: {
    id: 'true_15557654321@c.us_3EB0FA6CC58E09EDEBB0CE',
    from: '15557654321@c.us',
    fromMe: true,
    ack: -1,
    ackName: 'ERROR',
    error: {
      code: '463',
      blocked: true,
      reason: 'account_restricted',
      until: '2026-11-22T02:00:00.000Z',
      enforcementType: 'RESTRICT_ALL_COMPANIONS',
    },
  },
  groupAck: {
    id: 'true_120363000000000000@g.us_3EB094374491843529AE47_15551230000@c.us',
    from: '120363000000000000@g.us',
    to: '120363000000000000@g.us',
    participant: '15551230000@c.us',
    fromMe: true,
    ack: 3,
    ackName: 'READ',
    _data: {
      key: { remoteJid: '120363000000000000@g.us', fromMe: true, id: '3EB094374491843529AE47' },
      receipt: { userJid: '15557654321@s.whatsapp.net', readTimestamp: 1795226735 },
    },
  },
  sessionStatus: {
    name: 'default',
    status: 'WORKING',
    statuses: [
      { status: 'STARTING', timestamp: 1795226680487 },
      { status: 'SCAN_QR_CODE', timestamp: 1795226681087 },
      { status: 'WORKING', timestamp: 1795226697306 },
    ],
    data: null,
  },
};

export const revoked = {
  after: { ...direct, body: null },
  before: null,
  revokedMessageId: '3A0000000000000000A1',
  _data: {},
};

export const presence = {
  id: '15557654321@c.us',
  presences: [{ participant: '15557654321@c.us', lastKnownPresence: 'typing', lastSeen: null }],
};

export const edited = {
  ...direct,
  id: 'false_15557654321@c.us_3AED00000000000012',
  body: 'I need 50',
  editedMessageId: '3AED00000000000011',
  _data: {
    key: { remoteJid: '15557654321@s.whatsapp.net', fromMe: false, id: '3AED00000000000012' },
    message: {
      editedMessage: {
        message: { protocolMessage: { type: 'MESSAGE_EDIT', editedMessage: { conversation: 'I need 50' } } },
      },
    },
  },
};

export const reaction = {
  id: 'false_15557654321@c.us_3A00000000000000A4',
  timestamp: 1710481111.853,
  from: '15557654321@c.us',
  fromMe: false,
  source: 'app',
  reaction: { text: '👍', messageId: 'true_15557654321@c.us_3EB0785ED5B14F01C04FDE' },
};

export const vote = {
  vote: {
    id: 'false_15557654321@c.us_3A00000000000000A5',
    to: '15551230000@c.us',
    from: '15557654321@c.us',
    fromMe: false,
    selectedOptions: ['Mon', 'Tue'],
    timestamp: 1795226735,
  },
  poll: {
    id: 'true_15557654321@c.us_3EB0785ED5B14F01C04FDF',
    to: '15557654321@c.us',
    from: '15551230000@c.us',
    fromMe: true,
  },
};

export const call = { id: 'CALL1', from: '15557654321@c.us', timestamp: 1795226400, isVideo: false, isGroup: false };

/** An event that the engine does not ask for. */
export const otherPayloads: Record<string, unknown> = {
  'chat.archive': { id: '123@c.us', timestamp: 1667561485, archived: true },
};
