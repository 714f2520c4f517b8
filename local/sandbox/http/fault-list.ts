import type { Core } from '../network/core.ts';
import type { WebhookFaults } from '../webhooks/faults.ts';
import type { RouteFaults } from './faults.ts';

/** A fault that strikes now, as the control API lists it. */
export interface ArmedFault {
  id: string;
  fault: object;
  /** The calls or events that it strikes still; null when it lasts until it is ended. */
  left: number | null;
}

/** There is one of each at a time, which a later one replaces. */
export const REFUSAL_ID = 'refuse';
export const CLOCK_ID = 'clock';

interface FaultParts {
  core: Core;
  faults: RouteFaults;
  webhookFaults: WebhookFaults;
}

export interface FaultList {
  /** The id of a fault that a list of faults has armed. */
  idOf(fault: object): string;
  list(): ArmedFault[];
  /** Ends one fault. Answers false when there is no such fault. */
  end(id: string): boolean;
}

/** Makes one list of all faults, wherever they are kept. */
export function createFaultList({ core, faults, webhookFaults }: FaultParts): FaultList {
  const ids = new WeakMap<object, string>();
  let made = 0;
  const idOf = (fault: object): string => {
    const id = ids.get(fault) ?? String((made += 1));
    ids.set(fault, id);
    return id;
  };

  const entries = (): { armed: ArmedFault; end: () => void }[] => [
    ...faults.armed.map((fault) => ({
      armed: { id: idOf(fault), fault, left: fault.count },
      end: () => faults.disarm(fault),
    })),
    ...webhookFaults.armed.map(({ fault, left }) => ({
      armed: { id: idOf(fault), fault, left: Number.isFinite(left) ? left : null },
      end: () => webhookFaults.disarm(fault),
    })),
    ...(faults.refusing
      ? [{ armed: { id: REFUSAL_ID, fault: { refuse: true }, left: null }, end: () => void (faults.refusing = false) }]
      : []),
    ...(core.clock.aheadMs === 0
      ? []
      : [
          {
            armed: { id: CLOCK_ID, fault: { clockAheadMs: core.clock.aheadMs }, left: null },
            end: () => void (core.clock.aheadMs = 0),
          },
        ]),
  ];

  return {
    idOf,
    list: (): ArmedFault[] => entries().map(({ armed }) => armed),
    end(id: string): boolean {
      const found = entries().find(({ armed }) => armed.id === id);
      found?.end();
      return found !== undefined;
    },
  };
}
