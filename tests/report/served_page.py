#!/usr/bin/env python3
# The page of `thalweg serve` in Chromium: it shows what the recipe gives, follows its file through a
# fault and back, keeps its place, and says when the server has gone. Nothing is said on the console
# and nothing is fetched from elsewhere. Pictures of it are left in a folder for people.
# usage: served_page.py COMMAND RECIPE FOLDER: changes the recipe, which has a node `noise.midpoint`
import base64, fcntl, json, os, select, subprocess, sys, tempfile

command, recipe, folder = sys.argv[1:]
LIMIT = 120 # seconds for anything to come


class Page:
    """Speaks the DevTools protocol by two pipes, which Chromium has as descriptors 3 and 4."""

    def __init__(self, profile):
        (take, self.to), (self.source, give) = os.pipe(), os.pipe()
        self.count, self.rest, self.events = 0, b'', []
        # by way of higher numbers, so that neither end overwrites the other
        take, give = fcntl.fcntl(take, fcntl.F_DUPFD, 10), fcntl.fcntl(give, fcntl.F_DUPFD, 10)
        script = f'exec 3<&{take} 4>&{give}; exec chromium "$@"'
        self.browser = subprocess.Popen(
            ['bash', '-c', script, 'chromium', '--headless', '--no-sandbox', '--disable-gpu', '--hide-scrollbars',
             '--no-first-run', '--disable-background-networking', f'--user-data-dir={profile}', '--remote-debugging-pipe'],
            pass_fds=(take, give), stderr=subprocess.DEVNULL)
        target = self.call('Target.createTarget', {'url': 'about:blank'}, None)['targetId']
        self.session = self.call('Target.attachToTarget', {'targetId': target, 'flatten': True}, None)['sessionId']
        for part in 'Page', 'Runtime', 'Log', 'Network':
            self.call(part + '.enable')

    def receive(self):
        while b'\0' not in self.rest:
            if not select.select([self.source], [], [], LIMIT)[0]:
                sys.exit(f'no answer from chromium: {self.asked}')
            self.rest += os.read(self.source, 1 << 20)
        message, self.rest = self.rest.split(b'\0', 1)
        return json.loads(message)

    def call(self, method, params=None, session=''):
        self.count += 1
        message = {'id': self.count, 'method': method, 'params': params or {}}
        if session is not None:
            message['sessionId'] = session or self.session
        self.asked = message
        os.write(self.to, json.dumps(message).encode() + b'\0')
        while (answer := self.receive()).get('id') != self.count:
            self.events.append(answer)
        if 'error' in answer:
            sys.exit(f'{method}: {answer["error"]}')
        return answer['result']

    def value(self, expression):
        return self.call('Runtime.evaluate', {'expression': expression, 'returnByValue': True})['result'].get('value')

    def wait(self, expression):
        look = f'new Promise(done => {{ const look = () => {{' \
               f'try {{ if ({expression}) return done(true); }} catch (e) {{}} setTimeout(look, 20); }}; look(); }})'
        self.call('Runtime.evaluate', {'expression': look, 'awaitPromise': True})

    def shoot(self, name, width, height, scheme):
        self.call('Emulation.setDeviceMetricsOverride', {'width': width, 'height': height, 'deviceScaleFactor': 1, 'mobile': False})
        self.call('Emulation.setEmulatedMedia', {'features': [{'name': 'prefers-color-scheme', 'value': scheme}]})
        with open(f'{folder}/{name}.png', 'wb') as file:
            file.write(base64.b64decode(self.call('Page.captureScreenshot')['data']))

    def check_events(self, address):
        said = [e for e in self.events if e.get('method') in ('Runtime.consoleAPICalled', 'Runtime.exceptionThrown')]
        urls = [e['params']['request']['url'] for e in self.events if e.get('method') == 'Network.requestWillBeSent']
        elsewhere = [url for url in urls if not url.startswith((address, 'data:'))]
        if said or elsewhere or not urls:
            sys.exit(f'the page said {said} and fetched {elsewhere}')


def save(text):
    with open(recipe + '.new', 'w', encoding='utf-8') as file:
        file.write(text)
    os.rename(recipe + '.new', recipe)


with tempfile.TemporaryDirectory() as work:
    server = subprocess.Popen([command, 'serve', recipe, '-q', '--cache-dir', work + '/cache'],
                              stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    address = server.stdout.readline().strip()
    with open(recipe, encoding='utf-8') as file:
        good = file.read()
    page = None
    try:
        page = Page(work + '/profile')
        page.shoot('serve', 700, 700, 'light')
        page.call('Page.navigate', {'url': address})
        page.wait('document.querySelector("img[alt=\'height: heightmap\']")?.naturalWidth > 0')
        page.wait('[...document.querySelectorAll("figure")].some((f) => f.querySelector("table") && f.textContent.includes("score"))')
        page.shoot('serve', 1280, 1400, 'light')
        page.call('Emulation.setDeviceMetricsOverride', {'width': 700, 'height': 400, 'deviceScaleFactor': 1, 'mobile': False})
        page.value('window.mark = document.querySelector("figure"); scrollTo(0, 200)')
        save(good.replace('noise.midpoint', 'noise.<b>midpont'))
        page.wait('document.querySelector("#faults").textContent.includes("there is no node type \'noise.<b>midpont\'")')
        page.wait('document.querySelectorAll("figure.stale img").length > 0 && !document.querySelector("#faults b")')
        if page.value('scrollY < 100'):
            sys.exit('the page has lost its place')
        page.shoot('serve-broken', 1280, 1400, 'dark')
        before = page.value('document.querySelector("figure img").src')
        save(good.replace('size: 192', 'size: 96'))
        page.wait(f'!document.querySelector(".stale") && document.querySelector("figure img").src !== "{before}"')
        if not page.value('document.querySelector("figure") === window.mark'):
            sys.exit('a picture was replaced with all around it')
        page.value('document.querySelector("button.look").click()')
        page.wait('document.querySelector("#full[open] img")?.naturalWidth === 96')
        page.shoot('serve-narrow', 420, 900, 'light')
        page.check_events(address)
        server.terminate()
        server.wait()
        page.wait('!document.querySelector("#gone").hidden')
    finally:
        server.kill()
        if page:
            page.browser.kill()
            page.browser.wait()
print('the page of serve in chromium: pictures in', folder)
