/** The body of a page with a content security policy, in a frame of the test's page, so that the test can inspect it. */
export async function strictPage(policy: string): Promise<HTMLElement> {
  const page = document.createElement('iframe');
  page.srcdoc = `<meta http-equiv="Content-Security-Policy" content="default-src 'none'; ${policy}">`;
  const loaded = new Promise((resolve) => page.addEventListener('load', resolve));
  document.body.append(page);
  await loaded;
  return page.contentDocument!.body;
}
