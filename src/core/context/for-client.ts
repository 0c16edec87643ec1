import type { LLMClient } from '../model/llm.ts';
import type { RunSettings } from '../model/settings.ts';

/** The options of a run that belong to the client that they were given for. */
type ClientBound = Pick<RunSettings, 'model' | 'providerParams' | 'contextWindow' | 'origin' | 'needs'> & {
  readonly client?: LLMClient | undefined;
};

/**
 * Returns the options of a run that apply to the client which answers: without the model, the parameters and the window of a model that this
 * client does not have, because the run had a client of its own that this page lacks, or because the service is another one. The same
 * reference where all apply.
 *
 * @param agentClient the present client of the agent, which answers where the run has none of its own
 */
export function forClient<Run extends ClientBound>(run: Run, agentClient: LLMClient): Run;
export function forClient(run: ClientBound, agentClient: LLMClient): ClientBound {
  const answers = run.client ?? agentClient;
  const isSame = run.origin !== undefined && run.origin === answers.origin;
  const lacks = run.client === undefined && run.needs?.includes('client') === true;
  const isOther = run.origin !== undefined && answers.origin !== undefined && !isSame;
  if (isSame || !(lacks || isOther)) return run;
  const { model: _model, providerParams: _params, contextWindow: _window, origin: _origin, needs, ...others } = run;
  const kept = needs?.filter((need) => need !== 'client' || !lacks) ?? [];
  return { ...others, ...(kept.length > 0 && { needs: kept }) };
}
