const key = 'brooklet-studio:tab';
const animals = ['Dipper', 'Heron', 'Kingfisher', 'Newt', 'Otter', 'Stickleback', 'Trout', 'Wagtail'] as const;

/** The user name in this tab's decisions, so that another tab can show where a call was decided. Kept across reloads. */
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
    // The tab then gets a new name at the next reload.
  }
  return name;
}
