import type { CapabilityName } from '../../network/capabilities.ts';
import { notSupported, platformsWithout } from '../../network/capabilities.ts';
import { EngineError } from '../../error.ts';
import type { OutgoingKind } from '../content.ts';

/** The capability that a session needs to send the kind, because no fallback exists. */
const CAPABILITY: Partial<Record<OutgoingKind, CapabilityName>> = {
  location: 'locations',
  contact: 'contactCards',
  poll: 'polls',
  forward: 'forwards',
};

/** True for the kinds that go natively or not at all. */
export function isNativeOnly(kind: OutgoingKind): boolean {
  return CAPABILITY[kind] !== undefined;
}

/** Lists the engines that certainly cannot send one of the kinds. */
export function enginesUnableTo(kinds: readonly OutgoingKind[]): string[] {
  return kinds.flatMap((kind) => {
    const capability = CAPABILITY[kind];
    return capability === undefined ? [] : platformsWithout(capability);
  });
}

/** Makes the error of a request for a kind that the engine of its session cannot send. */
export function kindNotSupported(kinds: readonly OutgoingKind[], platform: string): EngineError {
  const unable = kinds.find((kind) => enginesUnableTo([kind]).includes(platform.toUpperCase()));
  return notSupported((unable && CAPABILITY[unable]) ?? 'locations', platform);
}

const RELEASE_PAUSE_MS = 30_000;

/** Makes the error of a request for a kind that a process of the former release, which still runs, does not know. */
export function formerProcess(): EngineError {
  const detail = 'The engine is being upgraded and sends this kind of message only after all of it is upgraded.';
  return new EngineError('unavailable', detail, { retryAfterMs: RELEASE_PAUSE_MS });
}
