import { useObservable } from 'brooklet/react';
import type { ReactElement } from 'react';
import { useAllTexts } from '../texts/useAllTexts.ts';
import { Switch } from '../ui/Switch.tsx';
import { titleSetting } from './titleSetting.ts';

/** Whether the model writes the titles of conversations. */
export function TitleSwitch(): ReactElement {
  const { usage: words } = useAllTexts();
  const isOn = useObservable(titleSetting.value$, titleSetting.get);
  return (
    <Switch
      label={words.titles}
      hint={words.titlesHint}
      isOn={isOn}
      onChange={(next) => titleSetting.change(() => next)}
    />
  );
}
