#!/usr/bin/env bash
# Chromium 156 (Debian) states that it creates passkeys without a question, and cannot without Google Password Manager.
#
# A page asks `PublicKeyCredential.getClientCapabilities()`, which states `conditionalCreate: true`, and then for a passkey with
# `mediation: 'conditional'` (WebAuthn Level 3, section 5.1.3). A browser without a password manager that could keep one rejects the
# request with NotSupportedError. With an authenticator that a test adds through the DevTools protocol, which gives any other passkey
# at once, the request stays open. So the capability says what the browser knows, not what it will do, a page must expect both ends,
# and a test in Chromium cannot see such a passkey created.
#
# Seen: the capability is true; without an authenticator NotSupportedError; with one, a passkey that is asked for in the usual way is
# created, and one without a question is open after 3 seconds.
# Needs Node 20 or later, npm and the npm registry, and Debian's chromium or chromium-headless-shell. Fails if the behavior has changed.
set -euo pipefail

browser=$(command -v chromium-headless-shell || command -v chromium)
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
echo '{"private":true,"type":"module"}' >package.json
npm install --silent --no-audit --no-fund --ignore-scripts playwright-core@1.65.1

cat >run.js <<'JS'
import { createServer } from 'node:http'
import { chromium } from 'playwright-core'

const server = createServer((_, response) => response.setHeader('content-type', 'text/html').end('<!doctype html><title>page</title>'))
await new Promise((resolve) => server.listen(0, resolve))
const browser = await chromium.launch({ executablePath: process.argv[2], args: ['--no-sandbox', '--disable-gpu'] })
const page = await browser.newPage()
await page.goto(`http://localhost:${server.address().port}`)

const ask = (mediation) =>
  page.evaluate(async (mediation) => {
    const publicKey = {
      rp: { name: 'page', id: 'localhost' },
      user: { id: new Uint8Array(16), name: 'ada@example.com', displayName: 'Ada' },
      challenge: new Uint8Array(32),
      pubKeyCredParams: [{ type: 'public-key', alg: -7 }],
      authenticatorSelection: { residentKey: 'required', userVerification: 'preferred' }
    }
    const stop = new AbortController()
    const created = navigator.credentials.create({ publicKey, mediation, signal: stop.signal })
    const open = new Promise((resolve) => setTimeout(resolve, 3000, 'open'))
    const end = await Promise.race([created.then(() => 'created', (error) => error.name), open])
    stop.abort()
    return end
  }, mediation)

const capabilities = await page.evaluate(() => PublicKeyCredential.getClientCapabilities())
const without = await ask('conditional')
const devTools = await page.context().newCDPSession(page)
await devTools.send('WebAuthn.enable', { enableUI: false })
const options = {
  protocol: 'ctap2',
  transport: 'internal',
  hasResidentKey: true,
  hasUserVerification: true,
  isUserVerified: true,
  automaticPresenceSimulation: true
}
await devTools.send('WebAuthn.addVirtualAuthenticator', { options })
const seen = {
  version: browser.version(),
  conditionalCreate: capabilities.conditionalCreate,
  without,
  usual: await ask('optional'),
  withoutQuestion: await ask('conditional')
}
console.error(JSON.stringify(seen))
await browser.close()
server.close()
const expected = { conditionalCreate: true, without: 'NotSupportedError', usual: 'created', withoutQuestion: 'open' }
process.exit(Object.entries(expected).every(([name, value]) => seen[name] === value) ? 0 : 1)
JS
node run.js "$browser"
