import type { Field, Operation, Resource } from './operations.ts';

const text = (name: string, displayName: string, description: string): Field => ({
  name,
  displayName,
  description,
  in: 'body',
  type: 'string',
});
const required = (field: Field): Field => ({ ...field, required: true });
const inPath = (name: string, displayName: string, description: string): Field => ({
  ...required(text(name, displayName, description)),
  in: 'path',
});
const inAttachment = (field: Field): Field => ({ ...field, in: 'attachment' });
const inQuery = (field: Field): Field => ({ ...field, in: 'query' });

const LIMIT: Field = {
  ...inQuery(text('limit', 'Limit', 'Max number of results to return')),
  type: 'number',
};
const MESSAGE = inPath('messageId', 'Message ID', 'The ID that sending has answered, msg_…');
const CONVERSATION = inPath('conversationId', 'Conversation ID', 'The ID of the conversation, cnv_…');
const SESSION = text('session', 'Session', 'The ID or name of the session; the default one when empty');
const SEND_AT: Field = {
  ...text('sendAt', 'Send At', 'When to send it; at once when empty'),
  type: 'dateTime',
};
const ACTOR = text('actor', 'Actor', 'Who does it: a name of your own, for those who ask later');
const REASON = text('reason', 'Reason', 'Why, for those who ask later');
const TO = text('to', 'To', 'A phone number, a contact ID or a chat ID');

const message: Operation[] = [
  {
    value: 'send',
    name: 'Send a Text',
    action: 'Send a text',
    method: 'POST',
    path: '/api/v1/messages/send',
    keyed: true,
    fields: [
      TO,
      required(text('text', 'Text', 'What to say')),
      SESSION,
      SEND_AT,
      text('replyTo', 'Reply To', 'The ID of the message that this one answers'),
    ],
  },
  {
    value: 'sendMedia',
    name: 'Send a File',
    action: 'Send a file',
    method: 'POST',
    path: '/api/v1/messages/send',
    keyed: true,
    fields: [
      TO,
      {
        ...text('binary', 'Input Data Field Name', 'The binary field of the item that has the file, such as data'),
        in: 'file',
      },
      inAttachment(text('url', 'URL', 'Where the engine fetches the file, when it is in no binary field')),
      {
        ...inAttachment(required(text('kind', 'Kind', 'What the file is'))),
        type: 'options',
        options: ['audio', 'document', 'image', 'video'],
      },
      inAttachment(text('caption', 'Caption', 'What stands below the file')),
      SESSION,
      SEND_AT,
    ],
  },
  {
    value: 'status',
    name: 'Get Status',
    action: 'Get the status of a message',
    method: 'GET',
    path: '/api/v1/inbox/messages/{messageId}/status',
    fields: [MESSAGE],
  },
  {
    value: 'cancel',
    name: 'Cancel',
    action: 'Cancel a message that waits',
    method: 'POST',
    path: '/api/v1/messages/{messageId}/cancel',
    keyed: true,
    fields: [MESSAGE],
  },
  {
    value: 'resend',
    name: 'Send Again',
    action: 'Send a failed message again',
    method: 'POST',
    path: '/api/v1/inbox/messages/{messageId}/resend',
    keyed: true,
    fields: [MESSAGE],
  },
];

const conversation: Operation[] = [
  {
    value: 'getAll',
    name: 'Get Many',
    action: 'Get many conversations',
    method: 'GET',
    path: '/api/v1/inbox/chats',
    rows: 'chats',
    fields: [LIMIT, inQuery(text('search', 'Search', 'Words of a name or number')), inQuery(SESSION)],
  },
  {
    value: 'getMessages',
    name: 'Get Messages',
    action: 'Get the messages of a conversation',
    method: 'GET',
    path: '/api/v1/inbox/conversations/{conversationId}/messages',
    rows: 'messages',
    fields: [CONVERSATION, LIMIT],
  },
  {
    value: 'reply',
    name: 'Reply',
    action: 'Reply in a conversation',
    method: 'POST',
    path: '/api/v1/inbox/conversations/{conversationId}/messages',
    keyed: true,
    fields: [
      CONVERSATION,
      required(text('text', 'Text', 'What to say')),
      {
        ...text('actor', 'Actor', 'A reply of a bot goes out only while no person has taken the conversation over'),
        type: 'options',
        options: ['bot', 'person'],
      },
    ],
  },
  {
    value: 'assign',
    name: 'Take Over',
    action: 'Take a conversation over',
    method: 'POST',
    path: '/api/v1/conversations/{conversationId}/assign',
    keyed: true,
    fields: [CONVERSATION, text('assignee', 'Assignee', 'Who answers from now on'), ACTOR, REASON],
  },
  {
    value: 'release',
    name: 'Give Back',
    action: 'Give a conversation back to the agent',
    method: 'POST',
    path: '/api/v1/conversations/{conversationId}/release',
    keyed: true,
    fields: [CONVERSATION, ACTOR, REASON],
  },
];

const session: Operation[] = [
  {
    value: 'getAll',
    name: 'Get Many',
    action: 'Get many sessions',
    method: 'GET',
    path: '/api/v1/sessions',
    fields: [LIMIT],
  },
  {
    value: 'status',
    name: 'Get Status',
    action: 'Get the status of a session',
    method: 'GET',
    path: '/api/v1/sessions/status',
    fields: [inQuery(SESSION)],
  },
];

const memory: Operation[] = [
  {
    value: 'getAll',
    name: 'Get Many',
    action: 'Get many memories',
    method: 'GET',
    path: '/api/v1/memories',
    rows: 'memories',
    fields: [
      inQuery(text('contactId', 'Contact', 'A contact ID or phone number; facts about the tenant when empty')),
      LIMIT,
    ],
  },
  {
    value: 'create',
    name: 'Create',
    action: 'Create a memory',
    method: 'POST',
    path: '/api/v1/memories',
    keyed: true,
    fields: [
      required(text('fact', 'Fact', 'What the agent should know')),
      required(text('category', 'Category', 'Such as preference, context or need')),
      required(text('source', 'Source', 'Where it comes from, such as n8n')),
      text('contactId', 'Contact', 'A contact ID or phone number; a fact about the tenant when empty'),
    ],
  },
  {
    value: 'delete',
    name: 'Delete',
    action: 'Delete a memory',
    method: 'DELETE',
    path: '/api/v1/memories/{id}',
    fields: [inPath('id', 'Memory ID', 'The ID of the memory, mem_…')],
  },
];

const automation: Operation[] = [
  {
    value: 'start',
    name: 'Start a Workflow',
    action: 'Start a workflow',
    method: 'POST',
    path: '/api/v1/automation-executions',
    keyed: true,
    fields: [
      {
        ...required(
          text(
            'automation',
            'Workflow Name or ID',
            'Choose from the list, or specify an ID using an <a href="https://docs.n8n.io/code/expressions/">expression</a>',
          ),
        ),
        type: 'options',
        listed: 'workflows',
      },
      text('conversationId', 'Conversation ID', 'The conversation that it is about, cnv_…; or fill in "To"'),
      text('to', 'To', 'A phone number or a chat ID, instead of a conversation'),
      SESSION,
      { ...text('input', 'Data', 'The data that the workflow reads as its input'), type: 'json' },
    ],
  },
  {
    value: 'run',
    name: 'Run',
    action: 'Run an automation',
    method: 'POST',
    path: '/api/v1/automation-executions',
    keyed: true,
    fields: [
      required(text('automation', 'Automation', 'The name of the automation')),
      required(text('conversationId', 'Conversation ID', 'The conversation that it is about, cnv_…')),
      { ...text('input', 'Input', 'What the run is about, where the automation takes an input'), type: 'json' },
    ],
  },
  {
    value: 'getAll',
    name: 'Get Many Runs',
    action: 'Get many runs',
    method: 'GET',
    path: '/api/v1/automation-executions',
    rows: 'executions',
    fields: [inQuery(text('automation', 'Automation', 'Only runs of this automation')), LIMIT],
  },
  {
    value: 'cancel',
    name: 'Cancel a Run',
    action: 'Cancel a run',
    method: 'POST',
    path: '/api/v1/automation-executions/{id}/cancel',
    fields: [inPath('id', 'Run ID', 'The ID of the run, exe_…')],
  },
];

/** The node's operations. Each is one request of the engine's API. */
export const RESOURCES: readonly Resource[] = [
  { value: 'automation', name: 'Automation', operations: automation },
  { value: 'conversation', name: 'Conversation', operations: conversation },
  { value: 'memory', name: 'Memory', operations: memory },
  { value: 'message', name: 'Message', operations: message },
  { value: 'session', name: 'Session', operations: session },
];

export function operationOf(resource: string, operation: string): Operation {
  const known = RESOURCES.find(({ value }) => value === resource)?.operations.find(({ value }) => value === operation);
  if (!known) throw new Error(`There is no operation "${operation}" of "${resource}".`);
  return known;
}
