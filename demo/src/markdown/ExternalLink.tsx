import { type ReactElement, type ReactNode, useContext } from 'react';
import { InertContent } from './InertContent.ts';
import { safeUrl } from './url.ts';

/** A link with its full address beside it. An unsafe link is shown as text with its address. */
export function ExternalLink({ url, children }: { readonly url: string; readonly children: ReactNode }): ReactElement {
  const isInert = useContext(InertContent);
  // A link within the text (a footnote) is shown as text: the hash of the page's address contains the session.
  if (url.startsWith('#')) return <>{children}</>;
  const safe = safeUrl(url);
  if (safe === undefined) {
    return (
      <span className="refused-link" title="This address is not safe to link.">
        <bdi>{children}</bdi> <span className="link-url">{url === '' ? 'no address' : url}</span>
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
        <>
          {' '}
          <span className="link-url" dir="ltr">
            {safe}
          </span>
        </>
      )}
    </a>
  );
}
