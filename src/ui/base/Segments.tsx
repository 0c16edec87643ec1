import { type ReactElement, useId } from 'react';
import { part } from './part.ts';

interface SegmentsProps<Value extends string> {
  readonly legend: string;
  readonly options: readonly { readonly value: Value; readonly label: string; readonly title?: string }[];
  readonly value: Value;
  readonly onChange: (value: Value) => void;
}

/** A choice between a few options, side by side: radio buttons, so that arrow keys move between the options. */
export function Segments<Value extends string>(props: SegmentsProps<Value>): ReactElement {
  const { legend, options, value, onChange } = props;
  const name = useId();
  const legendId = useId();
  return (
    // No `legend`: WebKit places that of a flex container above its other children.
    <fieldset {...part('segments')} aria-labelledby={legendId}>
      <span id={legendId} className="bk-legend">
        {legend}
      </span>
      <div className="bk-segments-row">
        {options.map((option) => (
          <label key={option.value} title={option.title}>
            <input type="radio" name={name} checked={value === option.value} onChange={() => onChange(option.value)} />
            <span>{option.label}</span>
          </label>
        ))}
      </div>
    </fieldset>
  );
}
