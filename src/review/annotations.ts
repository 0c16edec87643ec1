import { Observable, Subject } from 'rxjs';
import { fail } from '../core/error.ts';
import { current } from '../core/log/current.ts';
import { type Annotation, annotationsKey, maxAnnotations } from '../core/model/annotation.ts';
import { annotation, annotationList, parseAnnotations } from '../core/model/shapes/annotation-shape.ts';
import { readInput } from '../core/model/shapes/read-input.ts';
import type { SessionStore } from '../core/model/store.ts';
import { browserPorts, type Ports } from '../core/ports.ts';

/** What a reviewer writes: a note on the event with this `seq`. */
export type AnnotationDraft = Pick<Annotation, 'seq' | 'text' | 'userName'>;

/** The annotations of one session. Created by `createAnnotations`. */
export interface Annotations {
  /** The annotations in the order of their events. A subscription reads those of the store. */
  readonly list$: Observable<readonly Annotation[]>;
  /** The annotations that have been read so far. */
  getList(): readonly Annotation[];
  /** Reads the annotations from the store again: another tab may have added some. */
  load(): Promise<readonly Annotation[]>;
  /** Rejects with `INVALID_INPUT` for an empty or very long text, and for one annotation too many. */
  add(draft: AnnotationDraft): Promise<Annotation>;
  /** Replaces the text of an annotation. Rejects with `INVALID_INPUT` like `add`, and where no annotation has the id. */
  change(id: string, text: string): Promise<void>;
  /** Removes an annotation; one that does not exist is not an error. */
  remove(id: string): Promise<void>;
}

/** A stored session, whose annotations are kept in the `meta` of its store. */
export interface AnnotatedSession {
  readonly store: Pick<SessionStore, 'meta'>;
  readonly sessionId: string;
}

type Change = (list: readonly Annotation[]) => readonly Annotation[];

/**
 * Creates the annotations of a stored session, or those of a file, which last as long as the page: `exportSession` writes them into a new
 * file. Nothing is written to the session.
 *
 *     const annotations = createAnnotations({ store, sessionId });
 *     await annotations.add({ seq: review.getView().seq, text: 'Here it takes the wrong account.' });
 */
export function createAnnotations(
  source: AnnotatedSession | readonly Annotation[],
  { id: newId, now }: Pick<Ports, 'id' | 'now'> = browserPorts,
): Annotations {
  const changes = new Subject<void>();
  const stored = 'sessionId' in source ? source : undefined;
  const key = stored === undefined ? '' : annotationsKey(stored.sessionId);
  const meta = stored?.store.meta;
  let list: readonly Annotation[] = 'sessionId' in source ? [] : sorted(source);

  function show(next: readonly Annotation[]): readonly Annotation[] {
    list = next;
    changes.next();
    return list;
  }

  async function load(): Promise<readonly Annotation[]> {
    return meta === undefined ? list : show(parseAnnotations(await meta.get(key)));
  }

  /** Changes what is stored, atomically across tabs. */
  async function update(change: Change): Promise<void> {
    let next = list;
    const apply = (before: readonly Annotation[]): void => void (next = sorted(change(before)));
    if (meta === undefined) apply(list);
    else
      await meta.update(key, (value) => {
        apply(parseAnnotations(value));
        return next.length === 0 ? undefined : next.map((one) => ({ ...one }));
      });
    show(next);
  }

  return {
    list$: new Observable((subscriber) => {
      subscriber.add(current(changes, () => list).subscribe(subscriber));
      load().catch((thrown: unknown) => subscriber.error(thrown));
    }),
    getList: () => list,
    load,
    async add(draft) {
      const added = read({ ...draft, id: newId(), at: now() });
      await update((before) => [...before, added]);
      return added;
    },
    change: (id, text) =>
      update((before) => {
        if (!before.some((one) => one.id === id))
          fail('INVALID_INPUT', `There is no annotation ${id}: it was removed.`);
        return before.map((one) => (one.id === id ? read({ ...one, text, at: now() }) : one));
      }),
    remove: (id) => update((before) => before.filter((one) => one.id !== id)),
  };
}

function read(one: Annotation): Annotation {
  return readInput(one, annotation, 'The annotation');
}

/** Returns a checked copy of the annotations, in the order of their events. */
function sorted(list: readonly Annotation[]): readonly Annotation[] {
  if (list.length > maxAnnotations)
    fail('INVALID_INPUT', `A session has ${maxAnnotations} annotations at most: remove some first.`);
  const copy = readInput(list, annotationList, 'The annotations');
  return [...copy].sort((one, other) => one.seq - other.seq || one.at - other.at);
}
