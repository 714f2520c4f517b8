import type { TableName } from '../tables.ts';

/** The walk through a table's rows: those of the tenant, or those of each row of another table. */
type Walk =
  /** `through` names the row that says whose a row is, where the row itself does not. */
  | { of: 'tenant'; through?: { table: 'conversation'; by: 'conversation_id' } }
  | { of: 'session' | 'contact' | 'conversation'; by: string }
  /** With the page of messages that they belong to. */
  | { of: 'message'; by: 'message_id' };

/** A column by which the rows are in order, with its type. */
type Key = readonly [column: string, type: 'text' | 'bigint' | 'timestamptz' | 'bytea'];

/** A table whose rows an export has. */
export interface ExportedTable {
  table: TableName;
  walk: Walk;
  /** Names a row among those of one walk, and is in an index behind what the walk goes by. */
  key: readonly Key[];
  /** More that a row must be. */
  where?: string;
  /** These columns alone, of tables most of whose columns are about the engine itself. */
  only?: readonly string[];
  /** These columns not, because they say what this engine is doing just now, or count for it alone. */
  without?: readonly string[];
  /** Leads to a row of the same table, which may come later: it is written once all rows are there. */
  later?: string;
  /** The row's parents. A row is skipped if its parent is not the tenant's. */
  parents?: Readonly<Record<string, TableName>>;
  /** The row's links. A link is empty if its target is not the tenant's. */
  links?: Readonly<Record<string, TableName>>;
}

/** The exported tables, in import order: a row comes after its targets. */
export const EXPORTED = [
  {
    table: 'tenant',
    walk: { of: 'tenant' },
    key: [['id', 'text']],
    only: ['ai_mode', 'persona', 'settings', 'created_at'],
  },
  {
    // Up to when the retention has deleted: a longer one on another engine brings nothing back there either.
    table: 'deletion_mark',
    walk: { of: 'tenant' },
    key: [['kept_since', 'timestamptz']],
  },
  {
    table: 'session',
    walk: { of: 'tenant' },
    key: [['id', 'text']],
    where: "wish <> 'deleted'",
    only: [
      'id',
      'name',
      'is_default',
      'chat_id',
      'push_name',
      'lid',
      'platform',
      'picture',
      'picture_asked_at',
      'synced_pages',
      'synced_at',
      'contacts_synced_at',
      'created_at',
    ],
  },
  {
    table: 'label',
    walk: { of: 'session', by: 'session_id' },
    key: [['id', 'text']],
    parents: { session_id: 'session' },
  },
  {
    table: 'contact',
    walk: { of: 'tenant' },
    key: [['id', 'text']],
    without: ['phone_asked_at', 'ask_phone_at', 'phone_asks', 'ask_session_id'],
  },
  {
    table: 'contact_alias',
    walk: { of: 'tenant' },
    key: [['chat_id', 'text']],
    parents: { contact_id: 'contact' },
  },
  {
    table: 'erased_address',
    walk: { of: 'tenant' },
    key: [['digest', 'bytea']],
  },
  {
    // Pairs that an operator has split, so that nothing merges them again. The contacts hold the valid merges.
    table: 'contact_merge',
    walk: { of: 'tenant' },
    key: [['id', 'bigint']],
    where: 'undone_at is not null',
    only: [
      'at',
      'from_contact_id',
      'into_contact_id',
      'cause',
      'session_id',
      'chat_ids',
      'undone_at',
      'apart_from',
      'apart_into',
    ],
    parents: { into_contact_id: 'contact', from_contact_id: 'contact', session_id: 'session' },
  },
  {
    table: 'session_contact',
    walk: { of: 'session', by: 'session_id' },
    key: [['contact_id', 'text']],
    parents: { session_id: 'session', contact_id: 'contact' },
  },
  {
    table: 'chat_label',
    walk: { of: 'session', by: 'session_id' },
    key: [
      ['label_id', 'text'],
      ['chat_id', 'text'],
    ],
    where: 'is_set',
    parents: { session_id: 'session' },
  },
  {
    table: 'conversation',
    walk: { of: 'tenant' },
    key: [['id', 'text']],
    without: ['unfinished_merge', 'typing_at', 'typing_until'],
    later: 'merged_into',
    parents: { session_id: 'session' },
    links: { contact_id: 'contact' },
  },
  {
    table: 'group_member',
    walk: { of: 'conversation', by: 'conversation_id' },
    key: [['chat_id', 'text']],
    parents: { conversation_id: 'conversation' },
  },
  {
    table: 'handover',
    walk: { of: 'tenant', through: { table: 'conversation', by: 'conversation_id' } },
    key: [['id', 'bigint']],
    without: ['id', 'key_id', 'request_id', 'is_untold'],
    parents: { conversation_id: 'conversation' },
  },
  {
    table: 'message',
    // Not by conversation: a merge gives messages to another one, which the walk may have left behind already.
    walk: { of: 'tenant' },
    key: [['id', 'text']],
    // One that is being matched may be a send that is exported, too; once it is a person's, the network shows it again.
    where: 'matching_network_id is null',
    without: [
      'matching_network_id',
      'execution_id',
      'while_so',
      'content_asked_at',
      'claim_token',
      'claimed_at',
      'taken_at',
      'claim_owner',
      'released_at',
      'promised_at',
      'ready_at',
      'held_by',
      'held_until',
      'awaits_turn',
      'owed_from',
      'waived_at',
      'ack_check_at',
      'ack_checks',
      'slice',
      'owner_gone_at',
    ],
    parents: { session_id: 'session', conversation_id: 'conversation' },
    links: { contact_id: 'contact' },
  },
  {
    table: 'message_version',
    walk: { of: 'message', by: 'message_id' },
    key: [['edit_id', 'text']],
    parents: { message_id: 'message' },
  },
  {
    table: 'message_response',
    walk: { of: 'message', by: 'message_id' },
    key: [
      ['kind', 'text'],
      ['responder', 'text'],
    ],
    parents: { message_id: 'message' },
  },
  {
    table: 'message_history',
    walk: { of: 'message', by: 'message_id' },
    key: [['id', 'bigint']],
    without: ['id', 'key_id'],
    parents: { message_id: 'message' },
  },
  {
    table: 'ai_turn',
    walk: { of: 'tenant' },
    key: [['id', 'text']],
    where: "outcome <> 'running'",
    without: ['retry_at'],
    parents: { session_id: 'session', conversation_id: 'conversation' },
  },
  {
    table: 'memory',
    walk: { of: 'tenant' },
    key: [['id', 'text']],
    later: 'superseded_by',
    parents: { contact_id: 'contact' },
  },
  {
    table: 'note',
    walk: { of: 'tenant' },
    key: [['id', 'text']],
    parents: { contact_id: 'contact' },
  },
  {
    table: 'automation',
    walk: { of: 'tenant' },
    key: [['definition', 'text']],
  },
  {
    table: 'canned_answer',
    walk: { of: 'tenant' },
    key: [['shortcut', 'text']],
  },
] as const satisfies readonly ExportedTable[];

type Exported = (typeof EXPORTED)[number]['table'];

const OF_AGENCY = 'of the agency, and of no tenant';
const OF_ENGINE = "of this engine's own work";
const SECRET = 'holds keys or secrets: new ones are made where the tenant is imported';
const UNDER_WAY = 'what is under way here, and nowhere else';
const MADE_ANEW = 'made anew of the rows that are exported';
const LOGGED = 'a log of what this engine has done, which ends by its age';
const COUNTED = 'counts of this engine, by which its limits are kept';
const ACCOUNT_LINK = "about the account's link to this engine, which is linked anew elsewhere";

/** The tables that no export holds, each with its reason. A new table must be here or above, or nothing compiles. */
export const NOT_EXPORTED: Readonly<Record<Exclude<TableName, Exported>, string>> = {
  agency: OF_AGENCY,
  agency_at_work: OF_ENGINE,
  ai_reservation: UNDER_WAY,
  ai_usage: COUNTED,
  api_key: SECRET,
  audit_entry: 'the proof of what was done here, which stays here',
  automation_ceiling: OF_ENGINE,
  automation_change: LOGGED,
  agency_brand: OF_AGENCY,
  automation_default: OF_AGENCY,
  automation_default_change: OF_AGENCY,
  automation_execution: 'runs of this engine, whose messages are exported',
  automation_step: 'steps of runs of this engine',
  automation_stop: OF_AGENCY,
  awaited_content: UNDER_WAY,
  backend: OF_ENGINE,
  backend_event: 'what the backend told; what came of it is exported',
  ceiling: OF_ENGINE,
  chat_count: MADE_ANEW,
  chat_text: MADE_ANEW,
  chat_text_fill: OF_ENGINE,
  colleague: 'names of the staff here',
  connect_link: SECRET,
  console_link: SECRET,
  console_login: SECRET,
  delivery: LOGGED,
  delivery_attempt: LOGGED,
  delivery_shard: OF_ENGINE,
  delivery_worker: OF_ENGINE,
  dispatch: UNDER_WAY,
  endpoint: SECRET,
  endpoint_drain: UNDER_WAY,
  endpoint_health: OF_ENGINE,
  endpoint_history: LOGGED,
  endpoint_notice: LOGGED,
  endpoint_version: OF_ENGINE,
  erased_pepper: 'sealed with a key of this engine; the manifest has what it seals',
  erased_file: 'of addresses of this engine',
  erasure: 'the proof of what was erased here, which stays here',
  event: 'what dashboards were told of the rows that are exported',
  event_expiry: OF_ENGINE,
  flow: OF_AGENCY,
  flow_hook: SECRET,
  flow_calls: OF_ENGINE,
  flow_run: 'runs of this engine, whose messages are exported',
  flow_secret: SECRET,
  flow_version: OF_AGENCY,
  function_version: OF_ENGINE,
  gap: ACCOUNT_LINK,
  gap_reading: ACCOUNT_LINK,
  held_event: UNDER_WAY,
  history_read: UNDER_WAY,
  history_sync: ACCOUNT_LINK,
  idempotency: 'answers to requests to this engine, for 48 hours',
  label_import: ACCOUNT_LINK,
  label_lease: UNDER_WAY,
  failed_reply: UNDER_WAY,
  file_hold: UNDER_WAY,
  media_fetch: UNDER_WAY,
  media_key: OF_ENGINE,
  media_let_go: OF_ENGINE,
  media_sweep: OF_ENGINE,
  media_usage: MADE_ANEW,
  storage_ceiling: OF_ENGINE,
  storage_file: MADE_ANEW,
  storage_note: MADE_ANEW,
  storage_use: MADE_ANEW,
  merge_move: 'by which a merge is undone here; the contacts are exported as they are',
  message_alias: UNDER_WAY,
  message_action: 'what was asked of the network here; what came of it is in the messages',
  message_text: MADE_ANEW,
  message_text_fill: OF_ENGINE,
  mirror: OF_ENGINE,
  mirror_note: UNDER_WAY,
  open_stream: UNDER_WAY,
  pace_default: OF_ENGINE,
  parked_ack: UNDER_WAY,
  parked_change: UNDER_WAY,
  parked_event: UNDER_WAY,
  parked_own_message: UNDER_WAY,
  parked_revoke: UNDER_WAY,
  partition_policy: OF_ENGINE,
  passthrough_send: UNDER_WAY,
  receiving: OF_ENGINE,
  rehearsal: 'trials, kept for seven days',
  repair: OF_ENGINE,
  repeated_promise: OF_ENGINE,
  request_log: LOGGED,
  request_rate: COUNTED,
  retention_place: OF_ENGINE,
  retention_sweep: OF_ENGINE,
  search_due: MADE_ANEW,
  session_backend_key: SECRET,
  session_hearing: ACCOUNT_LINK,
  session_list_turn: OF_ENGINE,
  session_pace: ACCOUNT_LINK,
  session_pattern: ACCOUNT_LINK,
  session_request: ACCOUNT_LINK,
  session_sequence: COUNTED,
  temporal_store: OF_ENGINE,
  tenant_export: 'exports of this engine',
  tenant_export_part: 'exports of this engine',
  tenant_import: 'imports of this engine',
  unknown_report: OF_ENGINE,
  viewer: UNDER_WAY,
};
