import { type ReactElement, useState } from 'react';
import { bytesOf, textOf } from '../base/bytesOf.ts';
import { Icon } from '../base/Icon.tsx';
import type { MediaPart } from '../../core/model/index.ts';
import { useInert } from '../markdown/inert.ts';
import { Link } from '../markdown/Link.tsx';
import { RemotePicture } from '../markdown/RemotePicture.tsx';
import { useLabels } from '../labels/useLabels.ts';
import { FileText, Viewer } from './Viewer.tsx';
import { visible } from '../base/visible.ts';

/** Kinds of pictures that cannot contain scripts. */
const pictures: ReadonlySet<string> = new Set(['image/png', 'image/jpeg', 'image/gif', 'image/webp', 'image/avif']);

/** Characters of base64 above which a picture is shown on request only: decoding it takes as much memory as all other messages. */
const maxData = 8_000_000;

interface MediaProps {
  readonly part: Omit<MediaPart, 'type'>;
}

/** A picture or a file of a message. Both can be opened; what is at another address is loaded only after a click. */
export function Media({ part }: MediaProps): ReactElement {
  const words = useLabels('markdown', undefined);
  const { isInert, showsPictures } = useInert();
  const { mediaType, data, url, name } = part;
  const title = visible(name ?? (mediaType.startsWith('image/') ? words.picture : mediaType));
  if (data !== undefined && pictures.has(mediaType) && showsPictures)
    return <Picture mediaType={mediaType} data={data} title={title} />;
  if (data !== undefined && !isInert) return <File mediaType={mediaType} data={data} name={name} />;
  if (url !== undefined && mediaType.startsWith('image/'))
    return <RemotePicture url={url} alt={title} labels={words} />;
  if (url !== undefined)
    return (
      <Link url={url} labels={words} text={title}>
        {title}
      </Link>
    );
  return <FileName name={name} />;
}

interface PictureProps {
  readonly mediaType: string;
  readonly data: string;
  readonly title: string;
}

function Picture({ mediaType, data, title }: PictureProps): ReactElement {
  const text = useLabels('message', undefined);
  const [wants, setWants] = useState(false);
  const [isOpen, setIsOpen] = useState(false);
  if (data.length > maxData && !wants) {
    const size = `${Math.round((0.75 * data.length) / 1_000_000)} MB`;
    return (
      <button type="button" className="bk-remote-picture" onClick={() => setWants(true)}>
        <Icon name="image" />
        <span>{text.largePicture(title, size)}</span>
      </button>
    );
  }
  const source = `data:${mediaType};base64,${data}`;
  return (
    <>
      <button type="button" className="bk-picture-button" title={text.open(title)} onClick={() => setIsOpen(true)}>
        <img className="bk-picture" src={source} alt={title} decoding="async" />
      </button>
      {isOpen && (
        <Viewer title={title} onClose={() => setIsOpen(false)}>
          <img src={source} alt={title} />
        </Viewer>
      )}
    </>
  );
}

interface FileProps {
  readonly mediaType: string;
  readonly data: string;
  readonly name: string | undefined;
}

/** A text opens over the page; a file of another kind is saved, since the browser might run what is in it. */
function File({ mediaType, data, name }: FileProps): ReactElement {
  const words = useLabels('message', undefined);
  const [text, setText] = useState<string>();
  const title = visible(name ?? words.attachment);
  const open = (): void => {
    const found = textOf({ mediaType, data });
    const bytes = found === undefined ? bytesOf(data) : undefined;
    setText(found);
    if (bytes) save(new Blob([bytes], { type: mediaType }), title);
  };
  return (
    <>
      <button type="button" className="bk-file" title={words.open(title)} onClick={open}>
        <Icon name="file" />
        <bdi>{title}</bdi>
      </button>
      {text !== undefined && (
        <Viewer title={title} onClose={() => setText(undefined)}>
          <FileText text={text} />
        </Viewer>
      )}
    </>
  );
}

function FileName({ name }: { readonly name: string | undefined }): ReactElement {
  const { attachment } = useLabels('message', undefined);
  return (
    <span className="bk-file">
      <Icon name="file" />
      <bdi>{name === undefined ? attachment : visible(name)}</bdi>
    </span>
  );
}

/** Lets the browser save a file. */
function save(file: Blob, name: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(file);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}
