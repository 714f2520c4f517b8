/** The kinds of events that the triggers offer, with what each tells. */
export const EVENTS = [
  ['message', 'Somebody has written'],
  ['message.ack', 'A message was delivered or read'],
  ['message.edited', 'A contact has edited a message'],
  ['message.media', 'The file of a message has come'],
  ['message.reaction', 'A contact has reacted to a message'],
  ['message.revoked', 'A contact has deleted a message'],
  ['conversation.assigned', 'Somebody has taken a conversation over or given it back'],
  ['contact.updated', 'What is known of a contact has changed'],
  ['session.status', 'An account was connected or lost'],
  ['session.silent', 'An account has fallen silent'],
  ['session.recovered', 'An account is heard again'],
  ['automation.completed', 'A run of an automation has ended'],
  ['automation.failed', 'A run of an automation has failed'],
] as const;
