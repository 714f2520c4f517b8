/** The file below `packages/console/pages/` that renders a field, or the reason why none does. */
export type Shown = { by: string } | { not: string };

const by =
  (file: string) =>
  (fields: readonly string[]): Record<string, Shown> =>
    Object.fromEntries(fields.map((field) => [field, { by: file }]));
const not =
  (why: string) =>
  (fields: readonly string[]): Record<string, Shown> =>
    Object.fromEntries(fields.map((field) => [field, { not: why }]));

const BUBBLE = 'inbox/bubble.tsx';
const PARTS = 'inbox/content/parts.tsx';
const WORDS = 'inbox/content/content-words.ts';
const PERSON = 'inbox/person.tsx';
const ROW = 'inbox/chat-row.tsx';
const INBOX_WORDS = 'inbox/words.ts';
const TURN = 'inbox/turn.tsx';
const RUN = 'automations/execution.tsx';
const PICTURE = 'automations/run-picture.tsx';
const DELIVERY = 'events/delivery.tsx';
const ATTEMPT = 'events/attempt-list.tsx';
const OF_EVENT = 'events/of-event.tsx';

const MESSAGE = {
  ...by(BUBBLE)(['fromMe', 'from', 'body', 'timestamp', 'messageId', 'kind', 'hasMedia', 'origin', 'unsupported']),
  ...by(BUBBLE)(['replyTo', 'selected', 'selected.text', 'selected.messageId', 'viewOnce', 'mentions']),
  ...by(BUBBLE)(['buttons', 'list', 'location', 'contacts', 'poll', 'call', 'matching', 'revokedAt', 'revokedBy']),
  ...by(BUBBLE)(['edited', 'edited.at', 'edited.versions', 'edited.versions.body', 'edited.versions.at']),
  ...by(BUBBLE)(['reactions', 'reactions.fromMe', 'reactions.from', 'reactions.emoji']),
  ...by(BUBBLE)(['moreReactions', 'error', 'error.code', 'error.message', 'poll.name']),
  ...by(INBOX_WORDS)(['status', 'contentState']),
  ...by('inbox/media.tsx')(['media', 'media.url', 'media.mimeType', 'media.fileName', 'media.sizeBytes']),
  ...by('inbox/media.tsx')(['media.thumbnail', 'media.thumbnail.url', 'media.thumbnail.width', 'media.error']),
  ...by('inbox/media.tsx')(['media.thumbnail.height']),
  ...by(PARTS)(['location.latitude', 'location.longitude', 'location.name', 'location.address', 'location.url']),
  ...by(PARTS)(['location.live', 'contacts.name', 'contacts.organization', 'contacts.phones', 'contacts.emails']),
  ...by(PARTS)(['contacts.phones.number', 'contacts.phones.phone', 'poll.options', 'poll.options.text']),
  ...by(PARTS)(['poll.options.votes', 'poll.multipleAnswers', 'poll.votes']),
  ...by(WORDS)(['poll.votes.fromMe', 'poll.votes.from', 'poll.votes.options']),
  ...by(PARTS)(['poll.moreVotes', 'buttons.header', 'buttons.footer', 'buttons.buttons']),
  ...by(PARTS)(['buttons.buttons.type', 'buttons.buttons.text', 'buttons.buttons.url', 'list.title', 'list.button']),
  ...by(PARTS)(['list.footer', 'list.sections', 'list.sections.title', 'list.sections.rows']),
  ...by(PARTS)(['list.sections.rows.title', 'list.sections.rows.description']),
  ...by(WORDS)(['call.status', 'call.isVideo', 'call.isGroup', 'forwarded', 'forwardOf', 'ephemeral', 'broadcast']),
  ...by(WORDS)(['renderedAs', 'notice.type', 'notice.group', 'notice.group.changed', 'notice.group.name']),
  ...by(WORDS)(['notice.group.participants', 'notice.group.participants.chatId', 'notice.group.participants.change']),
  ...by('inbox/notice.tsx')(['notice']),
  ...not('the conversation says to whom it went')(['to']),
  ...not('`status` says the same and more')(['ack', 'ackName']),
  ...not('the same as `media.url`')(['mediaUrl']),
  ...not('a program compares it, a person cannot')(['media.sha256']),
  ...not('the cards show its content')(['contacts.vcard']),
  ...not('a program reads it, the contact sees the text')([
    'buttons.buttons.id',
    'list.sections.rows.rowId',
    'selected.id',
  ]),
  ...not('the person is shown by their address')(['poll.votes.contactId', 'reactions.contactId']),
  ...not('it only tells one from another')(['poll.votes.at', 'reactions.at']),
};

const CHAT = {
  ...by(ROW)(['name', 'picture', 'lastMessage', 'lastMessage.timestamp', 'unreadCount', 'conversationId', 'mode']),
  ...by(ROW)(['assignedTo', 'waitingSince']),
  ...by(INBOX_WORDS)(['lastMessage.body', 'lastMessage.fromMe', 'lastMessage.origin', 'lastMessage.kind']),
  ...by(INBOX_WORDS)(['lastMessage.contentState', 'lastMessageStatus', 'agentSilence']),
  ...by(PERSON)(['labels', 'labels.id', 'labels.name', 'labels.colorHex', 'contact', 'contact.phone', 'contact.lid']),
  ...by(PERSON)(['contact.name', 'contact.pushName', 'contact.isBlocked', 'contact.isOptedOut', 'contact.isMyContact']),
  ...by(PERSON)(['contact.aliases', 'contact.picture', 'reason', 'humanActiveAt', 'returnsAt', 'createdAt']),
  ...by('inbox/conversation.tsx')(['contactId', 'handovers', 'handovers.reason']),
  ...by(INBOX_WORDS)(['handovers.cause', 'handovers.assignedTo']),
  ...by('inbox/thread.ts')(['handovers.at']),
  ...not('the thread shows the message itself')(['lastMessage.messageId']),
  ...not('`colorHex` is the same colour')(['labels.color']),
  ...not('the phone says it to people')(['chatId', 'contact.chatId', 'contact.contactId']),
  ...not('the list is of the chosen account')(['sessionId']),
  ...not('the time of the last message says it to people')(['updatedAt']),
  ...not('it tells handovers apart, for programs')(['epoch', 'handovers.epoch']),
  ...not('the last handover says it in the thread')(['takenOverBy']),
  ...not('its cause says it')(['handovers.mode']),
  ...not('a handover names its assignee, the audit names its caller')(['handovers.actor']),
  ...not('the thread shows all turns')(['lastTurn']),
  ...by('inbox/about/about.tsx')(['otherChats']),
  ...by('inbox/about/known.tsx')(['otherChats.conversationId', 'otherChats.accountName', 'otherChats.lastMessageAt']),
  ...not('the chat that it leads to shows its account')(['otherChats.sessionId']),
};

const TURNS = {
  ...by(TURN)(['id', 'retryAt', 'handoffReason', 'inboundMessageIds', 'memoryIds', 'messageIds', 'model']),
  ...by(TURN)(['modelCalls', 'modelCalls.model', 'modelCalls.ms', 'modelCalls.inputTokens', 'modelCalls.outputTokens']),
  ...by(TURN)(['modelCalls.costMicros', 'modelCalls.error', 'modelCalls.purpose', 'inputTokens', 'outputTokens']),
  ...by(TURN)(['costMicros', 'restarts', 'outputNotes', 'receivedAt', 'begunAt', 'endedAt']),
  ...by(INBOX_WORDS)(['outcome', 'silence', 'silence.code']),
  ...not('the code has shorter words of the console')(['silence.text']),
  ...not('the turn stands in its conversation')(['conversationId']),
};

const RUNS = {
  ...by(RUN)(['automation', 'conversationId', 'status', 'reason', 'waitsFor', 'waitsUntil', 'retryOf', 'retriedBy']),
  ...by(RUN)(['temporalUrl', 'createdAt', 'endedAt', 'version', 'params', 'begun', 'begun.event', 'begun.eventId']),
  ...by(RUN)(['begun.optOut', 'failedPath']),
  ...by(PICTURE)(['steps', 'steps.startedAt', 'steps.endedAt']),
  ...by('automations/sentences.ts')(['steps.name', 'steps.detail']),
  ...not('the address of the page has it')(['id']),
  ...not('the conversation is of this account')(['sessionId']),
  ...not('the conversation is with this contact')(['contactId']),
  ...not('the conversation shows it')(['begun.messageId']),
  ...not('`temporalUrl` leads there')(['workflowId']),
  ...not('the step shows the name of the function')(['steps.path']),
};

const DELIVERIES = {
  ...by(DELIVERY)(['endpointId', 'eventId', 'tenantId', 'status', 'attempts', 'firstAttemptAt', 'nextAttemptAt']),
  ...by(DELIVERY)(['endedAt', 'lastClass', 'lastStatus', 'outOfOrder', 'eventAt', 'eventType', 'conversation']),
  ...by(OF_EVENT)(['conversation.id', 'conversation.name']),
  ...not('the address of the page has it')(['id']),
};

const ATTEMPTS = {
  ...by(ATTEMPT)(['class', 'likelyConfiguration', 'status', 'durationMs', 'connectMs', 'firstByteMs', 'probe']),
  ...by(ATTEMPT)(['reusedConnection', 'location', 'responseExcerpt', 'deliveryId', 'number', 'at']),
  ...by(OF_EVENT)(['endpointId', 'eventType', 'conversation', 'conversation.id', 'conversation.name']),
  ...not('its delivery leads to the event')(['eventId']),
};

const FLOW_LIST = 'workflows/list.tsx';
const FLOW_EDITOR = 'workflows/edit/editor.tsx';
const FLOWS = {
  ...by(FLOW_LIST)(['id', 'automation', 'title', 'version', 'form', 'updatedAt', 'source', 'definition', 'tenants']),
  ...by(FLOW_EDITOR)(['params', 'versions', 'versions.version', 'versions.title', 'versions.createdAt']),
  ...not('the first version has the same time')(['createdAt']),
  ...not('the audit log names who changed it')(['versions.keyId']),
};

/** The schemas of the OpenAPI document whose fields people must see. */
export const FIELDS: Readonly<Record<string, Readonly<Record<string, Shown>>>> = {
  Message: MESSAGE,
  Conversation: CHAT,
  Turn: TURNS,
  ExecutionStory: RUNS,
  WebhookDelivery: DELIVERIES,
  WebhookAttempt: ATTEMPTS,
  WorkflowStory: FLOWS,
};
