import { type ReactElement, useState } from 'react';
import { getTheme, setTheme, type Theme } from '../theme.ts';

const themes: readonly Theme[] = ['system', 'light', 'dark'];

/** Chooses the theme. Takes effect at once. */
export function Appearance(): ReactElement {
  const [chosen, setChosen] = useState(getTheme);
  return (
    <fieldset>
      <legend>Appearance</legend>
      <div className="segments">
        {themes.map((theme) => (
          <label key={theme}>
            <input
              type="radio"
              name="theme"
              checked={theme === chosen}
              onChange={() => {
                setChosen(theme);
                setTheme(theme);
              }}
            />
            <span>{theme}</span>
          </label>
        ))}
      </div>
    </fieldset>
  );
}
