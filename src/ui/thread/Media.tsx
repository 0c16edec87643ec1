import { type ReactElement, useState } from 'react';
import { Icon } from '../base/Icon.tsx';
import type { MediaPart } from '../../core/model/index.ts';
import { useInert } from '../markdown/inert.ts';
import { Link } from '../markdown/Link.tsx';
import { RemotePicture } from '../markdown/RemotePicture.tsx';
import { useLabels } from '../labels/useLabels.ts';

/** Kinds of pictures that cannot contain scripts. */
const pictures: ReadonlySet<string> = new Set(['image/png', 'image/jpeg', 'image/gif', 'image/webp', 'image/avif']);

/** Characters of base64 above which a picture is shown on request only: decoding it takes as much memory as all other messages. */
const maxData = 8_000_000;

/** Shows a picture that is part of the message, or names a file. What is at another address is loaded only after a click. */
export function Media({ part }: { readonly part: Omit<MediaPart, 'type'> }): ReactElement {
  const words = useLabels('markdown', undefined);
  const text = useLabels('message', undefined);
  const { showsPictures } = useInert();
  const [wants, setWants] = useState(false);
  const { mediaType, data, url, name } = part;
  const title = name ?? (mediaType.startsWith('image/') ? words.picture : mediaType);
  if (showsPictures && data !== undefined && pictures.has(mediaType)) {
    if (data.length <= maxData || wants)
      return <img className="bk-picture" src={`data:${mediaType};base64,${data}`} alt={title} decoding="async" />;
    const size = `${Math.round((0.75 * data.length) / 1_000_000)} MB`;
    return (
      <button type="button" className="bk-remote-picture" onClick={() => setWants(true)}>
        <Icon name="image" />
        <span>{text.largePicture(title, size)}</span>
      </button>
    );
  }
  if (url !== undefined && mediaType.startsWith('image/'))
    return <RemotePicture url={url} alt={title} labels={words} allowImage={undefined} />;
  if (url !== undefined)
    return (
      <Link url={url} labels={words} onLink={undefined} text={title}>
        {title}
      </Link>
    );
  return (
    <span className="bk-file">
      <Icon name="file" />
      <bdi>{name ?? text.attachment}</bdi>
    </span>
  );
}
