// Made from openapi.json by `npm run client`: change the routes, not this file.
import type { CallOptions, WaitOptions } from '../../options.ts';
import type { Listed } from '../../listed.ts';
import { path } from '../../path.ts';
import { Resource } from '../../resource.ts';
import type { DeliveryStatus } from './answered-2.ts';
import type {
  FoundMessage,
  MessageAction,
  MessagesListActionsAnswer,
  MessagesListAnswer,
  MessagesSearchAnswer,
} from './answered-3.ts';
import type { CancelledMessages, MessageResolved, SendAccepted, UnsentMessage } from './answered.ts';
import type { MessagesListActionsQuery, MessagesSearchQuery } from './given-2.ts';
import type {
  CancelMessage,
  ChangeMessage,
  EditMessage,
  MessagesListQuery,
  MessagesReadStatusQuery,
  ReactToMessage,
  ResendMessage,
  ResolveMessage,
  RevokeMessage,
  SendButtons,
  SendList,
  SendMedia,
  SendMessage,
} from './given.ts';

export class MessagesCalls extends Resource {
  /** Send a message */
  send(body: SendMessage = {}, options?: WaitOptions): Promise<SendAccepted> {
    return this.caller.call(
      { method: 'POST', path: '/api/v1/messages/send', body, takes: 'tenant', keyed: true },
      options,
    );
  }

  /** Send one file. @deprecated */
  sendMedia(body: SendMedia, options?: WaitOptions): Promise<SendAccepted> {
    return this.caller.call(
      { method: 'POST', path: '/api/v1/media/send', body, takes: 'tenant', keyed: true },
      options,
    );
  }

  /** Send a message with buttons */
  sendButtons(body: SendButtons, options?: WaitOptions): Promise<SendAccepted> {
    return this.caller.call(
      { method: 'POST', path: '/api/v1/sendButtons', body, takes: 'tenant', keyed: true },
      options,
    );
  }

  /** Send a message with a list */
  sendList(body: SendList, options?: WaitOptions): Promise<SendAccepted> {
    return this.caller.call({ method: 'POST', path: '/api/v1/sendList', body, takes: 'tenant', keyed: true }, options);
  }

  /** Resend an ended message */
  resend(messageId: string, body: ResendMessage = {}, options?: CallOptions): Promise<SendAccepted> {
    return this.caller.call(
      { method: 'POST', path: path`/api/v1/inbox/messages/${messageId}/resend`, body, takes: 'tenant', keyed: true },
      options,
    );
  }

  /** Resolve an uncertain message */
  resolve(messageId: string, body: ResolveMessage, options?: CallOptions): Promise<MessageResolved> {
    return this.caller.call(
      { method: 'POST', path: path`/api/v1/inbox/messages/${messageId}/resolve`, body, takes: 'tenant', keyed: true },
      options,
    );
  }

  /** List waiting and unsent messages */
  list(query: MessagesListQuery = {}, options?: CallOptions): Listed<MessagesListAnswer, UnsentMessage> {
    return this.caller.list(
      { method: 'GET', path: '/api/v1/messages', query, takes: 'tenant' },
      (page) => page.messages,
      options,
    );
  }

  /** Change a waiting message */
  update(messageId: string, body: ChangeMessage = {}, options?: CallOptions): Promise<UnsentMessage> {
    return this.caller.call(
      { method: 'PATCH', path: path`/api/v1/messages/${messageId}`, body, takes: 'tenant', once: true },
      options,
    );
  }

  /** Cancel a message before it goes out */
  cancel(messageId: string, body: CancelMessage = {}, options?: CallOptions): Promise<CancelledMessages> {
    return this.caller.call(
      { method: 'POST', path: path`/api/v1/messages/${messageId}/cancel`, body, takes: 'tenant', keyed: true },
      options,
    );
  }

  /** Retrieve the status of a message */
  readStatus(messageId: string, query: MessagesReadStatusQuery = {}, options?: CallOptions): Promise<DeliveryStatus> {
    return this.caller.call(
      { method: 'GET', path: path`/api/v1/inbox/messages/${messageId}/status`, query, takes: 'tenant' },
      options,
    );
  }

  /** Search messages */
  search(query: MessagesSearchQuery, options?: CallOptions): Listed<MessagesSearchAnswer, FoundMessage> {
    return this.caller.list(
      { method: 'GET', path: '/api/v1/messages/search', query, takes: 'tenant' },
      (page) => page.messages,
      options,
    );
  }

  /** Edit a sent text */
  edit(messageId: string, body: EditMessage, options?: CallOptions): Promise<MessageAction> {
    return this.caller.call(
      { method: 'POST', path: path`/api/v1/inbox/messages/${messageId}/edit`, body, takes: 'tenant', keyed: true },
      options,
    );
  }

  /** Delete a message for everyone */
  revoke(messageId: string, body: RevokeMessage = {}, options?: CallOptions): Promise<MessageAction> {
    return this.caller.call(
      { method: 'POST', path: path`/api/v1/inbox/messages/${messageId}/revoke`, body, takes: 'tenant', keyed: true },
      options,
    );
  }

  /** React to a message */
  react(messageId: string, body: ReactToMessage, options?: CallOptions): Promise<MessageAction> {
    return this.caller.call(
      { method: 'POST', path: path`/api/v1/inbox/messages/${messageId}/reaction`, body, takes: 'tenant', keyed: true },
      options,
    );
  }

  /** List a message's edits, deletions and reactions */
  listActions(
    messageId: string,
    query: MessagesListActionsQuery = {},
    options?: CallOptions,
  ): Listed<MessagesListActionsAnswer, MessageAction> {
    return this.caller.list(
      { method: 'GET', path: path`/api/v1/inbox/messages/${messageId}/actions`, query, takes: 'tenant' },
      (page) => page.actions,
      options,
    );
  }
}
