import type { Json } from 'brooklet';
import { isJsonObject } from 'brooklet/core';
import type { ReactElement } from 'react';
import { textIn } from '../base/json.ts';
import { Icon } from '../ui/Icon.tsx';
import { useTexts } from '../texts/useTexts.ts';

/** States that the fallback model gave this answer, and why the chosen model could not. */
export function FallbackNote({ data }: { readonly data: Json }): ReactElement {
  const { message: words } = useTexts();
  const instead = isJsonObject(data) ? data['instead'] : undefined;
  return (
    <details className="fallback">
      <summary>
        <Icon name="refresh" />
        {words.fallback}
      </summary>
      <p>{words.fallbackReason(textIn(instead, 'message'))}</p>
    </details>
  );
}
