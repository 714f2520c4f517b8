import { useState } from 'preact/hooks';
import { Field } from '../../parts/field.tsx';
import { errorAt, Problem, toFailure } from '../../parts/problem.tsx';
import type { Failure } from '../../parts/problem.tsx';
import { engine, place } from '../../shell/engine.ts';
import { go } from '../../shell/location.ts';
import { t } from '../../parts/words/t.ts';

/** Makes a session, and goes to where its code is shown. */
export const ConnectForm = () => {
  const [tenantId, setTenant] = useState(place.value.tenantId ?? '');
  const [name, setName] = useState('');
  const [problem, setProblem] = useState<Failure | null>(null);
  const [isBusy, setBusy] = useState(false);
  const connect = async (): Promise<void> => {
    setBusy(true);
    try {
      const session = await engine.value.sessions.create({ tenantId, name: name || undefined });
      // The new account may be of another tenant than the one that is shown.
      go(`/connect/${session.id}`, place.value.tenantId === undefined ? {} : { tenant: session.tenantId });
    } catch (error) {
      setProblem(toFailure(error));
    } finally {
      setBusy(false);
    }
  };
  return (
    <form
      class="stack"
      onSubmit={(event) => {
        event.preventDefault();
        if (!isBusy) void connect();
      }}
    >
      <Field
        label={t('Tenant')}
        hint={t('The ID of the shop or customer that the account belongs to.')}
        error={errorAt(problem, '/tenantId')}
      >
        {(props) => (
          <input
            {...props}
            required
            pattern="[A-Za-z0-9_\-]{1,64}"
            value={tenantId}
            onInput={(event) => setTenant(event.currentTarget.value)}
          />
        )}
      </Field>
      <Field
        label={t('Name (optional)')}
        hint={t('The name of the session at the messaging backend.')}
        error={errorAt(problem, '/name')}
      >
        {(props) => <input {...props} value={name} onInput={(event) => setName(event.currentTarget.value)} />}
      </Field>
      {problem && <Problem problem={problem} />}
      <div>
        <button type="submit" class="primary" aria-busy={isBusy}>
          {t('Show the code')}
        </button>
      </div>
    </form>
  );
};
