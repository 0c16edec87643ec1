import { useObservable } from 'brooklet/react';
import { Segments } from 'brooklet/ui';
import type { ReactElement } from 'react';
import { NotificationsSwitch } from '../notify/NotificationsSwitch.tsx';
import { getLanguage, type Language, language$, languageNames, setLanguage } from '../texts/language.ts';
import { useAllTexts } from '../texts/useAllTexts.ts';
import { getTheme, setTheme, theme$, type Theme } from '../base/theme.ts';

const themes: readonly Theme[] = ['system', 'light', 'dark'];
const languages: readonly Language[] = ['en', 'zh'];

/** Chooses the theme and the language. Both take effect at once. */
export function Appearance(): ReactElement {
  const { settings: words } = useAllTexts();
  const theme = useObservable(theme$, getTheme);
  const language = useObservable(language$, getLanguage);
  return (
    <div className="settings-body">
      <Segments
        legend={words.theme}
        options={themes.map((value) => ({ value, label: words.themes[value] }))}
        value={theme}
        onChange={setTheme}
      />
      <Segments
        legend={words.language}
        options={[
          { value: 'system' as const, label: words.languageSystem },
          ...languages.map((value) => ({ value, label: languageNames[value] })),
        ]}
        value={language}
        onChange={(chosen) => void setLanguage(chosen)}
      />
      <NotificationsSwitch />
    </div>
  );
}
