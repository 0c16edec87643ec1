import type { ReactElement } from 'react';
import type { ZoneTokens } from '../../core/model/index.ts';
import { PlacedItem } from './PlacedItem.tsx';
import { useReviewTexts } from './reviewTexts.ts';

const zones = ['immutable', 'compressed', 'incremental', 'scratch'] as const;

/** The tokens of a request by zone. */
export function ZoneBar({ zones: tokens }: { readonly zones: ZoneTokens }): ReactElement {
  const { sent: words, formats } = useReviewTexts();
  const shown = zones.filter((name) => tokens[name] > 0);
  return (
    <figure className="bk-sent-zones">
      <ol className="bk-zone-bar" aria-hidden="true">
        {shown.map((name) => (
          <PlacedItem key={name} at={0} span={tokens[name]} className={`bk-zone-${name}`} />
        ))}
      </ol>
      <figcaption>
        {shown.map((name) => (
          <span key={name} className={`bk-zone-${name}`}>
            {words.zones[name]} {formats.count(tokens[name])}
          </span>
        ))}
        <span>{words.estimated}</span>
      </figcaption>
    </figure>
  );
}
