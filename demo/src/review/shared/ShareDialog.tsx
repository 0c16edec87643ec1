import { type AgentError, toAgentError } from 'brooklet';
import { type SealedExport, sealExport } from 'brooklet/encryption';
import { exportSession } from 'brooklet/storage';
import { useAgent } from 'brooklet/react';
import { CopyButton } from 'brooklet/ui';
import { type ReactElement, useEffect, useId, useState } from 'react';
import { download, nameOfFile } from '../../base/download.ts';
import { useAllTexts } from '../../texts/useAllTexts.ts';
import { Icon } from '../../ui/Icon.tsx';
import { Modal } from '../../ui/Modal.tsx';
import { isFileAddress, toLink } from './link.ts';
import '../../styles/devices.css';

interface ShareDialogProps {
  readonly session: { readonly id: string; readonly title: string };
  readonly onClose: () => void;
}

/** Makes an encrypted file of a conversation, and the link that opens it. The file and the key are new each time the dialog opens. */
export function ShareDialog({ session: { id, title }, onClose }: ShareDialogProps): ReactElement {
  const { sharing: words, common } = useAllTexts();
  const { store } = useAgent();
  const [sealed, setSealed] = useState<SealedExport>();
  const [error, setError] = useState<AgentError>();
  const [address, setAddress] = useState('');
  const hintId = useId();
  const place = address.trim();
  const isWrong = place !== '' && !isFileAddress(place);

  useEffect(() => {
    let isMounted = true;
    const seal = async (): Promise<SealedExport | undefined> => {
      const stored = await store?.read(id);
      return stored && sealExport(exportSession(stored));
    };
    seal().then(
      (made) => isMounted && setSealed(made),
      (thrown: unknown) => isMounted && setError(toAgentError(thrown)),
    );
    return () => {
      isMounted = false;
    };
  }, [store, id]);

  return (
    <Modal title={words.share} className="share" onClose={onClose}>
      <p className="hint">{words.shareText}</p>
      {error && (
        <p className="hint bad" role="alert">
          {error.message}
        </p>
      )}
      <ol className="share-steps">
        <li>
          <button
            type="button"
            disabled={!sealed}
            onClick={() => sealed && download(sealed.file, nameOfFile(title, 'brooklet'))}
          >
            <Icon name="download" />
            <span>{words.saveFile}</span>
          </button>
        </li>
        <li>
          <label className="stacked">
            <span>{words.address}</span>
            <input
              type="text"
              inputMode="url"
              autoComplete="off"
              spellCheck={false}
              placeholder="https://files.example.com/talk.brooklet"
              value={address}
              aria-invalid={isWrong}
              aria-describedby={hintId}
              onChange={({ target }) => setAddress(target.value)}
            />
          </label>
          <p id={hintId} className={isWrong ? 'hint bad' : 'hint'}>
            {isWrong ? words.badAddress : words.addressHint}
          </p>
        </li>
        <li>
          {sealed && !isWrong && (
            <p className="with-copy">
              <CopyButton
                label={words.copyLink}
                getText={() => toLink({ key: sealed.key, ...(place !== '' && { address: place }) })}
              />
              <span>{words.copyLink}</span>
            </p>
          )}
          <p className="hint">{words.linkHint}</p>
        </li>
      </ol>
      <p className="hint">{words.revoke}</p>
      <div className="modal-verbs">
        <button type="button" onClick={onClose}>
          {common.close}
        </button>
      </div>
    </Modal>
  );
}
