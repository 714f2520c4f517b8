import { EngineError } from '../error.ts';

/** The programs of the backend that speak to the network; its own word for one is engine. */
export const PLATFORMS = ['NOWEB', 'GOWS', 'WEBJS', 'WPP'] as const;
type Platform = (typeof PLATFORMS)[number];

interface Capability {
  on: readonly Platform[];
  /** The version of the backend with which a platform came to it; any version where none is named. */
  since?: Partial<Record<Platform, readonly number[]>>;
  /** Completes "NOWEB cannot …". */
  does: string;
  /** The alternative if the capability is missing. */
  instead: string;
}

/**
 * The one table of what the platforms can (`docs/extend/backend.md#platforms`). An edition of the backend may take more
 * away; the backend then says so itself when it is asked.
 */
const CAPABILITIES = {
  buttons: {
    on: ['NOWEB'],
    does: 'show buttons',
    instead: 'They are sent as numbered text, and a reply with a number comes back as the choice.',
  },
  lists: {
    on: ['NOWEB', 'GOWS'],
    does: 'show lists',
    instead: 'They are sent as numbered text, and a reply with a number comes back as the choice.',
  },
  locations: {
    on: PLATFORMS,
    does: 'send locations',
    instead: 'Send a text with a link to a map.',
  },
  contactCards: {
    on: PLATFORMS,
    does: 'send contacts',
    instead: 'Send a text with the name and the number.',
  },
  polls: {
    on: ['NOWEB', 'GOWS', 'WPP'],
    does: 'send polls',
    instead: 'Send a list or buttons: if those cannot be shown either, they are sent as numbered text.',
  },
  stickers: {
    on: [],
    does: 'send stickers',
    instead: 'Send the picture as an attachment of the kind image.',
  },
  forwards: {
    on: ['NOWEB', 'WEBJS', 'WPP'],
    does: 'forward messages',
    instead: 'Send a new message that says the same.',
  },
  reactions: {
    on: PLATFORMS,
    does: 'react to messages',
    instead: 'React on the phone.',
  },
  edits: {
    on: PLATFORMS,
    does: 'edit a sent text',
    instead: 'Edit it on the phone, or send another message.',
  },
  revokes: {
    on: PLATFORMS,
    does: 'delete a sent message for everyone',
    instead: 'Delete it on the phone.',
  },
  callerChosenIds: {
    on: ['NOWEB', 'GOWS'],
    since: { NOWEB: [2026, 4, 3], GOWS: [2026, 4, 3] },
    does: 'send under an id that the engine chose',
    instead:
      'If the response to a send is lost, the engine looks for the message in the chat, by its text and its time.',
  },
  labels: {
    on: PLATFORMS,
    does: 'label chats',
    instead: 'Keep labels in your own system, by conversationId.',
  },
  block: {
    on: ['NOWEB', 'WEBJS', 'WPP'],
    since: { NOWEB: [2026, 8] },
    does: 'block contacts',
    instead: 'Block the contact on the phone; the network then holds its messages back.',
  },
  channels: {
    on: PLATFORMS,
    does: 'write to channels',
    instead: 'Write to the channel on the phone.',
  },
  profileName: {
    on: PLATFORMS,
    does: "change the account's name",
    instead: 'Change it on the phone.',
  },
  profileAbout: {
    on: PLATFORMS,
    does: "change the account's about text",
    instead: 'Change it on the phone.',
  },
  readAbout: {
    on: ['NOWEB', 'WEBJS', 'WPP'],
    since: { NOWEB: [2026, 8] },
    does: "read the account's about text",
    instead: 'Read it on the phone. It can be set anyway.',
  },
  profilePicture: {
    on: PLATFORMS,
    does: "change the account's picture",
    instead: 'Change it on the phone.',
  },
  pairingCode: {
    on: PLATFORMS,
    does: 'connect by a pairing code',
    instead: 'Scan the QR code.',
  },
} as const satisfies Record<string, Capability>;

export type CapabilityName = keyof typeof CAPABILITIES;
export const CAPABILITY_NAMES = Object.keys(CAPABILITIES).filter(isCapability);

function isCapability(text: string): text is CapabilityName {
  return Object.hasOwn(CAPABILITIES, text);
}

/**
 * A platform that is not known is taken to do what all known ones do, and a version that is not known to be an old one.
 */
export function canDo(capability: CapabilityName, platform: string | null, version: string | null = null): boolean {
  const { on, since }: Capability = CAPABILITIES[capability];
  const known = knownPlatform(platform);
  if (known === undefined) return on.length === PLATFORMS.length && since === undefined;
  return on.includes(known) && isAtLeast(version, since?.[known] ?? []);
}

/** Tells whether the backend's version decides if the platform can do it. */
export function dependsOnVersion(capability: CapabilityName, platform: string | null): boolean {
  const { since }: Capability = CAPABILITIES[capability];
  const known = knownPlatform(platform);
  return known !== undefined && since?.[known] !== undefined;
}

function knownPlatform(platform: string | null): Platform | undefined {
  return PLATFORMS.find((name) => name === platform?.toUpperCase());
}

function isAtLeast(version: string | null, wanted: readonly number[]): boolean {
  const parts = (version ?? '').split('.').map((part) => Number.parseInt(part, 10));
  for (const [index, least] of wanted.entries()) {
    const part = parts[index] ?? Number.NaN;
    if (!(part >= least)) return false;
    if (part > least) return true;
  }
  return true;
}

/** Says what it is, to complete "can …", and what is done, or can be done, where a platform cannot. */
export function wordsOfCapability(capability: CapabilityName): { does: string; instead: string } {
  const { does, instead } = CAPABILITIES[capability];
  return { does, instead };
}

/** Makes the error of a request for what the session's platform cannot do. */
export function notSupported(capability: CapabilityName, platform: string | null): EngineError {
  const { does, instead } = CAPABILITIES[capability];
  return new EngineError('not_supported_by_engine', `${platform ?? 'The backend'} cannot ${does}. ${instead}`);
}

/** Lists the platforms that certainly cannot do it. */
export function platformsWithout(capability: CapabilityName): Platform[] {
  return PLATFORMS.filter((platform) => !canDo(capability, platform));
}

/** Refuses what the platform certainly cannot do. One that is not known yet is asked instead, unless none can. */
export function requireCapability(
  capability: CapabilityName,
  platform: string | null,
  version: string | null = null,
): void {
  const unable = PLATFORMS.filter((each) => !canDo(capability, each, version));
  const isUnable = unable.some((name) => name === knownPlatform(platform));
  if (isUnable || unable.length === PLATFORMS.length) throw notSupported(capability, platform);
}
