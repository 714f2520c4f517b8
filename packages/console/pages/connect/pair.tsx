import { useState } from 'preact/hooks';
import { Action } from '../../parts/action.tsx';
import { Copy } from '../../parts/code.tsx';
import { Field } from '../../parts/field.tsx';
import { Panel, Section } from '../../parts/panel.tsx';
import { Time } from '../../parts/time.tsx';
import { engine } from '../../shell/engine.ts';

/** The network takes a new code about twice a minute. */
const NEW_CODE_MS = 5_000;

export const CodeToScan = ({ id }: { id: string }) => (
  <Panel
    title="Scan the QR code"
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
          alt="QR code that connects the phone"
          width={264}
          height={264}
        />
        <ol>
          <li>Open the messaging app on the phone.</li>
          <li>Open its settings, then “Linked devices”.</li>
          <li>Choose “Link a device” and hold the camera over the code.</li>
        </ol>
      </div>
    )}
  </Panel>
);

export const PairingCode = ({ id }: { id: string }) => {
  const [phone, setPhone] = useState('');
  const [code, setCode] = useState<string | null>(null);
  return (
    <Section title="Use a pairing code instead" level={3}>
      <Field label="Phone number of the account" hint="Include the country code, such as +49 151 12345678.">
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
          Get pairing code
        </Action>
        <p role="status">
          {code !== null && (
            <>
              Enter this on the phone: <strong class="pairing-code">{code}</strong>
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
    <Section title="Let someone else connect it" level={3}>
      <p class="quiet">
        Create a link for the owner of the phone. It shows them the code for ten minutes, and they do not need to log
        in.
      </p>
      <div>
        <Action run={async () => setLink(await engine.value.sessions.createConnectLink(id))}>Create link</Action>
      </div>
      {link && (
        <div role="status" class="stack">
          <p class="mono">{link.url}</p>
          <p class="row">
            <Copy text={link.url} label="Copy link" />
            <span class="small quiet">
              It expires <Time at={link.expiresAt} />.
            </span>
          </p>
        </div>
      )}
    </Section>
  );
};
