import { z } from 'zod';

/** How long a file is kept that no message names. */
export const UPLOAD_KEPT_HOURS = 24;
const MAX_FILE_NAME_LENGTH = 255;

export const UploadId = z
  .string()
  .min(1)
  .max(2_048)
  .meta({
    description: `The id of a file that was uploaded for the same tenant in the last ${UPLOAD_KEPT_HOURS} hours. It is in the store, so nothing is fetched when the message goes out.`,
  });

export const UploadName = z
  .string()
  .max(MAX_FILE_NAME_LENGTH)
  .meta({
    description: 'The name that the contact sees, with its ending.',
    examples: ['offer.pdf'],
  });

export const UploadedFile = z
  .object({
    fileId: UploadId.meta({
      description: 'What an attachment names as `fileId`, in as many messages of the tenant as you like.',
    }),
    mimeType: z.string().meta({ description: 'What the bytes show; where they show nothing, what the request said.' }),
    fileName: z.string().nullable().meta({ description: 'The name, as it is safe on every system.' }),
    sizeBytes: z.int().min(1).meta({ description: 'Its size.' }),
    sha256: z.string().meta({ description: 'The digest of its bytes, in hexadecimal digits.' }),
    expiresAt: z.iso.datetime().meta({
      description:
        'Until then messages may name it; another upload moves that. What a message names is kept as long as files of messages are.',
    }),
  })
  .meta({ id: 'UploadedFile', description: 'A file that waits for the messages that send it.' });
export type UploadedFile = z.infer<typeof UploadedFile>;
