// A click on the button of the extension opens the side panel.
chrome.sidePanel?.setPanelBehavior({ openPanelOnActionClick: true });
