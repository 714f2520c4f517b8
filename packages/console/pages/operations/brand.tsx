import { useState } from 'preact/hooks';
import { base64Of } from '../../../typescript/src/index.ts';
import type { Brand } from '../../../typescript/src/index.ts';
import { Action } from '../../parts/action.tsx';
import { Field } from '../../parts/field.tsx';
import { Panel } from '../../parts/panel.tsx';
import { engine, mayDo } from '../../shell/engine.ts';
import { base } from '../../shell/location.ts';
import { t } from '../../parts/words/t.ts';

/** The logo and the colour that people see who came by a link of the agency. */
export const BrandSettings = () => (
  <Panel title={t('Brand')} load={(signal) => engine.value.brand.read({}, { signal })}>
    {(brand, panel) => (
      <div class="stack">
        <p class="quiet">{t('People who open a link of yours see the logo and the colour above each page.')}</p>
        <Logo brand={brand} changed={panel.set} />
        <Colour key={String(brand.colour)} brand={brand} changed={panel.set} />
      </div>
    )}
  </Panel>
);

/** The logo is read from the console's own address: its policy allows no other one. */
const fileOf = (url: string): string => url.split('/').at(-1) ?? '';

interface PartProps {
  brand: Brand;
  changed: (brand: Brand) => void;
}

const Logo = ({ brand, changed }: PartProps) => {
  const [file, setFile] = useState<File | null>(null);
  const mayChange = mayDo('keys');
  return (
    <div class="stack">
      {brand.logoUrl === null ? (
        <p class="quiet">{t('No logo.')}</p>
      ) : (
        <p class="brand-preview">
          <img src={`${base}/brands/${fileOf(brand.logoUrl)}`} alt={t('Logo of {0}', brand.name)} />
        </p>
      )}
      {mayChange && (
        <div class="filters">
          <Field label={t('Logo')} hint={t('A PNG of up to 64 kB and 1,024 × 1,024 pixels.')}>
            {(props) => (
              <input
                {...props}
                type="file"
                accept="image/png"
                onChange={(event) => setFile(event.currentTarget.files?.[0] ?? null)}
              />
            )}
          </Field>
          <Action
            tone="primary"
            disabled={file === null}
            run={async () => {
              if (file === null) return;
              changed(await engine.value.brand.update({ logo: await base64Of(file) }));
            }}
            done={t('Saved')}
          >
            {t('Save logo')}
          </Action>
          {brand.logoUrl !== null && (
            <Action run={async () => changed(await engine.value.brand.update({ logo: null }))} done={t('Removed')}>
              {t('Remove logo')}
            </Action>
          )}
        </div>
      )}
    </div>
  );
};

const DEFAULT = '#0a6356';

const Colour = ({ brand, changed }: PartProps) => {
  const [colour, setColour] = useState(brand.colour ?? DEFAULT);
  if (!mayDo('keys'))
    return (
      <p>
        {t('Colour:')} {brand.colour ?? 'default'}
      </p>
    );
  return (
    <div class="filters">
      <Field label={t('Colour')} hint={t('Dark enough to read on white.')}>
        {(props) => (
          <input {...props} type="color" value={colour} onInput={(event) => setColour(event.currentTarget.value)} />
        )}
      </Field>
      <Action tone="primary" run={async () => changed(await engine.value.brand.update({ colour }))} done={t('Saved')}>
        {t('Save colour')}
      </Action>
      {brand.colour !== null && (
        <Action
          run={async () => changed(await engine.value.brand.update({ colour: null }))}
          done={t('The default is back')}
        >
          {t('Use default')}
        </Action>
      )}
    </div>
  );
};
