import { t } from '../parts/words/t.ts';

/** The engine's refusals for programs, in words for people at the login. */
const SENTENCES: Readonly<Record<string, string>> = {
  unauthorized: t('This key is not known, or it has expired. Check it, or ask for a new one.'),
  ticket_invalid:
    t(
      'This link no longer works: each link opens once, and only for a limited time. Log in with a key, or ask for a new link. ',
    ) + t('If you run the engine, log in with the master key that npm start prints, or restart it for a new address.'),
};

/** Why a login was refused, by the problem that the engine has answered. */
export const refusalText = (status: number, problem: unknown): string => {
  const { code, detail } = {
    code: null,
    detail: null,
    ...(problem !== null && typeof problem === 'object' && problem),
  };
  const sentence = typeof code === 'string' ? SENTENCES[code] : undefined;
  return sentence ?? (typeof detail === 'string' ? detail : t('The engine returned {0}.', status));
};
