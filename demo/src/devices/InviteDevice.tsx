import { type AgentError, toAgentError } from 'brooklet';
import type { Invitation } from 'brooklet/sync';
import { CopyButton } from 'brooklet/ui';
import { type ReactElement, useEffect, useState } from 'react';
import { formatMoment } from '../texts/format.ts';
import { useToday } from '../base/useToday.ts';
import { useAllTexts } from '../texts/useAllTexts.ts';
import { Icon } from '../ui/Icon.tsx';
import { invite, linkOf, newPin } from './connect.ts';
import type { Engine } from '../base/engine.ts';
import { Problem } from './Problem.tsx';
import { QRCode } from './QRCode.tsx';

interface InviteDeviceProps {
  readonly engine: Engine;
  readonly onClose: () => void;
}

/** What is shown of an invitation. */
type Shown =
  | { readonly is: 'making' }
  | { readonly is: 'open'; readonly invitation: Invitation; readonly pin: string }
  | { readonly is: 'taken' | 'expired' }
  | { readonly is: 'failed'; readonly error: AgentError };

/** ms between two looks at whether the other device has taken the key */
const interval = 2_000;

/** Shows a code for another device, until that device is connected. Closing withdraws the code. */
export function InviteDevice({ engine, onClose }: InviteDeviceProps): ReactElement {
  const texts = useAllTexts();
  const { devices: words } = texts;
  const today = useToday();
  const [shown, setShown] = useState<Shown>({ is: 'making' });

  useEffect(() => {
    let isMounted = true;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const pin = newPin();
    const made = invite(engine, pin);

    async function watch(invitation: Invitation): Promise<void> {
      if (!isMounted) return;
      if (Date.now() > invitation.expiresAt) return setShown({ is: 'expired' });
      // An engine that is away says nothing.
      if (!(await invitation.isOpen().catch(() => true))) return setShown({ is: 'taken' });
      timer = setTimeout(() => void watch(invitation), interval);
    }

    made.then(
      (invitation) => {
        if (isMounted) setShown({ is: 'open', invitation, pin });
        void watch(invitation);
      },
      (thrown: unknown) => isMounted && setShown({ is: 'failed', error: toAgentError(thrown) }),
    );
    return () => {
      isMounted = false;
      clearTimeout(timer);
      // While the engine is away, the code ends by its time.
      made.then((invitation) => invitation.revoke()).catch(() => {});
    };
  }, [engine]);

  return (
    <section className="invitation" aria-label={words.add}>
      {shown.is === 'making' && <p className="hint">{words.making}</p>}
      {shown.is === 'failed' && <Problem error={shown.error} />}
      {shown.is === 'open' && (
        <>
          <p className="hint">{words.addText}</p>
          <div className="invitation-code">
            <QRCode text={linkOf(shown.invitation.code)} label={words.qr} />
            <div>
              <p>
                <span className="hint">{words.pin}</span>
                <strong className="pin">{shown.pin.replace(/(.{4})/u, '$1 ')}</strong>
              </p>
              <p className="with-copy">
                <CopyButton label={words.copyCode} getText={() => shown.invitation.code} />
                <span>{words.copyCode}</span>
              </p>
              <p className="hint">{words.validUntil(formatMoment(texts, shown.invitation.expiresAt, today))}</p>
            </div>
          </div>
        </>
      )}
      <output>
        {(shown.is === 'taken' || shown.is === 'expired') && (
          <p className={shown.is === 'taken' ? 'state good' : 'state'}>
            <Icon name={shown.is === 'taken' ? 'check' : 'alert'} />
            <strong>{words[shown.is]}</strong>
          </p>
        )}
      </output>
      <div className="buttons">
        <button type="button" onClick={onClose}>
          {words.done}
        </button>
      </div>
    </section>
  );
}
