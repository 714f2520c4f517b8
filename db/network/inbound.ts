import { z } from 'zod';
import { phoneOfChatId, chatKind, shownAddress } from '../../domain/network/chat-id.ts';
import { otherAddresses } from '../../domain/network/phone-forms.ts';
import { NetworkContent } from '../../domain/network/message-content.ts';
import { kindWith, NETWORK_KINDS, NetworkMedia } from '../../domain/network/network-event.ts';
import type { NetworkMessage } from '../../domain/network/network-event.ts';
import { STALE_AFTER_MS } from '../../domain/agent/turn.ts';
import { cut } from '../../domain/cut.ts';
import type { MediaView } from '../../domain/sending/message.ts';
import { shownContent } from '../../domain/sending/shown-content.ts';
import { tellAgent, Told } from '../agent/tell-agent.ts';
import { addressesOf, MAX_LINE_LENGTH } from '../conversations/conversation.ts';
import { readKnownContacts, tellContact } from '../conversations/known-contact.ts';
import type { KnownContact } from '../conversations/known-contact.ts';
import { mediaLinksOf } from '../conversations/media-links.ts';
import { MergeNews, tellMergeNews } from '../conversations/merge-news.ts';
import { mediaView } from '../media/view.ts';
import { newId } from '../engine/new-id.ts';
import { beginTraces } from '../trace.ts';
import { jsonParameter } from '../engine/json-parameter.ts';
import { one, rows } from '../engine/rows.ts';
import type { Tx } from '../engine/tx.ts';
import { erasedDigester } from '../personal-data/erased-address.ts';
import type { ErasedDigester } from '../personal-data/erased-address.ts';
import { applyParkedChanges } from './changes/change.ts';
import { chatOf, COLUMN_KEYS, sendersOf, toColumns, toldSeconds } from './network-message.ts';
import type { EventSession } from './network-message.ts';
import { Asked, mayChoose, recordSelected } from './selection.ts';

/** A message that a contact has written. */
export interface Inbound {
  session: EventSession;
  message: NetworkMessage;
  /** It was fetched, because the backend has not told of it. */
  isRecovered: boolean;
  /** When its event came, which may be long before it is applied. */
  receivedAt?: Date | null;
}

const New = z.object({
  id: z.string(),
  conversationId: z.string(),
  contactId: z.string().nullable(),
  chatId: z.string(),
  /** The phone of a sender whom the message names by a hidden id alone. */
  senderPhone: z.string().nullable(),
  replyTo: z.string().nullable(),
  asked: Asked.nullable(),
  /** `awaits`: the message came without its content, and its event waits for that. */
  told: z.union([Told, z.literal('awaits')]).nullable(),
  /** The session when a first contact that waited may go now; else null. */
  letGo: z.string().nullable(),
  /**
   * The kinds of changes that were made to the message before it came; `there` where only its event comes late, and
   * `filled` where dashboards know the message, and its row has content now that was missing; also `worded` where that
   * is not its file alone.
   */
  parked: z.array(z.string()),
});

const Answer = z.object({
  news: MergeNews,
  /** A contact who was known before, and whose name the message changes. */
  renamed: z.string().nullable(),
  /** True for a message that this session has sent: the report is its echo, whatever it says of its direction. */
  isEcho: z.boolean(),
  /** True for a message that was not written, because it may be the echo of a send under way. */
  mayBeEcho: z.boolean(),
  arrived: New.nullable(),
});

/** A message that was written, unless we had it already. */
export interface Arrival extends Inbound, Pick<z.infer<typeof Answer>, 'news' | 'isEcho' | 'mayBeEcho' | 'arrived'> {
  renamed: KnownContact | null;
}

const messagesJson = jsonParameter(
  {
    ...COLUMN_KEYS,
    agencyId: true,
    tenantId: true,
    sessionId: true,
    chatIds: true,
    spellings: true,
    erasedDigests: true,
    pushName: true,
    newConversationId: true,
    newContactId: true,
    newTurnId: true,
    line: true,
    fromMe: true,
    told: true,
    waitsMs: true,
    hiddenSender: true,
    mayChoose: true,
    recovered: true,
    receivedAt: true,
    isNoEcho: true,
    via: 'optional',
    isBeingMatched: 'optional',
    unread: 'optional',
  },
  'receive_messages.p_messages',
);

/**
 * Writes messages of contacts (`inbound.sql`), those of one session in their order. For each, {@link tellArrived} tells
 * the rest. `areNoEchoes`: the caller has found out that none of them is the echo of a send under way.
 */
export async function receiveMessages(
  tx: Tx,
  inbound: readonly Inbound[],
  { areNoEchoes = false }: { areNoEchoes?: boolean } = {},
): Promise<Arrival[]> {
  if (inbound.length === 0) return [];
  const digestsOf = await erasedDigester(
    tx,
    inbound.map(({ session }) => session),
  );
  const messages = inbound.map((each) => ({ ...toParameters(each, tx, digestsOf), isNoEcho: areNoEchoes }));
  const answers = await rows(tx, Answer)`
    select news, renamed, told is not distinct from 'echo' as "isEcho",
      told is not distinct from 'may_be_echo' as "mayBeEcho",
      case when id is not null then jsonb_build_object('id', id,
      'conversationId', conversation_id, 'contactId', contact_id, 'chatId', chat_id,
      'senderPhone', sender_phone, 'replyTo', reply_to,
      'asked', case when asked_id is not null then jsonb_build_object('id', asked_id, 'content', asked_content) end,
      'told', told, 'letGo', let_go, 'parked', parked) end as arrived
    from receive_messages(${messagesJson(messages)}::jsonb, ${tx.now}, ${STALE_AFTER_MS} * interval '1 millisecond')`;
  await beginTraces(
    tx,
    answers.flatMap(({ arrived }) => arrived?.id ?? []),
  );
  const renamed = await readRenamed(tx, inbound, answers);
  return inbound.map((each, place) => ({ ...each, ...(answers[place] ?? NOTHING), renamed: renamed[place] ?? null }));
}

const NOTHING = { news: { merges: [], handovers: [] }, isEcho: false, mayBeEcho: false, arrived: null };

/** Reads those whose names messages have changed, each as the account of the message knows them; few messages do. */
async function readRenamed(
  tx: Tx,
  inbound: readonly Inbound[],
  answers: readonly z.infer<typeof Answer>[],
): Promise<(KnownContact | undefined)[]> {
  const changes = inbound.map(({ session }, place) => ({ session, contactId: answers[place]?.renamed ?? null }));
  const bySession = Map.groupBy(
    changes.filter(({ contactId }) => contactId !== null),
    ({ session }) => session.id,
  );
  const known = new Map<string, KnownContact>();
  for (const [sessionId, own] of bySession) {
    const contacts = await readKnownContacts(
      tx,
      sessionId,
      own.flatMap(({ contactId }) => contactId ?? []),
    );
    for (const contact of contacts) known.set(`${sessionId} ${contact.contactId}`, contact);
  }
  return changes.map(({ session, contactId }) => known.get(`${session.id} ${contactId ?? ''}`));
}

function toParameters(
  { session, message, isRecovered, receivedAt }: Inbound,
  { now }: Pick<Tx, 'now'>,
  digestsOf: ErasedDigester,
) {
  const { chatId, pushName = null, ...rest } = chatOf(message);
  const chatIds = addressesOf({ chatId, ...rest });
  return {
    ...toColumns(message, 'network', now),
    agencyId: session.agencyId,
    tenantId: session.tenantId,
    sessionId: session.id,
    chatId,
    chatIds,
    spellings: otherAddresses(chatIds),
    erasedDigests: digestsOf(session, sendersOf(message)),
    pushName,
    newConversationId: newId('cnv'),
    newContactId: newId('con'),
    newTurnId: newId('trn'),
    line: cut(message.body, MAX_LINE_LENGTH),
    fromMe: false,
    told: message.content?.contentState === undefined ? null : message,
    waitsMs: CONTENT_WAIT_MS,
    hiddenSender: hiddenSender(message),
    mayChoose: mayChoose(message),
    recovered: isRecovered,
    receivedAt: receivedAt ?? null,
  };
}

/** Answers the hidden id of a sender whose phone the message does not name. */
function hiddenSender({ participant, chatId, aliases }: NetworkMessage): string | null {
  const sender = participant ?? chatId;
  const isTold = [sender, ...aliases].some((address) => phoneOfChatId(address) !== null);
  return !isTold && chatKind(sender) === 'lid' ? sender : null;
}

const AWAITED = { url: null, mimeType: null, fileName: null, sizeBytes: null, sha256: null };

/** The content of a message without its words waits for so long; a phone sends it again within seconds if it is on. */
const CONTENT_WAIT_MS = 60_000;

const There = z.object({
  kind: z.enum(NETWORK_KINDS),
  body: z.string(),
  media: NetworkMedia.nullable(),
  content: NetworkContent.nullable(),
});

type Shown = Pick<NetworkMessage, 'kind' | 'body' | 'content' | 'hasMedia'> & { file: MediaView | null };

/**
 * Reads what a message shows whose row was there before its event: that may have other words, its file, and content
 * which the report lacks.
 */
async function readThere(tx: Tx, messageId: string, isRevoked: boolean): Promise<Shown> {
  const { kind, body, media, content } = await one(tx, There)`
    select kind, body, media, content from message where id = ${messageId}`;
  const view = media && mediaView({ messageId, media }, mediaLinksOf(tx));
  // A file that is neither stored nor given up may still come, and the event waits for it.
  const file = media?.stored !== undefined || view?.error?.startsWith('media_') === true ? view : null;
  return {
    kind: kindWith(kind, content),
    body,
    ...(content === null ? {} : { content }),
    hasMedia: media !== null && !isRevoked,
    file,
  };
}

/** Parked entries that are no changes. */
const MARKS: ReadonlySet<string> = new Set(['there', 'filled', 'worded']);

/** Tells dashboards of a message that has arrived, and what follows from it. */
export async function tellArrived(
  tx: Tx,
  { session, message, isRecovered, news, renamed, arrived }: Arrival,
): Promise<void> {
  tellMergeNews(tx, news);
  if (renamed !== null) {
    const account = { agencyId: session.agencyId, tenantId: session.tenantId, sessionId: session.id };
    tellContact(tx, account, { contact: renamed, changed: ['pushName'] });
  }
  if (arrived === null) return;
  const { id, conversationId, contactId, chatId, replyTo, told, letGo, parked } = arrived;
  if (letGo !== null) tx.wake('release', letGo);
  if (told === 'awaits') return;
  // Messages that were revoked before they came stay hidden.
  const isRevoked = parked.includes('revoked');
  const { hasMedia: hasFile, ...shown } = parked.includes('there')
    ? await readThere(tx, id, isRevoked)
    : { ...message, hasMedia: message.hasMedia && !isRevoked, file: null };
  const file = hasFile ? shown.file : null;
  // The event of a message that dashboards know is written by whoever mirrors the inbox.
  const isKnown = parked.includes('filled');
  // The sender as dashboards see it: the phone under which the network shows the sender, else a phone that the message
  // names besides, else the phone that we know.
  const from = shownAddress(message.participant ?? message.chatId, ...message.aliases, arrived.senderPhone);
  const selected = await recordSelected(tx, id, { message, replyTo, asked: arrived.asked });
  // Automations have not heard the words of a message that was told without them.
  if (!isKnown || parked.includes('worded')) {
    tx.emit({
      ...(isKnown ? { isKnown } : {}),
      event: 'message',
      agencyId: session.agencyId,
      tenantId: session.tenantId,
      sessionId: session.id,
      conversationId,
      payload: {
        body: isRevoked ? '' : shown.body,
        timestamp: toldSeconds(message, tx.now),
        from,
        fromKind: from.includes('@') ? 'chat' : 'phone',
        messageId: id,
        conversationId,
        contactId,
        chatId,
        pushName: message.pushName,
        kind: shown.kind,
        hasMedia: hasFile,
        // The event of a message with a file waits for it, and then shows it.
        media: hasFile ? (file ?? AWAITED) : null,
        mediaUrl: file?.url ?? null,
        replyTo,
        selected,
        ...(isRecovered ? { recovered: true } : {}),
        ...(isRevoked ? {} : shownContent(shown.content)),
      },
      ...(hasFile && file === null ? { waitsFor: id } : {}),
    });
  }
  if (parked.some((kind) => !MARKS.has(kind))) {
    await applyParkedChanges(tx, session.id, { networkIds: [message.networkId], tells: true });
  }
  // The answer stands from when the message was written. A return of the agent is done here and then asked again.
  if (told === 'return_due') await tellAgent(tx, conversationId, id);
  if (told === 'wake' || hasFile) tx.wake('dispatch');
}
