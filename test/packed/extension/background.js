// The test reads the extension's id from the address of this worker.
chrome.action?.onClicked.addListener(() => chrome.tabs.create({ url: 'chat.html' }));
