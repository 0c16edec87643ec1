import type { MediaPart } from 'brooklet';
import type { ReactElement } from 'react';
import { ExternalLink } from '../markdown/ExternalLink.tsx';
import { RemoteImage } from '../markdown/RemoteImage.tsx';

/** Kinds of pictures that cannot carry anything but a picture. */
const pictures = new Set(['image/png', 'image/jpeg', 'image/gif', 'image/webp', 'image/avif']);

/** A picture that came with the message is shown; everything from elsewhere asks first. */
export function Media({
  part,
}: {
  readonly part: Pick<MediaPart, 'mediaType' | 'data' | 'url' | 'name'>;
}): ReactElement {
  const name = part.name ?? part.mediaType;
  if (part.data !== undefined && pictures.has(part.mediaType)) {
    return <img className="loaded-image" src={`data:${part.mediaType};base64,${part.data}`} alt={part.name ?? ''} />;
  }
  if (part.url !== undefined && part.mediaType.startsWith('image/')) return <RemoteImage url={part.url} alt={name} />;
  if (part.url !== undefined) return <ExternalLink url={part.url}>{name}</ExternalLink>;
  return <span className="remote-image refused">{name}</span>;
}
