type Listener = (event: Event) => void;

/** How an event of the database reaches the code of a page: at once, later, or never. */
export type Deliver = (target: EventTarget, handle: () => void) => void;

const types = ['success', 'error', 'complete', 'abort', 'blocked', 'upgradeneeded', 'versionchange', 'close'];
const guarded = new WeakSet<object>();
const internals = new WeakSet<object>();

/** Marks a listener as one of the database itself: it is called at once, whatever becomes of the page. */
export function internal(listener: Listener): Listener {
  internals.add(listener);
  return listener;
}

/** Makes a page's listeners of a target go through `deliver`. What was registered before is called as before. */
export function guard(target: EventTarget, deliver: Deliver): void {
  if (guarded.has(target)) return;
  guarded.add(target);
  const listen = target.addEventListener.bind(target);
  const forget = target.removeEventListener.bind(target);
  /** The registered functions by type and by the page's listener. */
  const registered = new Map<string, Map<unknown, Listener>>();

  function remove(type: string, listener: unknown): void {
    const known = registered.get(type)?.get(listener);
    if (known) forget(type, known);
    registered.get(type)?.delete(listener);
  }

  function add(type: string, listener: unknown, options?: boolean | AddEventListenerOptions): void {
    if (typeof listener !== 'function') return;
    const call: Listener = (event) => void Reflect.apply(listener, target, [event]);
    if (internals.has(listener)) return listen(type, call);
    const { once = false, signal } = typeof options === 'object' ? options : {};
    const ours = registered.get(type) ?? new Map<unknown, Listener>();
    registered.set(type, ours);
    if (signal?.aborted || ours.has(listener)) return;
    const handle: Listener = (event) => {
      if (once) remove(type, listener);
      deliver(target, () => {
        if (!signal?.aborted) call(event);
      });
    };
    ours.set(listener, handle);
    listen(type, handle);
    signal?.addEventListener('abort', () => remove(type, listener));
  }

  Object.assign(target, { addEventListener: add, removeEventListener: remove });
  for (const type of types)
    guardProperty(
      target,
      `on${type}`,
      (listener) => add(type, listener),
      (listener) => remove(type, listener),
    );
}

/** Makes the property of an event (`onsuccess`) a listener like the others. */
function guardProperty(
  target: EventTarget,
  property: string,
  add: (listener: unknown) => void,
  remove: (listener: unknown) => void,
): void {
  if (!(property in target)) return;
  let current: unknown = null;
  Object.defineProperty(target, property, {
    configurable: true,
    // The database calls what it finds here: the listener is called as one that was added.
    get: () => null,
    set(listener: unknown) {
      remove(current);
      add((current = listener));
    },
  });
}
