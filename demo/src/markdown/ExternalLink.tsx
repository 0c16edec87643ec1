import type { ReactElement, ReactNode } from 'react';
import { safeUrl } from './url.ts';

/** A link that says in full where it goes. What must not be followed stays text, with its address beside it. */
export function ExternalLink({ url, children }: { readonly url: string; readonly children: ReactNode }): ReactElement {
  // Within the text (a footnote): the address bar belongs to the sessions, so these are only words.
  if (url.startsWith('#')) return <>{children}</>;
  const safe = safeUrl(url);
  if (safe === undefined) {
    return (
      <span className="refused-link" title="This address is not offered as a link.">
        <bdi>{children}</bdi> <span className="link-url">{url === '' ? 'no address' : url}</span>
      </span>
    );
  }
  const saysItself =
    children === url || children === safe || (typeof children === 'string' && safe === `mailto:${children}`);
  return (
    <a href={safe} title={safe} target="_blank" rel="noopener noreferrer" referrerPolicy="no-referrer">
      <bdi>{children}</bdi>
      {!saysItself && (
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
