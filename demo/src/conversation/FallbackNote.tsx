import type { Json } from 'brooklet';
import type { ReactElement } from 'react';
import { isJsonObject, textIn } from '../json.ts';
import { Icon } from '../ui/Icon.tsx';

/** Above an answer that is not from the model that was asked: that a stand-in gave it, and why. */
export function FallbackNote({ data }: { readonly data: Json }): ReactElement {
  const instead = isJsonObject(data) ? data['instead'] : undefined;
  return (
    <details className="fallback">
      <summary>
        <Icon name="refresh" />
        Answered by the stand-in
      </summary>
      <p>The model that you chose could not: {textIn(instead, 'message')}</p>
    </details>
  );
}
