import { type ReactElement, type ReactNode, useContext } from 'react';
import { useTexts } from '../texts/useTexts.ts';
import { InertContent } from './InertContent.ts';
import { safeUrl } from './url.ts';

/**
 * A link that shows its full address when the pointer or the focus is on it, and at once if its text looks like another address. An unsafe
 * link is shown as text with its address.
 */
export function ExternalLink({ url, children }: { readonly url: string; readonly children: ReactNode }): ReactElement {
  const { markdown: words } = useTexts();
  const isInert = useContext(InertContent);
  // A link within the text (a footnote) is shown as text: the hash of the page's address contains the session.
  if (url.startsWith('#')) return <>{children}</>;
  const safe = safeUrl(url);
  if (safe === undefined) {
    return (
      <span className="refused-link" title={words.refusedLink}>
        <bdi>{children}</bdi> <span className="link-url">{url === '' ? words.noAddress : url}</span>
      </span>
    );
  }
  if (isInert) {
    return (
      <>
        <bdi>{children}</bdi> <span className="link-url">{safe}</span>
      </>
    );
  }
  const showsAddress =
    children === url || children === safe || (typeof children === 'string' && safe === `mailto:${children}`);
  return (
    <a href={safe} title={safe} target="_blank" rel="noopener noreferrer" referrerPolicy="no-referrer">
      <bdi>{children}</bdi>
      {!showsAddress && (
        <span className={looksLikeAddress(children) ? 'link-url shown' : 'link-url'} dir="ltr">
          {' '}
          {safe}
        </span>
      )}
    </a>
  );
}

/** Whether a text could be taken for the address of the link. */
function looksLikeAddress(text: ReactNode): boolean {
  return typeof text !== 'string' || /:\/\/|^www\.|[\p{L}\d-]\.[\p{L}]{2,}/iu.test(text);
}
