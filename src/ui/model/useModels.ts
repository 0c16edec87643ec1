import { useEffect, useRef, useState } from 'react';
import { type AgentError, toAgentError } from '../../index.ts';
import { findModel, listModels, type Model, type Provider } from '../../llm/providers/index.ts';
import type { ModelPickerProps } from './props.ts';

/** The models of a service, as far as they are known. */
export interface ModelList {
  /** The service's own list once it is read, until then what the package knows. */
  readonly models: readonly Model[];
  readonly isLoading: boolean;
  /** Why the list could not be read. */
  readonly error: AgentError | undefined;
  /** Reads the list again. */
  readonly retry: () => void;
}

/** A list that was read, and of what. */
export interface ReadList {
  readonly provider: Provider;
  readonly baseURL: string | undefined;
  readonly models: readonly Model[];
}

/**
 * Reads the models while its component is in the page: leaving it aborts the request.
 *
 * @param read the list that was read before, which is shown meanwhile
 */
export function useModels(
  { provider, models: given, request }: Pick<ModelPickerProps, 'provider' | 'models' | 'request'>,
  read: ReadList | undefined,
  onRead: (list: ReadList) => void,
): ModelList {
  const [state, setState] = useState<Pick<ModelList, 'isLoading' | 'error'>>({ isLoading: false, error: undefined });
  const [attempt, setAttempt] = useState(0);
  const baseURL = request?.baseURL;
  const isGiven = Array.isArray(given);
  // Functions and options are usually written in place: those of the moment of the request count.
  const latest = useRef({ given, request, onRead });
  useEffect(() => void (latest.current = { given, request, onRead }));

  useEffect(() => {
    if (isGiven) {
      setState({ isLoading: false, error: undefined });
      return undefined;
    }
    const controller = new AbortController();
    const { signal } = controller;
    setState({ isLoading: true, error: undefined });
    const { given, request } = latest.current;
    readModels(provider, given, { ...request, signal }).then(
      (models) => {
        if (signal.aborted) return;
        latest.current.onRead({ provider, baseURL, models });
        setState({ isLoading: false, error: undefined });
      },
      (thrown: unknown) => {
        if (!signal.aborted) setState({ isLoading: false, error: toAgentError(thrown) });
      },
    );
    return () => controller.abort();
  }, [provider, baseURL, isGiven, attempt]);

  const isOfService = read?.provider === provider && read.baseURL === baseURL;
  return {
    models: isModels(given) ? given : isOfService ? read.models : knownModels(provider),
    ...state,
    retry: () => setAttempt((before) => before + 1),
  };
}

const isModels = (given: ModelPickerProps['models']): given is readonly Model[] => Array.isArray(given);

async function readModels(
  provider: Provider,
  given: ModelPickerProps['models'],
  request: NonNullable<ModelPickerProps['request']> & { readonly signal: AbortSignal },
): Promise<readonly Model[]> {
  return typeof given === 'function' ? given(request.signal) : listModels(provider, request);
}

/** Returns the models of a provider that the package knows. */
function knownModels({ models }: Provider): readonly Model[] {
  return Object.keys(models ?? {}).flatMap((id) => findModel(models, id) ?? []);
}
