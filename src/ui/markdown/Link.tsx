import type { ReactElement, ReactNode } from 'react';
import type { Labels } from '../labels/english.ts';
import type { MarkdownProps } from '../props.ts';
import { useInert } from './inert.ts';
import { safeURL } from './url.ts';

interface LinkProps {
  readonly url: string;
  readonly labels: Labels['markdown'];
  readonly onLink: MarkdownProps['onLink'];
  /** What the link says, as text: it may look like another address. */
  readonly text: string;
  readonly children: ReactNode;
}

/**
 * A link that shows its full address when the pointer or the focus is on it, and at once if its text looks like another address. An unsafe
 * link, and each link in a review, is shown as text with its address.
 */
export function Link({ url, labels, onLink, text, children }: LinkProps): ReactElement {
  const { isInert } = useInert();
  const safe = safeURL(url);
  if (safe === undefined) {
    return (
      <span className="bk-refused-link" title={labels.refusedLink}>
        <bdi>{children}</bdi> <span className="bk-link-url">{url === '' ? labels.noAddress : url}</span>
      </span>
    );
  }
  const showsAddress = text === url || text === safe || safe === `mailto:${text}`;
  if (isInert)
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

/** Whether a text could be taken for the address of the link. */
function looksLikeAddress(text: string): boolean {
  return /:\/\/|^www\.|[\p{L}\d-]\.[\p{L}]{2,}/iu.test(text);
}
