import { type Agent, createAgent, defineTool, type LLMClient } from 'brooklet';
import { z } from 'zod';

export function createWeatherAgent(client: LLMClient, lookUp: (city: string) => Promise<number>): Agent {
  const getWeather = defineTool({
    name: 'get_weather',
    description: 'Returns the temperature of a city.',
    input: z.object({ city: z.string().min(1) }),
    async execute({ city }) {
      try {
        return { celsius: await lookUp(city) };
      } catch {
        throw new Error(`There is no weather for ${city}. Ask the user for another city.`);
      }
    },
  });
  return createAgent({ client, tools: [getWeather] });
}
