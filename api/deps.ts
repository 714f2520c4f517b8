import type { Catalogue } from '../domain/automations/definition.ts';
import type { DryRunner } from '../domain/automations/dry-run/task.ts';
import type { Backends } from '../adapters/backend/backends.ts';
import type { ConsoleLinks } from './console/link-maker.ts';
import type { Database } from '../db/engine/database.ts';
import type { AcceptOutcome, ScopedSend } from '../db/sending/accept.ts';
import type { Shared } from './route/together.ts';
import type { MediaLinks } from '../db/conversations/media-links.ts';
import type { ParkedEvent } from '../db/network/parked-event.ts';
import type { FairSlots } from '../domain/fair-slots.ts';
import type { SlotsPerBackend } from '../domain/slots-per-backend.ts';
import type { RefusedUrl } from '../domain/webhooks/endpoint.ts';
import type { Limits } from '../domain/tenants/limits.ts';
import type { PromptOptions } from '../domain/agent/prompt/context.ts';
import type { ExportFiles } from './personal-data/export-files.ts';
import type { FetchFile } from './passthrough/files.ts';
import type { EventIntake } from './network/event-intake.ts';
import type { Health } from './wire/health.ts';
import type { Idempotency } from './route/idempotency.ts';
import type { ConnectLinks } from './sessions/connect/links.ts';
import { createRouting } from './route/route.ts';
import type { Gate } from './wire/held.ts';
import type { Shedding } from './sending/shedding.ts';
import type { FileStoring } from './sending/put-file.ts';
import type { EventStreams } from './webhooks/stream/event-streams.ts';
import type { Watch } from './wire/watch.ts';

/** The address of Temporal's web UI, and the namespace there. */
export interface TemporalUi {
  url: string;
  namespace: string;
}

/** Everything that handlers work with. */
export interface ApiDeps {
  database: Database;
  idempotency: Idempotency;
  /** Accepts the sends of requests that come at the same time in one statement. */
  accepting: Shared<ScopedSend, AcceptOutcome>;
  /** Refuses sends while earlier ones wait too long. */
  shedding: Shedding;
  messageWatch: Watch;
  eventWatch: Watch;
  sessionWatch: Watch;
  /** The streams of events that are open at this process. */
  eventStreams: EventStreams;
  /** A response waits this long until a requested act is done. */
  outcomeWaitMs: number;
  backends: Backends;
  /** The reads of QR codes that may be under way; a session has its share of them. */
  qrReads: SlotsPerBackend;
  /** The reads and changes of accounts, their labels and contacts that may be under way; a session has its share. */
  accountCalls: SlotsPerBackend;
  /** The key by which the backend signs its events. */
  backendWebhookSecret: string;
  /** Stores what the backend sends. */
  intake: Pick<EventIntake, 'store'>;
  /** Returns the event as it is afterwards, or undefined when no event has that id. */
  applyParkedEvent: (id: string) => Promise<ParkedEvent | undefined>;
  /** Every agency has these limits unless an operator has set others for it. */
  limits: Limits;
  mediaLinks: MediaLinks;
  /** Stores the files of requests. */
  fileStoring: FileStoring;
  /** The files that may be on their way into the store; a tenant has its share of them. */
  uploads: Gate;
  exportFiles: ExportFiles;
  connectLinks: ConnectLinks;
  consoleLinks: ConsoleLinks;
  /** Fetches through the guarded egress what a request names by its address. */
  fetchFile: FetchFile;
  /** Says why no event will ever be posted to a URL; null when one may be, or when only a look-up tells. */
  refusesPost: (url: string) => RefusedUrl | null;
  /** The fetches of pictures that may be under way; an agency has its share of them. */
  pictureFetches: FairSlots;
  /** The automations of this release. */
  automations: Catalogue;
  /** Lets an automation's code run in virtual time. */
  dryRun: DryRunner;
  /** The dry runs that may be under way; an agency has its share of them. */
  dryRuns: FairSlots;
  /** Temporal's web UI and the namespace there; null when its address is not known. */
  temporalUi: TemporalUi | null;
  /** The configured models; the first is the default. */
  modelIds: readonly string[];
  /** The bounds of a prompt for a model; the agent's own prompts have the same bounds. */
  promptOptions: (model: string, maxTokens: number) => PromptOptions;
  health: Health;
  version: string;
}

export const { defineRoute } = createRouting<ApiDeps>(({ idempotency }) => idempotency);
