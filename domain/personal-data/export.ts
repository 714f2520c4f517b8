import { z } from 'zod';
import { explained } from '../explained.ts';
import { ExportId } from '../ids.ts';
import { ExternalId } from '../scope.ts';

/** The file of an export is kept for so many days. */
export const EXPORT_DAYS = 7;

/** Why the file of an export is not there any more. */
export const EXPORT_GONE_TEXTS = {
  expired: `It was kept for ${EXPORT_DAYS} days.`,
  erased: 'A person of the tenant was erased since then, and may have been in it.',
  deleted: 'It was deleted by a request.',
} as const;
export type ExportGone = keyof typeof EXPORT_GONE_TEXTS;

const EXPORT_STATUS_TEXTS = {
  running: 'Rows and files are being collected.',
  done: 'The file can be downloaded.',
  gone: 'The file is no longer kept; `goneReason` gives the reason.',
} as const;

const count = (what: string) => z.int().meta({ description: what });

export const ExportView = z
  .object({
    id: ExportId,
    tenantId: ExternalId.meta({ description: 'The tenant that is exported.' }),
    status: z.string().meta({
      enum: Object.keys(EXPORT_STATUS_TEXTS),
      description: explained('How far it is.', EXPORT_STATUS_TEXTS),
    }),
    goneReason: z
      .string()
      .nullable()
      .meta({
        enum: [...Object.keys(EXPORT_GONE_TEXTS), null],
        description: explained('Why its file is no longer kept. Null while it is kept.', EXPORT_GONE_TEXTS),
      }),
    counts: z.record(z.string(), z.int()).meta({
      description: 'How many rows are written so far, by database table.',
    }),
    files: count('How many files are in it so far, including pictures of contacts and thumbnails.'),
    missingFiles: count('Files that messages name and the store did not have.'),
    sizeBytes: count('The size of its file so far; once it is done, the full size.'),
    downloadUrl: z.string().nullable().meta({
      description: 'The address of the file, with the same key. Null until it is done, and once it is no longer kept.',
    }),
    createdAt: z.iso.datetime().meta({ description: 'When it was requested.' }),
    endedAt: z.iso.datetime().nullable().meta({ description: 'When it ended. Null before that.' }),
    expiresAt: z.iso.datetime().nullable().meta({ description: 'Until when the file is kept. Null until it ends.' }),
  })
  .meta({ id: 'TenantExport', description: 'The export of one tenant: its progress, and where its file is.' });
export type ExportView = z.infer<typeof ExportView>;
