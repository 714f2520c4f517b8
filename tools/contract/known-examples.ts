const KIND = 'the sandbox has no such kind of message';
const PRESS = 'phones tell a press in several forms; the sandbox plays another of them';
const OWN_FILE = "the recording's own download of the file had failed; a received file is compared instead";

/** Examples that the sandbox does not play, each with its reason. */
export const NOT_PLAYED: Readonly<Record<string, string>> = {
  'send-answers: /api/sendButtons': 'the sandbox draws no buttons, so it tells nothing of their contents',
  'send-refusals: POST /api/sendList, Core before 2026.6.1': 'the sandbox plays a release that has lists',
  'send-refusals: POST /api/sendText, the network restricts the account': 'played by GOWS; NOWEB tells it by an ack',
  'profile: PUT …/profile/picture (Core before 2026.6.1)': 'the sandbox plays a release that has pictures',
  'profile: DELETE …/profile/picture (Core before 2026.6.1)': 'the sandbox plays a release that has pictures',
  'call.received': 'nobody calls in the sandbox',
  'group.v2.join': 'nobody joins a group in the sandbox',
  'message.any audioMessage error': 'no download fails in the sandbox',
  'message.any contactMessage': KIND,
  'message.any conversation': KIND,
  'message.any ephemeralMessage': KIND,
  'message.any locationMessage': KIND,
  'message.any pollCreationMessageV3': KIND,
  'message.any interactiveResponseMessage': PRESS,
  'message.any listResponseMessage': PRESS,
  'message.any templateButtonReplyMessage': PRESS,
  'message.any own api audioMessage': OWN_FILE,
  'message.any own api documentMessage': OWN_FILE,
  'message.any own api imageMessage': OWN_FILE,
  'message.any own api videoMessage': OWN_FILE,
};

const NEWER = 'told by newer releases than the one that was recorded';
const LEFT_OUT = 'left out of the recording';
const NOT_IN_PHONE_BOOK = 'somebody who is not in the phone book, or has told no name';

/** Differences between the sandbox and the release of the recorded examples. */
export const KNOWN_FROM_EXAMPLES: Readonly<Record<string, string>> = {
  'envelope.me.jid: is not there': NEWER,
  'envelope.me.reachoutTimelock: is not there': NEWER,
  'envelope.me.messageCapping: is not there': NEWER,
  'profile.jid: is not there': NEWER,
  'profile.reachoutTimelock: is not there': NEWER,
  'profile.messageCapping: is not there': NEWER,
  'session-lifecycle.me.jid: is not there': NEWER,
  'session-lifecycle.me.reachoutTimelock: is not there': NEWER,
  'session-lifecycle.me.messageCapping: is not there': NEWER,
  'message.ack.error: is not there': NEWER,
  'contacts[].name: is missing': NOT_IN_PHONE_BOOK,
  'contacts[].pushname: is missing': NOT_IN_PHONE_BOOK,
  'lids-groups-presence.request: is not there': LEFT_OUT,
  'lids-groups-presence.version: is not there': LEFT_OUT,
  'message.any._data.message.extendedTextMessage.contextInfo: is missing': 'what is quoted is told in `replyTo` only',
  'message.any._data.pushName: is missing': 'own messages from the phone bear no name in the sandbox',
};
