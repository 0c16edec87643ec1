import { extractTextContent } from 'brooklet';
import { createScriptedClient, reply } from 'brooklet/testing';

/** A model that calls the tool that the person names: `add {"a":1}`. */
export const createObedientClient = () =>
  createScriptedClient(({ messages }) => {
    const last = messages.at(-1);
    if (last?.role !== 'user') return [reply.text('Done.')];
    const [name = '', input = '{}'] = extractTextContent(last).split(/ (.*)/);
    return [reply.call(name, input)];
  });
