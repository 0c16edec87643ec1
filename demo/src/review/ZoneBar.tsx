import type { ZoneTokens } from 'brooklet/core';
import type { ReactElement } from 'react';
import { useReviewTexts } from '../texts/reviewTexts.ts';
import { formatCount } from './format.ts';

const zones = ['immutable', 'compressed', 'incremental', 'scratch'] as const;

/** The tokens of a request by zone. */
export function ZoneBar({ zones: tokens }: { readonly zones: ZoneTokens }): ReactElement {
  const texts = useReviewTexts();
  const shown = zones.filter((name) => tokens[name] > 0);
  return (
    <figure className="zones">
      <div className="zone-bar" aria-hidden="true">
        {shown.map((name) => (
          <span key={name} className={name} style={{ flexGrow: tokens[name] }} />
        ))}
      </div>
      <figcaption>
        {shown.map((name) => (
          <span key={name} className={name}>
            {texts.sent.zones[name]} {formatCount(texts, tokens[name])}
          </span>
        ))}
        <span>{texts.sent.estimated}</span>
      </figcaption>
    </figure>
  );
}
