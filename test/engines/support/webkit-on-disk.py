#!/usr/bin/env python3
"""A browser for WebKitWebDriver whose databases are on the disk, in the folder WEBKIT_DATA. MiniBrowser keeps them in memory."""

import os
import gi

gi.require_version('Gtk', '3.0')
gi.require_version('WebKit2', '4.1')
from gi.repository import Gtk, WebKit2  # noqa: E402

folder = os.environ['WEBKIT_DATA']
width, height = (int(side) for side in os.environ.get('WEBKIT_SIZE', '1100x800').split('x'))

manager = WebKit2.WebsiteDataManager(base_data_directory=f'{folder}/data', base_cache_directory=f'{folder}/cache')
context = WebKit2.WebContext.new_with_website_data_manager(manager)
context.set_automation_allowed(True)

# Features that WebKitGTK has switched off.
settings = WebKit2.Settings()
features = WebKit2.Settings.get_all_features()
for feature in (features.get(at) for at in range(features.get_length())):
    if feature.get_identifier() in os.environ.get('WEBKIT_FEATURES', '').split(','):
        settings.set_feature_enabled(feature, True)
# A window without a reference is collected together with its page.
windows = []


def create_view(*_, opener=None):
    of_opener = {'related_view': opener} if opener else {'web_context': context}
    view = WebKit2.WebView(settings=settings, is_controlled_by_automation=True, **of_opener)
    window = Gtk.Window()
    window.set_default_size(width, height)
    window.add(view)
    window.show_all()
    windows.append(window)
    view.connect('create', lambda opener, _: create_view(opener=opener))
    view.connect('close', lambda *_: (windows.remove(window), window.destroy()))
    return view


def start(_, session):
    info = WebKit2.ApplicationInfo()
    # WebKitWebDriver compares the name with the capability `browserName`.
    info.set_name('MiniBrowser')
    info.set_version(WebKit2.get_major_version(), WebKit2.get_minor_version(), WebKit2.get_micro_version())
    session.set_application_info(info)
    session.connect('create-web-view', create_view)


context.connect('automation-started', start)
Gtk.main()
