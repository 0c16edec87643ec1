import type { ReactElement } from 'react';
import { visible } from '../base/visible.ts';
import { isJsonObject, type Json, type JsonObject } from '../../core/model/index.ts';
import { Code } from './Code.tsx';
import { maxInputFields } from './limits.ts';

interface InputProps {
  readonly input: JsonObject;
  /** JSON Schema of the input, whose titles are the names of the fields. */
  readonly schema?: JsonObject | undefined;
}

/** The input of a call, field by field; as JSON if a field is more than a text or a number. */
export function Input({ input, schema }: InputProps): ReactElement {
  const fields = Object.entries(input);
  const isFlat = fields.every(([, value]) => isPlain(value)) || fields.some(([, value]) => hasLines(value));
  if (fields.length === 0 || fields.length > maxInputFields || !isFlat)
    return <Code text={JSON.stringify(input, null, 2)} />;
  return (
    <dl className="bk-input">
      {fields.map(([name, value]) => (
        <div key={name}>
          <dt>{visible(titleIn(schema, name))}</dt>
          <dd>
            <Code text={typeof value === 'string' ? value : JSON.stringify(value, null, 2)} />
          </dd>
        </div>
      ))}
    </dl>
  );
}

function titleIn(schema: JsonObject | undefined, name: string): string {
  const properties = schema?.['properties'];
  const property = isJsonObject(properties) && Object.hasOwn(properties, name) ? properties[name] : undefined;
  const title = isJsonObject(property) ? property['title'] : undefined;
  return typeof title === 'string' ? title : name;
}

const isPlain = (value: Json | undefined): boolean => typeof value !== 'object' || value === null;

/** JSON would escape the line breaks. */
const hasLines = (value: Json | undefined): boolean => typeof value === 'string' && value.includes('\n');
