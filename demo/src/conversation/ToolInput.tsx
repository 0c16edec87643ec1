import type { Json, JsonObject } from 'brooklet';
import type { ReactElement } from 'react';
import '../styles/tools.css';

/** The input of a call, field by field; as JSON if a field is more than a text or a number. */
export function ToolInput({ input }: { readonly input: JsonObject }): ReactElement | null {
  const fields = Object.entries(input);
  if (fields.length === 0) return <pre className="json">{'{}'}</pre>;
  if (!fields.every(([, value]) => isPlain(value)) && !fields.some(([, value]) => hasLines(value)))
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

const isPlain = (value: Json | undefined): boolean => typeof value !== 'object' || value === null;

/** JSON would escape the line breaks. */
const hasLines = (value: Json | undefined): boolean => typeof value === 'string' && value.includes('\n');
