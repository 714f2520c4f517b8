import { z } from 'zod';
import { SessionState } from './sessions/session.ts';
import { Target } from './scope.ts';
import { FileUrl } from './sending/send.ts';

/** Longer than the network shows, so that its own bound decides. */
const MAX_NAME_LENGTH = 100;
const MAX_ABOUT_LENGTH = 500;
/** The base64 of a picture that fits into a body. */
const MAX_DATA_LENGTH = 900_000;

/** The public profile of a session's account. */
export const ProfileView = z
  .object({
    sessionId: z.string().meta({ description: 'The session of the account.' }),
    status: SessionState,
    name: z.string().nullable().meta({ description: 'The name that the account shows to others.' }),
    about: z
      .string()
      .nullable()
      .meta({
        description:
          "The account's about text. Null if it has none, and if the engine of the session cannot read it " +
          '(`readAbout` of the capabilities).',
      }),
    picture: z
      .url()
      .nullable()
      .meta({
        description:
          "The address of the account's picture, which needs no key. The address is permanent and shows the " +
          'current picture.\n\nNull if there is none, and until it is fetched.',
      }),
    phone: z.string().nullable().meta({ description: "The account's phone number, in digits." }),
    chatId: z.string().nullable().meta({ description: "The account's own address on the network." }),
  })
  .meta({ id: 'Profile', description: "The public profile of a session's account." });

export const SetProfileName = z
  .strictObject({
    ...Target,
    name: z
      .string()
      .trim()
      .min(1)
      .max(MAX_NAME_LENGTH)
      .meta({ description: 'The new name, 1 to 100 characters. The network shows 25 of them.' }),
  })
  .meta({ id: 'SetProfileName', description: 'The name that the account shows to others.' });

export const SetProfileAbout = z
  .strictObject({
    ...Target,
    about: z.string().max(MAX_ABOUT_LENGTH).meta({
      description: 'The new about text, up to 500 characters; an empty text removes it. The network shows 139 of them.',
    }),
  })
  .meta({ id: 'SetProfileAbout', description: "The account's about text." });

export const SetProfilePicture = z
  .strictObject({
    ...Target,
    url: FileUrl.optional().meta({
      description:
        'The address from which the engine fetches the picture: http or https, without a user name or password. ' +
        'Send either this or `data`.',
    }),
    data: z.base64().min(1).max(MAX_DATA_LENGTH).optional().meta({
      description: 'The picture itself in base64, up to 900,000 characters. Send either this or `url`.',
    }),
  })
  .meta({ id: 'SetProfilePicture', description: 'A JPEG or PNG; the network crops it to a square.' });

const Done = { success: z.literal(true).meta({ description: 'It was changed.' }) };

export const ProfileNameSet = z
  .object({ ...Done, name: z.string().meta({ description: 'The name as it is now.' }) })
  .meta({ id: 'ProfileNameSet', description: 'The name was changed.' });
export const ProfileAboutSet = z
  .object({ ...Done, about: z.string().meta({ description: 'The about text as it is now.' }) })
  .meta({ id: 'ProfileAboutSet', description: 'The about text was changed.' });
export const ProfilePictureSet = z
  .object(Done)
  .meta({ id: 'ProfilePictureSet', description: 'The picture was changed or deleted.' });
