import type { ReactElement } from 'react';
import type { Json, JsonObject } from '../../core/model/index.ts';
import { Code } from './Code.tsx';

/** The input of a call, field by field; as JSON if a field is more than a text or a number. */
export function Input({ input }: { readonly input: JsonObject }): ReactElement {
  const fields = Object.entries(input);
  const isFlat = fields.every(([, value]) => isPlain(value)) || fields.some(([, value]) => hasLines(value));
  if (fields.length === 0 || !isFlat) return <Code text={JSON.stringify(input, null, 2)} />;
  return (
    <dl className="bk-input">
      {fields.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>
            <Code text={typeof value === 'string' ? value : JSON.stringify(value, null, 2)} />
          </dd>
        </div>
      ))}
    </dl>
  );
}

const isPlain = (value: Json | undefined): boolean => typeof value !== 'object' || value === null;

/** JSON would escape the line breaks. */
const hasLines = (value: Json | undefined): boolean => typeof value === 'string' && value.includes('\n');
