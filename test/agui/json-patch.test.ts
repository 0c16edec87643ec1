import { AbstractAgent, EventType, type RunAgentInput } from '@ag-ui/client';
import fc from 'fast-check';
import { of } from 'rxjs';
import { describe, expect, test, vi } from 'vitest';
import { applyPatch, toPatch } from '../../src/agui/json-patch.ts';
import type { Json, JsonObject } from '../../src/core/json.ts';

const valueOf = (value: Json, patch: Json) => applyPatch(value, patch).value;

describe('a patch', () => {
  test.each<[string, Json, Json, Json]>([
    ['adds a member', { a: 1 }, [{ op: 'add', path: '/b', value: 2 }], { a: 1, b: 2 }],
    ['adds null', {}, [{ op: 'add', path: '/a', value: null }], { a: null }],
    ['inserts into a list', [1, 3], [{ op: 'add', path: '/1', value: 2 }], [1, 2, 3]],
    ['appends to a list', { a: [1] }, [{ op: 'add', path: '/a/-', value: 2 }], { a: [1, 2] }],
    ['replaces in place', { a: 1, b: 2 }, [{ op: 'replace', path: '/a', value: 0 }], { a: 0, b: 2 }],
    ['replaces the whole', { a: 1 }, [{ op: 'replace', path: '', value: [] }], []],
    ['removes', { a: [1, 2, 3] }, [{ op: 'remove', path: '/a/1' }], { a: [1, 3] }],
    ['moves', { a: { b: 1 }, c: {} }, [{ op: 'move', from: '/a/b', path: '/c/d' }], { a: {}, c: { d: 1 } }],
    ['copies', { a: { b: 1 } }, [{ op: 'copy', from: '/a', path: '/c' }], { a: { b: 1 }, c: { b: 1 } }],
    [
      'tests, whatever the order of keys',
      { a: 1, b: [2] },
      [{ op: 'test', path: '', value: { b: [2], a: 1 } }],
      { a: 1, b: [2] },
    ],
    [
      'reads escaped keys',
      { 'a/b': 1, 'c~d': 2 },
      [
        { op: 'remove', path: '/a~1b' },
        { op: 'remove', path: '/c~0d' },
      ],
      {},
    ],
    ['inserts at the front of a list', [1], [{ op: 'add', path: '/0', value: 0 }], [0, 1]],
    ['inserts behind the last entry', [1], [{ op: 'add', path: '/1', value: 2 }], [1, 2]],
    ['removes the first entry', [1, 2], [{ op: 'remove', path: '/0' }], [2]],
    ['removes the last entry', [1, 2], [{ op: 'remove', path: '/1' }], [1]],
    ['changes an entry of a list', [{ a: 1 }], [{ op: 'replace', path: '/0/a', value: 2 }], [{ a: 2 }]],
    ['removes the whole', { a: 1 }, [{ op: 'remove', path: '' }], null],
    ['moves a value to its own place', [1, 2], [{ op: 'move', from: '/0', path: '/0' }], [1, 2]],
    ['moves into a neighbour', [{ a: 1, b: {} }], [{ op: 'move', from: '/0/a', path: '/0/b/c' }], [{ b: { c: 1 } }]],
    ['reads an empty key', { '': { a: 1 } }, [{ op: 'replace', path: '//a', value: 2 }], { '': { a: 2 } }],
  ])('%s', (_what, value, patch, expected) => {
    expect(valueOf(value, patch)).toEqual(expected);
  });

  test.each<[string, Json, Json]>([
    ['is no list', {}, { op: 'add' }],
    ['has an unknown operation', {}, [{ op: 'merge', path: '/a', value: 1 }]],
    ['has a path that is no pointer', {}, [{ op: 'add', path: 'a', value: 1 }]],
    ['has a path that is no text', {}, [{ op: 'add', path: 7, value: 1 }]],
    ['has no path to copy from', {}, [{ op: 'copy', path: '/a' }]],
    ['has a wrong escape', {}, [{ op: 'add', path: '/~2', value: 1 }]],
    ['has no value', {}, [{ op: 'add', path: '/a' }]],
    ['removes what is not there', {}, [{ op: 'remove', path: '/a' }]],
    ['replaces what is not there', {}, [{ op: 'replace', path: '/a', value: 1 }]],
    ['has no parent', {}, [{ op: 'add', path: '/a/b', value: 1 }]],
    ['has a text for a parent', { a: 'x' }, [{ op: 'add', path: '/a/b', value: 1 }]],
    ['inserts beyond a list', [], [{ op: 'add', path: '/1', value: 1 }]],
    ['has a position with a zero before', [1, 2], [{ op: 'remove', path: '/01' }]],
    ['moves a value into itself', { a: {} }, [{ op: 'move', from: '/a', path: '/a/b' }]],
    ['moves an entry of a list into itself', [{}, {}], [{ op: 'move', from: '/0', path: '/0/a' }]],
    ['replaces the entry behind the last', [1], [{ op: 'replace', path: '/1', value: 2 }]],
    ['removes the entry before the first', [1], [{ op: 'remove', path: '/-1' }]],
    ['tests for an object with another member', { a: 1, b: 2 }, [{ op: 'test', path: '', value: { a: 1, b: 3 } }]],
    ['tests for an object with a member more', { a: 1 }, [{ op: 'test', path: '', value: { a: 1, b: 1 } }]],
    ['tests for a longer list', [1], [{ op: 'test', path: '', value: [1, 2] }]],
    ['tests for another value', { a: 1 }, [{ op: 'test', path: '/a', value: 2 }]],
    ['reads an inherited member', {}, [{ op: 'copy', from: '/constructor', path: '/a' }]],
  ])('that %s changes nothing and states why', (_what, value, patch) => {
    expect(applyPatch(value, patch)).toEqual({ problem: expect.stringMatching(/\w/) });
  });

  test('applies all operations or none', () => {
    const value = { a: 1 };
    const patch = [
      { op: 'add', path: '/b', value: 2 },
      { op: 'remove', path: '/c' },
    ];
    expect(applyPatch(value, patch)).toEqual({ problem: 'there is no "c"' });
    expect(value).toEqual({ a: 1 });
  });

  test('keeps what it does not change', () => {
    const value = { a: { b: [1] }, c: 1 };
    const patched = applyPatch(value, [{ op: 'replace', path: '/c', value: 2 }]).value;
    expect(patched).toEqual({ a: { b: [1] }, c: 2 });
    expect(patched).toHaveProperty('a', value.a);
    expect((patched as { a: unknown }).a).toBe(value.a);
  });

  test('writes `__proto__` as a plain key, and changes no prototype', () => {
    const patched = valueOf({}, [
      { op: 'add', path: '/__proto__', value: { polluted: true } },
      { op: 'add', path: '/__proto__/more', value: 1 },
    ]);
    expect(Object.hasOwn(patched as object, '__proto__')).toBe(true);
    expect((patched as { polluted?: unknown }).polluted).toBeUndefined();
    expect(({} as { polluted?: unknown; more?: unknown }).polluted).toBeUndefined();
  });

  test('that grows without bound is refused: copies of copies, long lists, long and deep paths', () => {
    const doubled = Array.from({ length: 40 }, (_, index) => ({ op: 'copy', from: '', path: `/${index}` }));
    expect(applyPatch({ a: 1 }, doubled).problem).toBe('the patches are too large');
    const appended = Array.from({ length: 20_001 }, () => ({ op: 'add', path: '/-', value: 0 }));
    expect(applyPatch([], appended).problem).toBe('the patch has more than 20000 operations');
    expect(applyPatch({}, [{ op: 'add', path: '/a'.repeat(100_000), value: 1 }]).problem).toContain('256 keys');
    expect(applyPatch({}, [{ op: 'add', path: '/a'.repeat(257), value: 1 }]).problem).toContain('256 keys');
    expect(applyPatch({}, [{ op: 'add', path: '/a'.repeat(256), value: 1 }]).problem).toBe('there is no "a"');
    let deep: Json = 0;
    for (let depth = 0; depth < 50_000; depth++) deep = [deep];
    expect(applyPatch({ a: deep }, [{ op: 'copy', from: '/a', path: '/b' }]).problem).toMatch(/deeply|large/);
  });
});

const json = fc.letrec<{ value: Json }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3 },
    fc.constantFrom<Json>(null, true, 0, 1, '', 'x'),
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(fc.constantFrom('a', 'b', 'c/d', 'e~f', ''), tie('value'), { maxKeys: 3 }) as fc.Arbitrary<Json>,
  ),
})).value;
const pointer = fc.constantFrom(
  '',
  '/',
  '/a',
  '/a/a',
  '/a/a/0',
  '/a/a/2',
  '/a/a/-',
  '/a/b',
  '/a/b/c~1d',
  '//0',
  '//0/0',
  '//1',
  '/b',
  '/b/0',
  '/c~1d',
  '/c~1d/a',
  '/e~0f',
);
const operation = fc.oneof(
  fc.record({ op: fc.constantFrom('add', 'replace', 'test'), path: pointer, value: json }),
  fc.record({ op: fc.constant('remove'), path: pointer.filter((path) => path !== '') }),
  fc.record({ op: fc.constant('copy'), from: pointer, path: pointer }),
  // Their client makes a circular state of a value that moves into itself.
  fc
    .record({ op: fc.constant('move'), from: pointer, path: pointer })
    .filter(({ from, path }) => !path.startsWith(from)),
);

/** The protocol's own client, which runs one list of events. */
class Events extends AbstractAgent {
  readonly events: readonly object[];

  constructor(events: readonly object[]) {
    super({ threadId: 't' });
    this.events = events;
  }

  run({ threadId, runId }: RunAgentInput): ReturnType<AbstractAgent['run']> {
    const ids = { threadId, runId };
    const all = [{ type: EventType.RUN_STARTED, ...ids }, ...this.events, { type: EventType.RUN_FINISHED, ...ids }];
    // Their client has its own copy of rxjs.
    return of(...all) as unknown as ReturnType<AbstractAgent['run']>;
  }
}

test('a patch of many operations copies an object or a list once, however many of its entries change', () => {
  const before = { map: Object.fromEntries(Array.from({ length: 5_000 }, (_, n) => [`k${n}`, n])), list: [0] };
  const patch = Array.from({ length: 10_000 }, (_, n) => ({ op: 'replace', path: `/map/k${n % 5_000}`, value: -n }));
  const budget = { left: 50_000_000 };
  const { value } = applyPatch(before, patch, budget);
  expect(value).toMatchObject({ map: { k0: -5_000, k4999: -9_999 }, list: [0] });
  expect(before.map.k0).toBe(0);
  expect(50_000_000 - budget.left).toBeLessThan(100_000);
});

test('a value that was copied within a patch is another value from then on', () => {
  const patch = [
    { op: 'add', path: '/a/x', value: 1 },
    { op: 'copy', from: '/a', path: '/b' },
    { op: 'add', path: '/a/x', value: 2 },
    { op: 'add', path: '/b/y', value: 3 },
  ];
  expect(valueOf({ a: {} }, patch)).toEqual({ a: { x: 2 }, b: { x: 1, y: 3 } });
});

test('a patch of more than 20,000 operations, or of more work than a patch may make, has no effect', () => {
  const many = Array.from({ length: 20_001 }, () => ({ op: 'add', path: '/a', value: 1 }));
  expect(applyPatch({}, many)).toEqual({ problem: 'the patch has more than 20000 operations' });
  const large = { a: Object.fromEntries(Array.from({ length: 5_000 }, (_, n) => [`k${n}`, n])) };
  const copies = Array.from({ length: 20_000 }, (_, n) =>
    n % 2 === 0 ? { op: 'copy', from: '/a/k1', path: '/b' } : { op: 'add', path: '/a/k2', value: n },
  );
  const budget = { left: 50_000_000 };
  expect(applyPatch(large, copies, budget)).toEqual({ problem: 'the patches are too large' });
  // One patch is not given the work of a whole stream.
  expect(budget.left).toBeGreaterThan(48_000_000);
});

test('random patches that apply result in the state that the protocol’s own client has', async () => {
  // Their client warns of each patch that does not apply.
  const warn = vi.spyOn(console, 'warn').mockImplementation(() => {});
  let applied = 0;
  await fc.assert(
    fc.asyncProperty(
      fc.dictionary(fc.constantFrom('b', 'c/d'), json).map((more) => ({ ...more, a: { a: [1, 2], b: {} }, '': [[0]] })),
      fc.array(operation, { minLength: 1, maxLength: 3 }),
      async (state, patch) => {
        const theirs = new Events([
          { type: EventType.STATE_SNAPSHOT, snapshot: structuredClone(state) },
          // Their client changes the values of a patch.
          { type: EventType.STATE_DELTA, delta: structuredClone(patch) },
        ]);
        await theirs.runAgent();
        const ours = applyPatch(state, patch);
        // Their client also writes into texts, and into what is no member.
        if (ours.problem !== undefined) return;
        applied++;
        expect(ours.value).toEqual(theirs.state);
      },
    ),
    { numRuns: 500 },
  );
  warn.mockRestore();
  expect(applied).toBeGreaterThan(20);
});

test('a member without a value is no member of an object that changes', () => {
  expect(toPatch({ a: undefined, b: 1 }, { b: 1, c: undefined })).toEqual([]);
  expect(toPatch({ a: undefined }, { a: 1 })).toEqual([{ op: 'add', path: '/a', value: 1 }]);
});

test('the patch from one object to another makes the one the other', () => {
  const object = fc.dictionary(fc.constantFrom('a', 'b', 'c/d', 'e~f', '__proto__'), json) as fc.Arbitrary<JsonObject>;
  fc.assert(
    fc.property(object, object, (before, after) => {
      const patch = toPatch(before, after);
      expect(applyPatch(before, [...patch]).value).toEqual(after);
      expect(toPatch(after, after)).toEqual([]);
    }),
  );
});
