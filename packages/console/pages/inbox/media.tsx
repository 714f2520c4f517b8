import { useState } from 'preact/hooks';
import type { Message } from '../../../typescript/src/index.ts';
import { Dialog } from '../../parts/dialog.tsx';
import { Bytes } from '../../parts/numbers.tsx';
import { KINDS, MEDIA_ERRORS } from './words.ts';
import { t } from '../../parts/words/t.ts';

type File = NonNullable<Message['media']>;

const nameOf = (media: File, kind: Message['kind']): string => media.fileName ?? KINDS[kind] ?? t('File');

/** Only addresses of the web: a sender chooses names, and the engine the address. */
const safe = (url: string | null): string | undefined => (url !== null && /^https?:\/\//.test(url) ? url : undefined);

/** A picture in a window of its own; its address opens the file itself. */
const Picture = ({ media, kind, url }: ShownProps) => {
  const [isOpen, setOpen] = useState(false);
  const { thumbnail } = media;
  const name = nameOf(media, kind);
  return (
    <>
      <a
        href={url}
        target="_blank"
        rel="noreferrer"
        onClick={(event) => {
          if (event.ctrlKey || event.metaKey || event.shiftKey) return;
          event.preventDefault();
          setOpen(true);
        }}
      >
        <img
          src={thumbnail?.url ?? url}
          width={thumbnail?.width}
          height={thumbnail?.height}
          alt={name}
          loading="lazy"
        />
      </a>
      <Dialog open={isOpen} title={name} onClose={() => setOpen(false)}>
        <img class="lightbox" src={url} alt={name} />
        <p>
          <a href={url} target="_blank" rel="noreferrer">
            {t('Open the file')}
          </a>
        </p>
      </Dialog>
    </>
  );
};

interface ShownProps {
  media: File;
  kind: Message['kind'];
  url: string;
}

const Shown = ({ media, kind, url }: ShownProps) => {
  const name = nameOf(media, kind);
  if (kind === 'image' || kind === 'sticker') return <Picture media={media} kind={kind} url={url} />;
  if (kind === 'audio') return <audio controls preload="none" src={url} aria-label={name} />;
  if (kind === 'video')
    return <video controls preload="none" src={url} poster={media.thumbnail?.url} aria-label={name} />;
  return (
    <a href={url} target="_blank" rel="noreferrer" dir="auto">
      {name}
    </a>
  );
};

export const Media = ({ message: { media, kind, viewOnce } }: { message: Message }) => {
  if (viewOnce) return <p class="quiet">{t('View once: open it on the phone.')}</p>;
  if (!media) return <p class="quiet">{t('The file has not arrived yet.')}</p>;
  if (media.error) return <p class="quiet">{MEDIA_ERRORS[media.error]}</p>;
  const url = safe(media.url);
  return (
    <div class="media">
      {url === undefined ? (
        <p class="quiet">{t('The file has not arrived yet.')}</p>
      ) : (
        <Shown media={media} kind={kind} url={url} />
      )}
      {kind === 'document' && media.sizeBytes !== null && (
        <p class="small quiet">
          {media.mimeType} <Bytes n={media.sizeBytes} />
        </p>
      )}
    </div>
  );
};
