import { type Agent, createAgent, defineTool, type LLMClient } from 'brooklet';

/** Its schema accepts any input. */
export function createWeatherAgent(client: LLMClient, lookUp: (city: string) => Promise<number>): Agent {
  const getWeather = defineTool({
    name: 'get_weather',
    description: 'Returns the temperature of a city.',
    input: { type: 'object' },
    execute: async ({ city }) => ({ celsius: await lookUp(typeof city === 'string' ? city : '') }),
  });
  return createAgent({ client, tools: [getWeather] });
}
