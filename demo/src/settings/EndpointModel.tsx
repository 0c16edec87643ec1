import { useObservable } from 'brooklet/react';
import { ModelPicker, type ModelPickerProps } from 'brooklet/ui';
import type { ReactElement } from 'react';
import { releaseKey } from '../model/connection.ts';
import type { Endpoint } from '../model/endpoint.ts';
import { choiceOf } from '../model/providers.ts';
import { noteModel, recentModels } from './recentModels.ts';
import '../styles/settings.css';

interface EndpointModelProps extends Pick<ModelPickerProps, 'value' | 'labels' | 'className' | 'children'> {
  readonly endpoint: Pick<Endpoint, 'providerId' | 'baseURL' | 'needsKey'>;
  /** Default: the key of the page for the address. */
  readonly apiKey?: (origin: string) => Promise<string>;
  readonly onChange: (model: string) => void;
}

/** Chooses a model of an endpoint, the last chosen ones first. */
export function EndpointModel(props: EndpointModelProps): ReactElement {
  const { endpoint, apiKey = releaseKey, onChange, ...rest } = props;
  const { providerId, baseURL, needsKey } = endpoint;
  const recent = useObservable(recentModels.value$, recentModels.get)[baseURL];
  return (
    <ModelPicker
      {...rest}
      provider={choiceOf(providerId).provider}
      request={{ baseURL, ...(needsKey && { apiKey }) }}
      recent={recent}
      onChange={(model) => {
        noteModel(baseURL, model);
        onChange(model);
      }}
    />
  );
}
