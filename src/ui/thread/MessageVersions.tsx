import { type ReactElement, useEffect } from 'react';
import { useAlternatives } from '../../react/index.ts';
import { useLabels } from '../labels/useLabels.ts';
import { useSay } from '../notice/say.ts';
import { useParts } from '../parts.ts';
import type { ThreadEnv } from './threadContext.ts';
import { Versions } from './Versions.tsx';

interface MessageVersionsProps {
  readonly thread: ThreadEnv;
  /** Id of the first message of the version. */
  readonly firstId: string;
}

/** The versions that begin at a message. The focus follows: another version is another message, whose row replaces this one. */
export function MessageVersions({ thread, firstId }: MessageVersionsProps): ReactElement {
  const { session, actions, isBusy, awaited, setAwaited } = thread;
  const { Versions: Part = Versions } = useParts();
  const { versionOf } = useLabels('versions', undefined);
  const say = useSay();
  const { ids, index, count } = useAlternatives(session, firstId);
  const focus = awaited?.id === firstId ? awaited.step : undefined;
  // The part has taken the focus: its effects run before this one.
  useEffect(() => {
    if (focus !== undefined) setAwaited(undefined);
  }, [focus, setAwaited]);

  const select = async (version: number): Promise<void> => {
    const id = ids[version];
    if (id !== undefined) setAwaited({ id, step: version < index ? 'back' : 'on' });
    if (await actions.selectAlternative(firstId, version)) say(versionOf(version + 1, count));
    else setAwaited(undefined);
  };
  return (
    <Part count={count} index={index} isDisabled={isBusy} focus={focus} onSelect={(version) => void select(version)} />
  );
}
