import type { ReactNode } from 'react';
import type { ListModelsOptions, Model, Provider } from '../../llm/providers/index.ts';
import type { ModelLabels } from '../labels/model-english.ts';

/** Props of `ModelPicker`. */
export interface ModelPickerProps {
  readonly provider: Provider;
  /** Id of the model; empty while none is chosen. */
  readonly value: string;
  /** `model`: what is known of it; `undefined` for a name that was typed and is not listed. */
  readonly onChange: (id: string, model: Model | undefined) => void;
  /** Ids of the models that were used last, the latest first. */
  readonly recent?: readonly string[] | undefined;
  /** The models to choose from, or what reads them each time the picker opens. Default: the service's own list, by `listModels`. */
  readonly models?: readonly Model[] | ((signal: AbortSignal) => Promise<readonly Model[]>) | undefined;
  /** Of the request for the service's own list: `apiKey`, `baseURL`, `headers`, … */
  readonly request?: Omit<ListModelsOptions, 'signal'> | undefined;
  /** What the button shows, in the place of the model's name: an icon, for example. Its accessible name stays `labels.button`. */
  readonly children?: ReactNode;
  readonly isDisabled?: boolean | undefined;
  readonly labels?: Partial<ModelLabels> | undefined;
  readonly className?: string | undefined;
}
