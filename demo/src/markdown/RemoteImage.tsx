import { type ReactElement, useContext, useState } from 'react';
import { useTexts } from '../texts/useTexts.ts';
import { Icon } from '../ui/Icon.tsx';
import { InertContent } from './InertContent.ts';
import { imageHost, safeUrl } from './url.ts';

/**
 * A picture from another host, loaded only after the user agrees: the address may send parts of the conversation to the host.
 * The consent is for exactly this address: an address that still streams needs another consent when it grows.
 */
export function RemoteImage({ url, alt }: { readonly url: string; readonly alt: string }): ReactElement {
  const { markdown: words } = useTexts();
  const [agreed, setAgreed] = useState<string>();
  const [failed, setFailed] = useState<string>();
  const isInert = useContext(InertContent);
  const host = imageHost(url);
  const name = alt === '' ? words.picture : alt;

  if (host === undefined) return <span className="remote-image refused">{words.refusedPicture(name)}</span>;
  if (isInert) return <span className="remote-image refused">{words.pictureAt(name, host)}</span>;
  if (failed === url) return <span className="remote-image refused">{words.pictureFailed(name, host)}</span>;
  if (agreed === url) {
    return (
      <img
        className="loaded-image"
        src={safeUrl(url)}
        alt={alt}
        referrerPolicy="no-referrer"
        decoding="async"
        onError={() => setFailed(url)}
      />
    );
  }
  return (
    <button type="button" className="remote-image" title={url} onClick={() => setAgreed(url)}>
      <Icon name="image" />
      <span>
        <bdi>{name}</bdi>
        <small>{words.loadPicture(host)}</small>
      </span>
    </button>
  );
}
