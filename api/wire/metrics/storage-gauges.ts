import type { Registry } from 'prom-client';
import type { AgencyStorage } from '../../../db/media/storage.ts';
import type { MediaDisk } from '../../../domain/tenants/storage.ts';
import { registerGauge } from './registry.ts';
import { registerLabelledGauges } from './labelled-gauges.ts';
import type { LabelledNumber } from './labelled-gauges.ts';

const NUMBERS: LabelledNumber<AgencyStorage>[] = [
  { name: 'engine_storage_bytes', of: ({ bytes }) => bytes },
  { name: 'engine_storage_used_share', of: ({ share }) => share },
];

/** Shows what each agency stores, so that an alert comes before its uploads are refused. */
export function registerStorageGauges(
  registry: Registry,
  read: () => Promise<readonly AgencyStorage[]>,
  onError: (error: unknown) => void,
): void {
  registerLabelledGauges(
    { registry, onError },
    { label: 'agency', valueOf: ({ agencyId }) => agencyId, numbers: NUMBERS, read },
  );
}

/** Shows the space that is left, so that an alert comes before uploads are refused. */
export function registerDiskGauge(registry: Registry, disk: MediaDisk, onError: (error: unknown) => void): void {
  if (disk === null) return;
  registerGauge(registry, 'engine_media_disk_free_share', async (gauge) => {
    try {
      gauge.set(await disk.freeShare());
    } catch (error) {
      onError(error);
    }
  });
}
