import type { MCPPrompt, MCPResource, MCPServer } from 'brooklet/mcp';
import { type ReactElement, useEffect, useState } from 'react';
import type { ComposerDraft } from 'brooklet/ui';
import { messageOf } from '../base/messageOf.ts';
import { nameOfResource } from '../trust/holding.ts';
import { useAllTexts } from '../texts/useAllTexts.ts';
import { Icon } from '../ui/Icon.tsx';
import { Modal } from '../ui/Modal.tsx';
import { PromptForm } from './PromptForm.tsx';
import { toFiles, toText } from './offerContent.ts';
import { useServers } from './useServers.ts';
import '../styles/settings.css';
import '../styles/extensions.css';

interface OffersDialogProps {
  readonly message: ComposerDraft;
  readonly onClose: () => void;
}

/** The prompts and resources of the connected servers: a prompt becomes the text of the message, a resource an attachment. */
export function OffersDialog({ message, onClose }: OffersDialogProps): ReactElement {
  const { mcp: words, common } = useAllTexts();
  const connected = useServers().flatMap(({ state }) => (state.is === 'connected' ? [state.server] : []));
  const [problem, setProblem] = useState<string>();
  const [isBusy, setIsBusy] = useState(false);

  /** Adds what a server returns to the message, and closes the dialog. */
  const take = async (add: () => Promise<void>): Promise<void> => {
    if (isBusy) return;
    setIsBusy(true);
    setProblem(undefined);
    try {
      await add();
      onClose();
    } catch (thrown) {
      setProblem(messageOf(thrown));
    }
    setIsBusy(false);
  };
  const takePrompt = (server: MCPServer, prompt: MCPPrompt, input: Readonly<Record<string, string>>): Promise<void> =>
    take(async () => {
      const messages = await server.getPrompt(prompt.name, input);
      const parts = messages.flatMap(({ content }) => content);
      message.addText(toText(parts));
      const files = toFiles(parts, nameOfResource(server.name, prompt.title ?? prompt.name), 'media');
      if (files.length > 0) await message.addFiles(files);
    });
  const takeResource = (server: MCPServer, resource: MCPResource): Promise<void> =>
    take(async () => {
      const parts = await server.readResource(resource.uri);
      await message.addFiles(toFiles(parts, nameOfResource(server.name, resource.title ?? resource.name), 'all'));
    });

  return (
    <Modal title={words.offers} className="offers" onClose={onClose}>
      <button type="button" className="quiet small modal-close" aria-label={common.close} onClick={onClose}>
        <Icon name="close" />
      </button>
      {connected.length === 0 && <p className="hint">{words.noneConnected}</p>}
      {problem !== undefined && (
        <p className="hint bad" role="alert">
          {problem}
        </p>
      )}
      {connected.map((server) => (
        <Offers
          key={server.name}
          server={server}
          onPrompt={(prompt, input) => void takePrompt(server, prompt, input)}
          onResource={(resource) => void takeResource(server, resource)}
        />
      ))}
    </Modal>
  );
}

interface OffersProps {
  readonly server: MCPServer;
  readonly onPrompt: (prompt: MCPPrompt, input: Readonly<Record<string, string>>) => void;
  readonly onResource: (resource: MCPResource) => void;
}

type Found = { readonly prompts: readonly MCPPrompt[]; readonly resources: readonly MCPResource[] } | string;

function Offers({ server, onPrompt, onResource }: OffersProps): ReactElement {
  const { mcp: words, common } = useAllTexts();
  const [found, setFound] = useState<Found>();
  const { host } = new URL(server.url);

  useEffect(() => {
    let isMounted = true;
    Promise.all([server.prompts(), server.resources()]).then(
      ([prompts, resources]) => isMounted && setFound({ prompts, resources }),
      (thrown: unknown) => isMounted && setFound(messageOf(thrown)),
    );
    return () => {
      isMounted = false;
    };
  }, [server]);

  return (
    <section aria-label={host} className="offers-server">
      <h3>
        <bdi>{host}</bdi>
      </h3>
      {found === undefined && <p className="hint">{common.loading}</p>}
      {typeof found === 'string' && <p className="hint bad">{found}</p>}
      {typeof found === 'object' && found.prompts.length + found.resources.length === 0 && (
        <p className="hint">{words.noOffers}</p>
      )}
      {typeof found === 'object' && (
        <ul className="file-list">
          {found.prompts.map((prompt) => (
            <li key={`prompt ${prompt.name}`}>
              <PromptForm prompt={prompt} onSubmit={(input) => onPrompt(prompt, input)} />
            </li>
          ))}
          {found.resources.map((resource) => (
            <li key={`resource ${resource.uri}`}>
              <button type="button" title={resource.uri} onClick={() => onResource(resource)}>
                <Icon name="file" />
                <span className="rule-text">
                  <bdi>{resource.title ?? resource.name}</bdi>
                  {resource.description !== undefined && (
                    <small>
                      <bdi>{resource.description}</bdi>
                    </small>
                  )}
                </span>
                <small>{words.resource}</small>
              </button>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}
