import { type AgentError, toAgentError } from 'brooklet';
import type { KnownDevice } from 'brooklet/sync';
import { useObservable } from 'brooklet/react';
import { type ReactElement, useEffect, useState } from 'react';
import { formatMoment } from '../texts/format.ts';
import { useToday } from '../base/useToday.ts';
import { useAllTexts } from '../texts/useAllTexts.ts';
import { Problem } from './Problem.tsx';
import { store } from './store.ts';
import { getDevices } from './sync.ts';

/** The devices whose decisions count, each with a way to remove it. */
export function KnownDevices(): ReactElement | null {
  const texts = useAllTexts();
  const { devices: words } = texts;
  const today = useToday();
  const status = useObservable(store.status$, store.getStatus);
  const [known, setKnown] = useState<readonly KnownDevice[]>();
  const [error, setError] = useState<AgentError>();
  const [isForeign, setIsForeign] = useState(false);
  const [turn, setTurn] = useState(0);

  useEffect(() => {
    let isMounted = true;
    getDevices()
      ?.list()
      .then(
        (list) => {
          if (!isMounted) return;
          setKnown(list);
          setIsForeign(false);
        },
        // An engine that is away says nothing new.
        (thrown: unknown) => isMounted && setIsForeign(toAgentError(thrown).code === 'STORAGE_CORRUPT'),
      );
    return () => {
      isMounted = false;
    };
  }, [turn, status.state]);

  const remove = async (id: string): Promise<void> => {
    const devices = getDevices();
    if (devices === undefined) return;
    try {
      await devices.remove(id);
      setTurn((nth) => nth + 1);
    } catch (thrown) {
      setError(toAgentError(thrown));
    }
  };

  if (isForeign)
    return (
      <p className="hint bad" role="alert">
        {words.foreignList}
      </p>
    );
  if (known === undefined) return null;
  const present = known.filter(({ isRemoved }) => !isRemoved);
  const isKnown = present.some(({ isThis }) => isThis);
  return (
    <section className="known-devices" aria-label={words.known}>
      <h3>{words.known}</h3>
      <p className="hint">{isKnown ? words.knownText : words.notKnownText}</p>
      {error && <Problem error={error} />}
      <ul>
        {present.map(({ id, name, addedAt, isThis }) => (
          <li key={id}>
            <span>
              <bdi>{name}</bdi>
              <span className="hint">
                {isThis ? words.thisDevice : words.addedAt(formatMoment(texts, addedAt, today))}
              </span>
            </span>
            {!isThis && isKnown && (
              <button type="button" aria-label={words.removeDevice(name)} onClick={() => void remove(id)}>
                {words.remove}
              </button>
            )}
          </li>
        ))}
      </ul>
    </section>
  );
}
