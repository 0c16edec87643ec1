import type { MediaPart } from 'brooklet';
import type { ReactElement } from 'react';
import { ExternalLink } from '../markdown/ExternalLink.tsx';
import { RemoteImage } from '../markdown/RemoteImage.tsx';

/** Image types that cannot contain scripts. */
const pictures = new Set(['image/png', 'image/jpeg', 'image/gif', 'image/webp', 'image/avif']);

/** Shows an image that is part of the message. Anything from another address is loaded only after a click. */
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
