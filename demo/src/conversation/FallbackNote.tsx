import type { Json } from 'brooklet';
import { isJsonObject } from 'brooklet/core';
import type { ReactElement } from 'react';
import { textIn } from '../json.ts';
import { Icon } from '../ui/Icon.tsx';

/** States that the fallback model gave this answer, and why the chosen model could not. */
export function FallbackNote({ data }: { readonly data: Json }): ReactElement {
  const instead = isJsonObject(data) ? data['instead'] : undefined;
  return (
    <details className="fallback">
      <summary>
        <Icon name="refresh" />
        Answered by the fallback model
      </summary>
      <p>The chosen model failed: {textIn(instead, 'message')}</p>
    </details>
  );
}
