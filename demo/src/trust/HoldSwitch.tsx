import { useObservable } from 'brooklet/react';
import type { ReactElement } from 'react';
import { useAllTexts } from '../texts/useAllTexts.ts';
import { Switch } from '../ui/Switch.tsx';
import { holding } from './holding.ts';

/** Switches the rule against prompt injection. */
export function HoldSwitch(): ReactElement {
  const { trust: words } = useAllTexts();
  const isOn = useObservable(holding.value$, holding.get);
  return (
    <Switch label={words.hold} hint={words.holdHint} isOn={isOn} onChange={(next) => holding.change(() => next)} />
  );
}
