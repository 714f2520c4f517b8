import { CallLog } from './http/call-log.ts';
import { createFaultList } from './http/fault-list.ts';
import type { FaultList } from './http/fault-list.ts';
import { RouteFaults } from './http/faults.ts';
import { Sessions } from './http/sessions.ts';
import { Model } from './llm/model.ts';
import { Aftermath } from './network/aftermath.ts';
import { NetworkClock } from './network/clock.ts';
import type { Core } from './network/core.ts';
import { Lifecycle } from './network/lifecycle.ts';
import { StatusWaiters } from './network/status-waiters.ts';
import type { Settings } from './options.ts';
import { seeded } from './random.ts';
import type { Journal } from './state/journal.ts';
import { World } from './state/world.ts';
import { Timers } from './timers.ts';
import { WebhookFaults } from './webhooks/faults.ts';
import { WebhookSender } from './webhooks/sender.ts';

/** The things that the routes work with. */
export interface Parts {
  core: Core;
  sessions: Sessions;
  lifecycle: Lifecycle;
  aftermath: Aftermath;
  faults: RouteFaults;
  webhookFaults: WebhookFaults;
  faultList: FaultList;
  calls: CallLog;
  model: Model;
  /** Closes the listener for a while, so that connections are really refused. */
  goDown: (ms: number) => void;
}

export function createParts(settings: Settings, journal: Journal, goDown: (ms: number) => void): Parts {
  const timers = new Timers();
  const webhookFaults = new WebhookFaults(seeded(settings.seed));
  const webhooks = new WebhookSender(timers, webhookFaults, settings.log);
  const core: Core = {
    settings,
    world: new World(journal),
    timers,
    clock: new NetworkClock(),
    webhooks,
    fetchedAt: new Map(),
    url: '',
    version: settings.version,
  };
  const waiters = new StatusWaiters(timers);
  const faults = new RouteFaults();
  const lifecycle = new Lifecycle(core, waiters);
  return {
    core,
    sessions: new Sessions(core, waiters),
    lifecycle,
    aftermath: new Aftermath(core, lifecycle),
    faults,
    webhookFaults,
    faultList: createFaultList({ core, faults, webhookFaults }),
    calls: new CallLog(),
    model: new Model(timers),
    goDown,
  };
}
