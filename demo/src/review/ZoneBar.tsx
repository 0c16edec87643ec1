import type { ZoneTokens } from 'brooklet/core';
import type { ReactElement } from 'react';
import { formatCount } from './format.ts';

const zones = [
  { name: 'immutable', label: 'Instructions and tools' },
  { name: 'compressed', label: 'Summary' },
  { name: 'incremental', label: 'Conversation' },
  { name: 'scratch', label: 'Scratch' },
] as const;

/** The tokens of a request by zone. */
export function ZoneBar({ zones: tokens }: { readonly zones: ZoneTokens }): ReactElement {
  const shown = zones.filter(({ name }) => tokens[name] > 0);
  return (
    <figure className="zones">
      <div className="zone-bar" aria-hidden="true">
        {shown.map(({ name }) => (
          <span key={name} className={name} style={{ flexGrow: tokens[name] }} />
        ))}
      </div>
      <figcaption>
        {shown.map(({ name, label }) => (
          <span key={name} className={name}>
            {label} {formatCount(tokens[name])}
          </span>
        ))}
        <span>estimated tokens</span>
      </figcaption>
    </figure>
  );
}
