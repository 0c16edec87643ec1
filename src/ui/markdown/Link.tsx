import type { ReactElement, ReactNode } from 'react';
import type { Labels } from '../labels/english.ts';
import type { MarkdownProps } from '../props.ts';
import { useInert } from './inert.ts';
import { safeURL } from './url.ts';

interface LinkProps {
  readonly url: string;
  readonly labels: Labels['markdown'];
  readonly onLink?: MarkdownProps['onLink'];
  readonly isInert?: MarkdownProps['isInert'];
  /** What the link says, as text: it may look like another address. */
  readonly text: string;
  readonly children: ReactNode;
}

/**
/**
 * A link that shows its full address when the pointer or the focus is on it, and at once if its text looks like another address. A link within
 * the text is its text: the hash of the page's address belongs to the page. A relative link leads nowhere from here, an unsafe one is refused, and
 * none can be followed in a review: all three are text with their address.
 */
export function Link({ url, labels, onLink, isInert = false, text, children }: LinkProps): ReactElement {
  const isText = useInert().isInert || isInert;
  if (url.startsWith('#')) return <>{children}</>;
  const safe = safeURL(url);
  if (isRelative(url)) {
    return (
      <>
        <bdi>{children}</bdi> <span className="bk-link-url">{safe ?? url}</span>
      </>
    );
  }
  if (safe === undefined) {
    return (
      <span className="bk-refused-link" title={labels.refusedLink}>
        <bdi>{children}</bdi> <span className="bk-link-url">{url === '' ? labels.noAddress : url}</span>
      </span>
    );
  }
  const showsAddress = text === url || text === safe || safe === `mailto:${text}`;
  if (isText)
    return (
      <>
        <bdi>{children}</bdi>
        {!showsAddress && (
          <span className="bk-link-url" data-state="shown" dir="ltr">
            {' '}
            {safe}
          </span>
        )}
      </>
    );
  return (
    <a
      className="bk-link"
      href={safe}
      title={safe}
      target="_blank"
      rel="noopener noreferrer"
      referrerPolicy="no-referrer"
      onClick={onLink && ((event) => onLink(safe, event))}
    >
      <bdi>{children}</bdi>
      {!showsAddress && (
        <span className="bk-link-url" data-state={looksLikeAddress(text) ? 'shown' : undefined} dir="ltr">
          {' '}
          {safe}
        </span>
      )}
    </a>
  );
}

/** Whether an address names a page of the site on which it was written: it has neither a scheme nor a host. */
function isRelative(url: string): boolean {
  return /^(?:\.{0,2}\/(?![/\\])|[\w%-][\w%./-]*(?:[?#][^\s:]*)?$)/u.test(url);
}

/** Whether a text could be taken for the address of the link. */
function looksLikeAddress(text: string): boolean {
  // As it is seen: without characters that have no width, and with one form of those that look alike, as the dots of other scripts.
  const seen = text
    .replaceAll(/[\p{Cf}\p{Mn}]/gu, '')
    .normalize('NFKC')
    .replaceAll(/[。・․]/gu, '.');
  return /:\/\/|^www\.|[\p{L}\d-]\.[\p{L}]{2,}/iu.test(seen);
}
