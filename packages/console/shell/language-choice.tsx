import { Select } from '../parts/field.tsx';
import { keep, readKept } from '../parts/kept.ts';
import { LANGUAGE_KEPT, LANGUAGES, t } from '../parts/words/t.ts';
import { say } from './say.tsx';

/** Pages hold the words of the language in which they loaded, so the console loads again. Drafts stay. */
const choose = (language: string): void => {
  if (keep(LANGUAGE_KEPT, language === '' ? null : language)) window.location.reload();
  else say(t('Your browser cannot save this setting.'));
};

export const LanguageChoice = () => (
  <Select
    label={t('Language')}
    value={readKept(LANGUAGE_KEPT) ?? ''}
    options={[
      { value: '', label: t('The language of your browser') },
      ...Object.entries(LANGUAGES).map(([value, label]) => ({ value, label })),
    ]}
    onChange={choose}
  />
);
