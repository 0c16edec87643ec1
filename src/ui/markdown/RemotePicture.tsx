import { type ReactElement, useState } from 'react';
import { Icon } from '../base/Icon.tsx';
import type { Labels } from '../labels/english.ts';
import type { MarkdownProps } from '../props.ts';
import { useInert } from './inert.ts';
import { pictureHost, safeURL } from './url.ts';
import { visible } from '../base/visible.ts';

interface RemotePictureProps {
  readonly url: string;
  readonly alt: string;
  readonly labels: Labels['markdown'];
  readonly allowImage?: MarkdownProps['allowImage'];
  readonly isInert?: MarkdownProps['isInert'];
}

/**
 * A picture of another host, loaded only after the person agrees: the address may send parts of the conversation to the host.
 * The consent is for exactly this address: an address that still streams needs another consent when it grows.
 */
export function RemotePicture(props: RemotePictureProps): ReactElement {
  const { url, alt, labels, allowImage, isInert = false } = props;
  const [agreed, setAgreed] = useState<string>();
  const [failed, setFailed] = useState<string>();
  const isText = useInert().isInert || isInert;
  const host = pictureHost(url);
  const safe = safeURL(url);
  const name = alt === '' ? labels.picture : visible(alt);

  if (host === undefined || safe === undefined)
    return <span className="bk-remote-picture">{labels.refusedPicture(name)}</span>;
  if (isText) return <span className="bk-remote-picture">{labels.pictureAt(name, host)}</span>;
  if (failed === url) return <span className="bk-remote-picture">{labels.pictureFailed(name, host)}</span>;
  if (agreed === url || allowImage?.(safe) === true) {
    return (
      <img
        className="bk-picture"
        src={safe}
        alt={alt}
        referrerPolicy="no-referrer"
        decoding="async"
        onError={() => setFailed(url)}
      />
    );
  }
  return (
    <button type="button" className="bk-remote-picture" title={url} onClick={() => setAgreed(url)}>
      <Icon name="image" />
      <span>
        <bdi>{name}</bdi>
        <small>{labels.loadPicture(host)}</small>
      </span>
    </button>
  );
}
