const key = 'brooklet-studio:tab';
const animals = ['Dipper', 'Heron', 'Kingfisher', 'Newt', 'Otter', 'Stickleback', 'Trout', 'Wagtail'] as const;

/** What this tab signs its decisions with, so that another one can say who was first. Stays over a reload. */
export const tabName = read() ?? choose();

function read(): string | undefined {
  try {
    return sessionStorage.getItem(key) ?? undefined;
  } catch {
    return undefined;
  }
}

function choose(): string {
  const [number = 0] = crypto.getRandomValues(new Uint32Array(1));
  const name = `${animals[number % animals.length]} ${(number % 89) + 10}`;
  try {
    sessionStorage.setItem(key, name);
  } catch {
    // A new name after the next reload, then.
  }
  return name;
}
