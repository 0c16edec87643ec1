import type { JsonObject } from 'brooklet';
import type { ReactElement } from 'react';

/** The input of a call: as JSON, or field by field if a text has line breaks, which JSON would escape. */
export function ToolInput({ input }: { readonly input: JsonObject }): ReactElement {
  const fields = Object.entries(input);
  if (!fields.some(([, value]) => typeof value === 'string' && value.includes('\n')))
    return <pre className="json">{JSON.stringify(input, null, 2)}</pre>;
  return (
    <dl className="input-fields">
      {fields.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>
            <pre className="json">{typeof value === 'string' ? value : JSON.stringify(value, null, 2)}</pre>
          </dd>
        </div>
      ))}
    </dl>
  );
}
