import { describe, expect, test } from 'vitest';
import { services } from './services.ts';
import { call, clientOf, createStage, situations, words } from './situations.ts';
import { createStrictService } from './service.ts';

// Every request of a session is accepted by services that refuse what the real ones refuse.

describe.each(Object.entries(services))('%s accepts', (_, spec) => {
  test.each(Object.entries(situations))('%s', async (_name, play) => {
    const stage = await createStage(spec);
    await play(stage);
    expect(stage.service.refusals).toEqual([]);
    expect(stage.service.answers).toEqual([]);
    expect(stage.service.requests.length).toBeGreaterThan(0);
  });
});

test('every provider has its strict service', async () => {
  const exported = Object.keys(await import('../../src/llm/providers/index.ts'));
  const functions = ['createProviderClient', 'listModels', 'costOf', 'findModel'];
  expect(Object.keys(services).toSorted()).toEqual(exported.filter((name) => !functions.includes(name)).toSorted());
});

describe('a conversation that goes from one service to the next is accepted by', () => {
  const names = Object.keys(services);
  // Each service after each other one, with reasoning, calls and pictures of all before it.
  test.each(names.map((name, at) => [name, [...names.slice(at), ...names.slice(0, at)]] as const))(
    'all, beginning with %s, and back',
    async (_, route) => {
      const [first = ''] = route;
      const stage = await createStage(services[first] ?? expect.unreachable());
      const open = new Map(
        route.map((name) => {
          const spec = services[name] ?? expect.unreachable();
          const service = name === first ? stage.service : createStrictService(spec);
          return [name, { service, client: clientOf(spec, service) }];
        }),
      );
      for (const name of [...route, ...route.toReversed()]) {
        const { service, client } = open.get(name) ?? expect.unreachable();
        service.answers.push(call(), call('draw'), words(`Done by ${name}.`));
        await stage.session.send('Add and draw.', { client });
        expect([name, service.refusals]).toEqual([name, []]);
      }
    },
  );

  test('the next in the midst of a run: after a cut, another service goes on', async () => {
    for (const name of names) {
      const stage = await createStage(services.openaiChat ?? expect.unreachable());
      await stage.ask('Add.', call(), { think: 'Hm.', ends: 'cut' });
      const spec = services[name] ?? expect.unreachable();
      const service = createStrictService(spec);
      service.answers.push(call(), words('Done.'));
      await stage.session.resume({ client: clientOf(spec, service) });
      expect([name, service.refusals, service.answers]).toEqual([name, [], []]);
    }
  });
});
