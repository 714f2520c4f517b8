import { useState } from 'preact/hooks';
import { Action } from '../../parts/action.tsx';
import { Copy } from '../../parts/code.tsx';
import { Field } from '../../parts/field.tsx';
import { Panel, Section } from '../../parts/panel.tsx';
import { Time } from '../../parts/time.tsx';
import { engine } from '../../shell/engine.ts';
import { t } from '../../parts/words/t.ts';

/** The network takes a new code about twice a minute. */
const NEW_CODE_MS = 5_000;

export const CodeToScan = ({ id }: { id: string }) => (
  <Panel
    title={t('Scan the QR code')}
    deps={[id]}
    every={NEW_CODE_MS}
    load={async (signal): Promise<{ mimetype: string; data: string }> => {
      const answer = await engine.value.sessions.readQr(id, { format: 'json' }, { signal });
      return answer.json();
    }}
  >
    {(code) => (
      <div class="scan">
        <img
          src={`data:${code.mimetype};base64,${code.data}`}
          alt={t('QR code that connects the phone')}
          width={264}
          height={264}
        />
        <ol>
          <li>{t('Open the messaging app on the phone.')}</li>
          <li>{t('Open its settings, then “Linked devices”.')}</li>
          <li>{t('Choose “Link a device” and hold the camera over the code.')}</li>
        </ol>
      </div>
    )}
  </Panel>
);

export const PairingCode = ({ id }: { id: string }) => {
  const [phone, setPhone] = useState('');
  const [code, setCode] = useState<string | null>(null);
  return (
    <Section title={t('Use a pairing code instead')} level={3}>
      <Field label={t('Phone number of the account')} hint={t('Include the country code, such as +49 151 12345678.')}>
        {(props) => (
          <input
            {...props}
            type="tel"
            autocomplete="tel"
            value={phone}
            onInput={(event) => setPhone(event.currentTarget.value)}
          />
        )}
      </Field>
      <div class="row">
        <Action
          disabled={phone.trim() === ''}
          run={async () => {
            const answer = await engine.value.sessions.requestPairingCode(id, { phone: phone.trim() });
            setCode(answer.code);
          }}
        >
          {t('Get pairing code')}
        </Action>
        <p role="status">
          {code !== null && (
            <>
              {t('Enter this on the phone:')} <strong class="pairing-code">{code}</strong>
            </>
          )}
        </p>
      </div>
    </Section>
  );
};

export const ConnectLink = ({ id }: { id: string }) => {
  const [link, setLink] = useState<{ url: string; expiresAt: string } | null>(null);
  return (
    <Section title={t('Let someone else connect it')} level={3}>
      <p class="quiet">
        {t(
          'Create a link for the owner of the phone. It shows them the code for ten minutes, and they do not need to log in.',
        )}
      </p>
      <div>
        <Action run={async () => setLink(await engine.value.sessions.createConnectLink(id))}>{t('Create link')}</Action>
      </div>
      {link && (
        <div role="status" class="stack">
          <p class="mono">{link.url}</p>
          <p class="row">
            <Copy text={link.url} label={t('Copy link')} />
            <span class="small quiet">
              {t('It expires')} <Time at={link.expiresAt} />.
            </span>
          </p>
        </div>
      )}
    </Section>
  );
};
