import { z } from 'zod';
import type { Location } from '../../../../domain/network/message-content.ts';
import { contentIn } from './inner.ts';
import type { RawMessage } from '../raw-message.ts';
import { Flag, Numeric, Text } from '../raw.ts';

/** The place as the backend tells it; NOWEB writes the numbers as strings (`docs/backend.md#events`, 8). */
const Told = z.object({
  live: Flag,
  latitude: Numeric,
  longitude: Numeric,
  name: Text,
  description: Text,
  address: Text,
  url: Text,
});

/** The place as the network describes it. */
const Described = z.object({ degreesLatitude: Numeric, degreesLongitude: Numeric, name: Text, address: Text });

/** Reads the place of a location; null where the engine does not say where it is. */
export function locationOf(raw: RawMessage): Location | null {
  const told = Told.safeParse(raw.location).data;
  const content = contentIn(raw) ?? {};
  const isLive = (content['liveLocationMessage'] ?? null) !== null;
  const described = Described.safeParse(content[isLive ? 'liveLocationMessage' : 'locationMessage']).data;
  const latitude = described?.degreesLatitude ?? told?.latitude ?? null;
  const longitude = described?.degreesLongitude ?? told?.longitude ?? null;
  if (latitude === null || longitude === null) return null;
  return {
    latitude,
    longitude,
    name: told?.name ?? told?.description ?? described?.name ?? null,
    address: told?.address ?? described?.address ?? null,
    url: told?.url ?? null,
    live: isLive || told?.live === true,
  };
}
