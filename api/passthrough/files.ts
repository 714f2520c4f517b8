import { z } from 'zod';
import { EngineError, invalid } from '../../domain/error.ts';
import { busy } from '../wire/doors.ts';

export type FetchedFile = { bytes: Buffer } | { refused: string } | { outcome: 'no_room' };

/**
 * Fetches a file from an address that a tenant has named, or says in words why it cannot. `room` is asked with its size
 * once all of it has come.
 */
export type FetchFile = (url: string, room: (sizeBytes: number) => Promise<boolean>) => Promise<FetchedFile>;

const Fields = z.record(z.string(), z.unknown());

/** True when a file in the body is named by its address. */
export function namesAddress(fields: Record<string, unknown>, places: readonly string[]): boolean {
  return places.some((place) => addressAt(fields, place.split('.')) !== undefined);
}

/**
 * Puts the file itself where the body names an address. The backend stands in the operator's network and fetches
 * whatever it is told, so the engine fetches instead, through the guarded egress.
 */
export async function withFiles(
  fields: Record<string, unknown>,
  places: readonly string[],
  fetchFile: (url: string) => Promise<FetchedFile>,
): Promise<Record<string, unknown>> {
  let whole = fields;
  for (const place of places) {
    const path = place === '' ? [] : place.split('.');
    const url = addressAt(whole, path);
    if (url === undefined) continue;
    const file = await fetchFile(url);
    if ('outcome' in file) throw busy();
    if ('refused' in file) {
      throw new EngineError('media_unavailable', file.refused, {
        fields: [{ pointer: `/${[...path, 'url'].join('/')}`, message: 'cannot be fetched' }],
      });
    }
    whole = replaced(whole, path, file.bytes.toString('base64'));
  }
  return whole;
}

function addressAt(fields: unknown, [name, ...rest]: readonly string[]): string | undefined {
  const here = Fields.safeParse(fields);
  if (!here.success) return undefined;
  if (name !== undefined && name !== '') return addressAt(here.data[name], rest);
  const { url } = here.data;
  if (url === undefined || url === null || typeof url === 'string') return url ?? undefined;
  // A list of one address reads as the address where the backend fetches it.
  throw invalid({ pointer: '', message: 'has a url of a file that is not a string' });
}

function replaced(fields: unknown, [name, ...rest]: readonly string[], data: string): Record<string, unknown> {
  const here = Fields.parse(fields);
  if (name !== undefined && name !== '') return { ...here, [name]: replaced(here[name], rest, data) };
  const { url: _, ...others } = here;
  return { ...others, data };
}
