import { Field } from '../../parts/field.tsx';
import { Bytes } from '../../parts/numbers.tsx';
import { isGuest } from '../../shell/engine.ts';
import { enterSends, setEnterSends } from './compose/enter.ts';
import { addedText, FILES_AT_MOST, filesOf, withFiles } from './draft.ts';
import type { Draft, File } from './draft.ts';
import { t } from '../../parts/words/t.ts';

const BUTTONS_AT_MOST = 10;

const KINDS: readonly { value: File['kind']; label: string }[] = [
  { value: 'image', label: t('Picture') },
  { value: 'document', label: t('File') },
  { value: 'audio', label: t('Voice message') },
  { value: 'video', label: t('Video') },
];

const kindOf = (value: string): File['kind'] => KINDS.find((kind) => kind.value === value)?.value ?? 'document';

const replaced = <T,>(items: readonly T[], place: number, item: T): T[] =>
  items.map((one, at) => (at === place ? item : one));
const without = <T,>(items: readonly T[], place: number): T[] => items.filter((_, at) => at !== place);

export interface ExtrasProps {
  draft: Draft;
  change: (part: Partial<Draft>) => void;
}

const Files = ({ draft, draft: { files }, change }: ExtrasProps) => (
  <fieldset class="stack">
    <legend class="small">{t('Files from your device or from a web address')}</legend>
    {files.map((file, place) => (
      <div class="filters" key={place}>
        {file.picked ? (
          <p class="words small" dir="auto">
            {file.picked.name} <Bytes n={file.picked.size} />
          </p>
        ) : (
          <Field label={t('Web address of file {0}', place + 1)}>
            {(props) => (
              <input
                {...props}
                type="url"
                placeholder="https://"
                value={file.url}
                onInput={(event) =>
                  change({ files: replaced(files, place, { ...file, url: event.currentTarget.value }) })
                }
              />
            )}
          </Field>
        )}
        <Field label={t('Type of file {0}', place + 1)}>
          {(props) => (
            <select
              {...props}
              value={file.kind}
              onChange={(event) =>
                change({ files: replaced(files, place, { ...file, kind: kindOf(event.currentTarget.value) }) })
              }
            >
              {KINDS.map((kind) => (
                <option key={kind.value} value={kind.value}>
                  {kind.label}
                </option>
              ))}
            </select>
          )}
        </Field>
        <button type="button" onClick={() => change({ files: without(files, place) })}>
          {t('Remove')}
          <span class="visually-hidden">
            {' '}
            {t('file')} {place + 1}
          </span>
        </button>
      </div>
    ))}
    {files.length < FILES_AT_MOST && (
      <div class="filters">
        <Field label={t('Files from this device')}>
          {(props) => (
            <input
              {...props}
              type="file"
              multiple
              onChange={(event) => {
                change({ files: withFiles(draft, filesOf(event.currentTarget.files ?? [])) });
                // The same file can be chosen again after it was removed.
                event.currentTarget.value = '';
              }}
            />
          )}
        </Field>
        <button type="button" onClick={() => change({ files: [...files, { url: '', kind: 'image' }] })}>
          {t('Add a web address')}
        </button>
      </div>
    )}
  </fieldset>
);

const Buttons = ({ draft: { buttons }, change }: ExtrasProps) => (
  <fieldset class="stack">
    <legend class="small">{t('Buttons below the text, for the customer to press')}</legend>
    {buttons.map((button, place) => (
      <div class="filters" key={place}>
        <Field label={t('Label of button {0}', place + 1)}>
          {(props) => (
            <input
              {...props}
              maxLength={64}
              value={button}
              onInput={(event) => change({ buttons: replaced(buttons, place, event.currentTarget.value) })}
            />
          )}
        </Field>
        <button type="button" onClick={() => change({ buttons: without(buttons, place) })}>
          {t('Remove')}
          <span class="visually-hidden">
            {' '}
            {t('button')} {place + 1}
          </span>
        </button>
      </div>
    ))}
    {buttons.length < BUTTONS_AT_MOST && (
      <div>
        <button type="button" onClick={() => change({ buttons: [...buttons, ''] })}>
          {t('Add button')}
        </button>
      </div>
    )}
  </fieldset>
);

/** The optional parts of a message besides its text. */
export const Extras = (props: ExtrasProps) => (
  <details class="extras">
    <summary class="small">
      {isGuest.value ? t('Files, send later') : t('Files, buttons, send later')}
      {addedText(props.draft).map((text) => ` · ${text}`)}
    </summary>
    <div class="stack">
      <Files {...props} />
      {!isGuest.value && <Buttons {...props} />}
      <Field label={t('Send later')} hint={t('In the time zone of your browser. Leave empty to send now.')}>
        {(control) => (
          <input
            {...control}
            type="datetime-local"
            value={props.draft.later}
            onInput={(event) => props.change({ later: event.currentTarget.value })}
          />
        )}
      </Field>
      <label class="row small">
        <input
          type="checkbox"
          checked={enterSends.value}
          onChange={(event) => setEnterSends(event.currentTarget.checked)}
        />
        {t('Enter sends, Shift+Enter starts a line')}
      </label>
    </div>
  </details>
);
