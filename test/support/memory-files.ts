// A FileSystemDirectoryHandle in memory, for tests in Node: what OPFS and a picked folder have in common.

class NamedError extends Error {
  constructor(name: string) {
    super(name);
    this.name = name;
  }
}

/** A file in memory. A writer replaces the content when it closes, as in a browser. */
export class MemoryFile {
  readonly kind = 'file';
  content: Uint8Array<ArrayBuffer> = new Uint8Array();
  /** Name of the error with which writing fails. */
  failure: string | undefined;
  readonly name: string;

  constructor(name: string) {
    this.name = name;
  }

  async getFile(): Promise<File> {
    return new File([this.content], this.name);
  }

  async createWritable(): Promise<object> {
    if (this.failure !== undefined) throw new NamedError(this.failure);
    let next: Uint8Array<ArrayBuffer> = new Uint8Array();
    return {
      write: async (text: string) => void (next = new TextEncoder().encode(text)),
      close: async () => void (this.content = next),
      abort: async () => {},
    };
  }
}

/** A folder in memory. */
export class MemoryFolder {
  readonly kind = 'directory';
  readonly all = new Map<string, MemoryFile | MemoryFolder>();
  readonly name: string;

  constructor(name = '') {
    this.name = name;
  }

  async getDirectoryHandle(name: string, { create = false } = {}): Promise<MemoryFolder> {
    return this.#open(name, MemoryFolder, create);
  }

  async getFileHandle(name: string, { create = false } = {}): Promise<MemoryFile> {
    return this.#open(name, MemoryFile, create);
  }

  async removeEntry(name: string): Promise<void> {
    if (!this.all.delete(name)) throw new NamedError('NotFoundError');
  }

  async *entries(): AsyncGenerator<[string, MemoryFile | MemoryFolder]> {
    yield* this.all;
  }

  #open<Entry extends MemoryFile | MemoryFolder>(
    name: string,
    Kind: new (name: string) => Entry,
    create: boolean,
  ): Entry {
    // The browser throws a TypeError for these names.
    if (name === '' || name === '.' || name === '..' || name.includes('/')) throw new TypeError('Name is not allowed.');
    const found = this.all.get(name) ?? (create ? new Kind(name) : undefined);
    if (found === undefined) throw new NamedError('NotFoundError');
    if (!(found instanceof Kind)) throw new NamedError('TypeMismatchError');
    this.all.set(name, found);
    return found;
  }
}

/** Returns the folder as the type of the browser, of which it has what the package uses. */
export function asHandle(folder: MemoryFolder): FileSystemDirectoryHandle {
  const handle: unknown = folder;
  return handle as FileSystemDirectoryHandle;
}

/** Makes a folder with files: `{ 'notes/plan.md': '…' }`. */
export function memoryFolder(
  files: Readonly<Record<string, string | Uint8Array<ArrayBuffer>>>,
  name = 'root',
): MemoryFolder {
  const root = new MemoryFolder(name);
  for (const [path, content] of Object.entries(files)) {
    const names = path.split('/');
    const file = new MemoryFile(names.pop() ?? '');
    file.content = typeof content === 'string' ? new TextEncoder().encode(content) : content;
    let folder = root;
    for (const inner of names) {
      const found = folder.all.get(inner);
      const next = found instanceof MemoryFolder ? found : new MemoryFolder(inner);
      folder.all.set(inner, next);
      folder = next;
    }
    folder.all.set(file.name, file);
  }
  return root;
}

/** Returns the text of a file of a folder; `undefined` if there is none. */
export function textIn(folder: MemoryFolder, path: string): string | undefined {
  let at: MemoryFile | MemoryFolder | undefined = folder;
  for (const name of path.split('/')) at = at instanceof MemoryFolder ? at.all.get(name) : undefined;
  return at instanceof MemoryFile ? new TextDecoder().decode(at.content) : undefined;
}
