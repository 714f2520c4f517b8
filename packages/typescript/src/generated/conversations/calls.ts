// Made from openapi.json by `npm run client`: change the routes, not this file.
import type { CallOptions, WaitOptions } from '../../options.ts';
import type { Listed } from '../../listed.ts';
import { path } from '../../path.ts';
import { Resource } from '../../resource.ts';
import type { ChatSummary, Conversation } from './answered-2.ts';
import type {
  Assigned,
  Colleague,
  ConversationRead,
  ConversationsListAnswer,
  ConversationsListColleaguesAnswer,
  ConversationsListMessagesAnswer,
  ConversationsListParticipantsAnswer,
  ConversationsListViewersAnswer,
  ConversationsShowViewerAnswer,
  OwedSettled,
  Participant,
  Viewer,
} from './answered-3.ts';
import type { Message, PlannedReply, ReplyAccepted } from './answered.ts';
import type {
  AssignConversation,
  ConversationsListColleaguesQuery,
  ConversationsListMessagesQuery,
  ConversationsListParticipantsQuery,
  ConversationsListQuery,
  ConversationsListViewersQuery,
  ConversationsReadPlanQuery,
  ConversationsReadQuery,
  ReadConversation,
  ReleaseConversation,
  ReplyToConversation,
  SettleOwed,
  ShowViewer,
} from './given.ts';

export class ConversationsCalls extends Resource {
  /** Reply in a conversation */
  reply(conversationId: string, body: ReplyToConversation = {}, options?: WaitOptions): Promise<ReplyAccepted> {
    return this.caller.call(
      {
        method: 'POST',
        path: path`/api/v1/inbox/conversations/${conversationId}/messages`,
        body,
        takes: 'tenant',
        keyed: true,
      },
      options,
    );
  }

  /** List the messages of a conversation */
  listMessages(
    conversationId: string,
    query: ConversationsListMessagesQuery = {},
    options?: CallOptions,
  ): Listed<ConversationsListMessagesAnswer, Message> {
    return this.caller.list(
      { method: 'GET', path: path`/api/v1/inbox/conversations/${conversationId}/messages`, query, takes: 'tenant' },
      (page) => page.messages,
      options,
    );
  }

  /** Preview the send time of a message */
  readPlan(
    conversationId: string,
    query: ConversationsReadPlanQuery = {},
    options?: CallOptions,
  ): Promise<PlannedReply> {
    return this.caller.call(
      { method: 'GET', path: path`/api/v1/inbox/conversations/${conversationId}/plan`, query, takes: 'tenant' },
      options,
    );
  }

  /** List chats, newest first */
  list(query: ConversationsListQuery = {}, options?: CallOptions): Listed<ConversationsListAnswer, ChatSummary> {
    return this.caller.list(
      { method: 'GET', path: '/api/v1/inbox/chats', query, takes: 'tenant' },
      (page) => page.chats,
      options,
    );
  }

  /** Retrieve a conversation */
  read(conversationId: string, query: ConversationsReadQuery = {}, options?: CallOptions): Promise<Conversation> {
    return this.caller.call(
      { method: 'GET', path: path`/api/v1/conversations/${conversationId}`, query, takes: 'tenant' },
      options,
    );
  }

  /** Hand a conversation to a person */
  assign(conversationId: string, body: AssignConversation = {}, options?: CallOptions): Promise<Assigned> {
    return this.caller.call(
      {
        method: 'POST',
        path: path`/api/v1/conversations/${conversationId}/assign`,
        body,
        takes: 'tenant',
        keyed: true,
      },
      options,
    );
  }

  /** Give a conversation back to the AI agent */
  release(conversationId: string, body: ReleaseConversation = {}, options?: CallOptions): Promise<Assigned> {
    return this.caller.call(
      {
        method: 'POST',
        path: path`/api/v1/conversations/${conversationId}/release`,
        body,
        takes: 'tenant',
        keyed: true,
      },
      options,
    );
  }

  /** Mark a conversation as read */
  markRead(conversationId: string, body: ReadConversation = {}, options?: CallOptions): Promise<ConversationRead> {
    return this.caller.call(
      { method: 'POST', path: path`/api/v1/conversations/${conversationId}/read`, body, takes: 'tenant', once: true },
      options,
    );
  }

  /** List the participants of a group */
  listParticipants(
    conversationId: string,
    query: ConversationsListParticipantsQuery = {},
    options?: CallOptions,
  ): Listed<ConversationsListParticipantsAnswer, Participant> {
    return this.caller.list(
      { method: 'GET', path: path`/api/v1/conversations/${conversationId}/participants`, query, takes: 'tenant' },
      (page) => page.participants,
      options,
    );
  }

  /** Answer all owed chats, or hand them over */
  settleOwed(body: SettleOwed, options?: CallOptions): Promise<OwedSettled> {
    return this.caller.call(
      { method: 'POST', path: '/api/v1/inbox/chats/owed', body, takes: 'tenant', once: true },
      options,
    );
  }

  /** List the viewers of a conversation */
  listViewers(
    conversationId: string,
    query: ConversationsListViewersQuery = {},
    options?: CallOptions,
  ): Listed<ConversationsListViewersAnswer, Viewer> {
    return this.caller.list(
      { method: 'GET', path: path`/api/v1/conversations/${conversationId}/viewers`, query, takes: 'tenant' },
      (page) => page.viewers,
      options,
    );
  }

  /** Mark a conversation as open for colleagues */
  showViewer(conversationId: string, body: ShowViewer, options?: CallOptions): Promise<ConversationsShowViewerAnswer> {
    return this.caller.call(
      { method: 'PUT', path: path`/api/v1/conversations/${conversationId}/viewers`, body, takes: 'tenant' },
      options,
    );
  }

  /** List the names of a tenant's team */
  listColleagues(
    query: ConversationsListColleaguesQuery = {},
    options?: CallOptions,
  ): Listed<ConversationsListColleaguesAnswer, Colleague> {
    return this.caller.list(
      { method: 'GET', path: '/api/v1/colleagues', query, takes: 'tenant' },
      (page) => page.colleagues,
      options,
    );
  }
}
