import { useSessions } from 'brooklet/react/lists';
import type { ReactElement } from 'react';
import { Lists } from '../base/Lists.tsx';
import { useReviewTexts } from '../texts/reviewTexts.ts';

interface SessionPickerProps {
  readonly label: string;
  readonly except: string | undefined;
  readonly onPick: (sessionId: string) => void;
}

/** The choice of another stored session. */
export function SessionPicker(props: SessionPickerProps): ReactElement {
  return (
    <Lists>
      <Picker {...props} />
    </Lists>
  );
}

function Picker({ label, except, onPick }: SessionPickerProps): ReactElement {
  const words = useReviewTexts();
  const { sessions } = useSessions({ limit: 200 });
  const others = sessions.filter(({ id }) => id !== except);
  return (
    <label className="picker">
      <span>{label}</span>
      <select value="" disabled={others.length === 0} onChange={({ target }) => onPick(target.value)}>
        <option value="">{others.length === 0 ? words.pickNone : words.pick}</option>
        {others.map(({ id, title }) => (
          <option key={id} value={id}>
            {title || words.untitled}
          </option>
        ))}
      </select>
    </label>
  );
}
