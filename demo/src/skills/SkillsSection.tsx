import { estimateText } from 'brooklet/context';
import { useAgent, useObservable } from 'brooklet/react';
import { useFocusKeeper } from 'brooklet/ui';
import { type ReactElement, useEffect, useRef, useState } from 'react';
import { useAllTexts } from '../texts/useAllTexts.ts';
import { formatCount } from '../texts/format.ts';
import { reportRefusal } from '../toast/reportRefusal.ts';
import { AddressForm } from '../ui/AddressForm.tsx';
import { Icon } from '../ui/Icon.tsx';
import { Switch } from '../ui/Switch.tsx';
import { PickButton } from './PickButton.tsx';
import type { StoredSource } from '../base/roomsDatabase.ts';
import { getSkillsState, skillsState$, start } from './offerSkills.ts';
import { fromFolder, putSource, removeSource } from './sources.ts';
import { switchedOff } from './switchedOff.ts';
import '../styles/extensions.css';

/** The skills of the user: where they come from, what they cost, and which are switched on. */
export function SkillsSection(): ReactElement {
  const { skills: words } = useAllTexts();
  const agent = useAgent();
  const root = useRef<HTMLDivElement>(null);
  const { sources, problems, isLoading } = useObservable(skillsState$, getSkillsState);
  useEffect(() => start(agent), [agent]);
  useFocusKeeper(root, root);
  return (
    <div ref={root} className="settings settings-body" tabIndex={-1}>
      <p className="hint">{words.intro}</p>
      {isLoading && sources.length === 0 && <p className="hint">{words.loading}</p>}
      {sources.map(({ label }) => (
        <Source key={label} label={label} />
      ))}
      {problems.length > 0 && (
        <div className="server-problem is-bad" role="alert">
          <p>
            <strong>{words.problems}</strong>
          </p>
          <ul>
            {problems.map(({ message }) => (
              <li key={message}>
                <bdi>{message}</bdi>
              </li>
            ))}
          </ul>
        </div>
      )}
      <AddSkills />
    </div>
  );
}

/** One source with its skills. */
function Source({ label }: { readonly label: string }): ReactElement {
  const texts = useAllTexts();
  const { skills: words } = texts;
  const { skills } = useObservable(skillsState$, getSkillsState);
  const off = useObservable(switchedOff.value$, switchedOff.get);
  const found = skills?.skills.filter(({ source }) => source === label) ?? [];
  const setOn = (name: string, isOn: boolean): void =>
    switchedOff.change((names) => [...names.filter((one) => one !== name), ...(isOn ? [] : [name])]);
  return (
    <section className="skill-source" aria-label={label}>
      <header className="with-button">
        <h3>
          <bdi>{label}</bdi>
        </h3>
        <button
          type="button"
          className="quiet small"
          aria-label={words.remove(label)}
          title={words.remove(label)}
          onClick={() => void removeSource(label).catch(reportRefusal)}
        >
          <Icon name="trash" />
        </button>
      </header>
      <ul>
        {found.map(({ name, description, tokens }) => (
          <li key={name}>
            <Switch label={name} hint={description} isOn={!off.includes(name)} onChange={(isOn) => setOn(name, isOn)} />
            <p className="hint">
              {words.size(formatCount(texts, estimateText(`${name} ${description}`)), formatCount(texts, tokens))}
            </p>
          </li>
        ))}
      </ul>
    </section>
  );
}

function AddSkills(): ReactElement {
  const { skills: words } = useAllTexts();
  const [isInvalid, setIsInvalid] = useState(false);
  const add = (source: StoredSource): void => void putSource(source).catch(reportRefusal);

  const addUrl = (address: string): boolean => {
    const isFine = URL.canParse(address) && /^https?:$/u.test(new URL(address).protocol);
    setIsInvalid(!isFine);
    if (isFine) add({ is: 'url', label: address, url: address });
    return isFine;
  };

  return (
    <>
      <AddressForm
        label={words.address}
        placeholder="https://example.com/.well-known/skills/index.json"
        action={words.add}
        problem={isInvalid ? words.invalid : undefined}
        onAdd={addUrl}
        onChange={() => setIsInvalid(false)}
      />
      <div className="buttons">
        <PickButton
          label={words.zip}
          accept=".zip,application/zip"
          onFiles={([file]) => file && add({ is: 'zip', label: file.name, content: file })}
        />
        <PickButton label={words.folder} isFolder onFiles={(files) => add(fromFolder(files))} />
      </div>
      <p className="hint">{words.stored}</p>
    </>
  );
}
