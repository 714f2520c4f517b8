import { useState } from 'preact/hooks';
import { Field } from '../../parts/field.tsx';
import { PageHead } from '../../parts/page-head.tsx';
import { TenantFirst } from '../../parts/first/tenant-first.tsx';
import { go } from '../../shell/location.ts';
import type { PageProps } from '../../shell/page.ts';
import { MessageStory } from './message.tsx';
import { Unsent } from './unsent.tsx';
import { t } from '../../parts/words/t.ts';

const Find = () => {
  const [id, setId] = useState('');
  return (
    <form
      class="filters"
      role="search"
      onSubmit={(event) => {
        event.preventDefault();
        if (id.trim() !== '') go(`/message/${encodeURIComponent(id.trim())}`);
      }}
    >
      <Field
        label={t('Message ID')}
        hint={t('It starts with msg_ and is part of every response and event about the message.')}
      >
        {(props) => <input {...props} value={id} onInput={(event) => setId(event.currentTarget.value)} />}
      </Field>
      <button type="submit" class="primary">
        {t('Show message')}
      </button>
    </form>
  );
};

export default function MessagePage({ params }: PageProps) {
  const id = params['messageId'];
  return (
    <>
      <PageHead title={t('Message')} text={t('The history of a message, with the reasons.')} />
      {id === undefined ? (
        <>
          <Find />
          <Unsent />
        </>
      ) : (
        <TenantFirst>
          <MessageStory id={id} key={id} />
        </TenantFirst>
      )}
    </>
  );
}
