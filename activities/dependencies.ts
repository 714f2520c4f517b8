import type { Backends } from '../adapters/backend/backends.ts';
import type { AgencyShares } from '../domain/shares.ts';
import type { Catalogue } from '../domain/automations/definition.ts';
import type { Database } from '../db/engine/database.ts';
import type { SessionWebhook } from '../db/sessions/session-webhook.ts';
import type { MediaStore } from '../domain/sending/media.ts';
import type { SilenceSettings } from '../domain/sessions/hearing.ts';
import type { HistorySettings } from '../domain/sessions/history-sync.ts';
import type { SettleDelays } from '../domain/sending/message-state.ts';
import type { Thumbnails } from './thumbnails/thumbnails.ts';
import type { Egress } from '../adapters/egress/egress.ts';
import type { Models } from '../adapters/models/models.ts';
import type { SendSlots } from './sending/send-slots.ts';

/** The means by which activities touch the world; one set per worker process. */
export interface ActivityDependencies {
  database: Database;
  backends: Backends;
  limits: SendSlots;
  shares: AgencyShares;
  settleDelays: SettleDelays;
  egress: Egress;
  models: Models;
  /** `maxBytes` bounds the files that are sent. */
  media: { store: MediaStore; maxBytes: number };
  /** Bounds the files that contacts have sent. */
  inboundMediaMaxBytes: number;
  thumbnails: Thumbnails;
  /** Without a request, the engine fetches files of the past only up to this age. */
  historyMediaDays: number;
  /** The address to which the backend sends its events, which events, and the secret with which it signs them. */
  backendWebhook: SessionWebhook;
  /** Whether and when a session that says that it works is taken for silent. */
  silence: SilenceSettings;
  /** Time between samples of a session's chats against its backend; 0 disables them. */
  auditEveryMs: number;
  /** The depth and the rhythm of the import of accounts' past. */
  history: HistorySettings;
  /** The automations of this release. */
  automations: Catalogue;
  /** Called for each step of a reconcile that failed. The next run repeats the step. */
  onRepairFailed: (error: unknown, step: string) => void;
  /** Aborts when the process begins to stop: loops end at their next safe point. */
  stopping: AbortSignal;
}
