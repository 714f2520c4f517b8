/**
 * Delivery levels of the network (source: `docs/backend.md#events`, 5).
 * A level never falls; a level that is skipped counts as reached.
 */
export const ACK_NAMES = { '-1': 'ERROR', 0: 'PENDING', 1: 'SERVER', 2: 'DEVICE', 3: 'READ', 4: 'PLAYED' } as const;

export type AckLevel = -1 | 0 | 1 | 2 | 3 | 4;

export function ackName(level: AckLevel): (typeof ACK_NAMES)[keyof typeof ACK_NAMES] {
  return ACK_NAMES[level];
}

/** Undefined for levels this version does not know: they are ignored, not guessed. */
export function parseAck(value: number): AckLevel | undefined {
  return value === -1 || value === 0 || value === 1 || value === 2 || value === 3 || value === 4 ? value : undefined;
}

/** The state a message has reached by its ack alone; undefined while the network has not confirmed it. */
export function statusOfAck(level: AckLevel): 'sent' | 'delivered' | 'read' | 'played' | undefined {
  switch (level) {
    case 1:
      return 'sent';
    case 2:
      return 'delivered';
    case 3:
      return 'read';
    case 4:
      return 'played';
    default:
      return undefined;
  }
}
