/** Routes of the sandbox that the document does not have. `*` stands for any method, or for any end of a path. */
export const EXTRA_ROUTES: Readonly<Record<string, string>> = {
  'GET /': "the sandbox's own page",
  'GET /page/*': "the sandbox's own page",
  '* /llm/*': 'the simulated model',
  '* /sandbox/*': 'the control API',
  'GET /api/files/{session}/{name}': 'media files: the backend serves them and leaves them out of its document',
};

const NULL_SEEN = 'seen as null at the real one; the document does not say `nullable`';
const LEFT_OUT = 'left out by the real one; the document marks as required what only some engines tell';
const WHOLE_SESSION = 'the real one answers the whole session object';
const NEWER = 'told by the real one, not in the document';

/** The backend's own OpenAPI document and its real responses differ here; the sandbox follows the responses. */
export const KNOWN_DIFFERENCES: Readonly<Record<string, string>> = {
  'WAHAEnvironment.browser: is null': NULL_SEEN,
  'SessionInfo.presence: is null': NULL_SEEN,
  'SessionInfo.presence: is string, not object': 'a word at the real one',
  'SessionInfo.engine: is not in the document': NEWER,
  'MeInfo.reachoutTimelock: is not in the document': NEWER,
  'MeInfo.messageCapping: is not in the document': NEWER,
  'SessionDTO.presence: is not in the document': WHOLE_SESSION,
  'SessionDTO.timestamps: is not in the document': WHOLE_SESSION,
  'SessionDTO.engine: is not in the document': WHOLE_SESSION,
  'WAMessage.to: is missing': LEFT_OUT,
  'WAMessage.participant: is missing': LEFT_OUT,
  'WAMessage.mediaUrl: is missing': `${LEFT_OUT}; deprecated too`,
  'WAMessage.media: is null': NULL_SEEN,
  'WAMessage.location: is null': NULL_SEEN,
  'WAMessage.vCards: is null': NULL_SEEN,
  'WAMessage.replyTo: is null': NULL_SEEN,
  'WAMedia.filename: is null': NULL_SEEN,
  'LidToPhoneNumber.lid: is null': `${NULL_SEEN}: an unknown number is a 200`,
  'ChatPictureResponse.url: is null': 'nobody in the sandbox has a picture; the document has no word for that',
};
