// The program of the page about own passwords is driven by a visitor, and its comparison of other hashes by known hashes.
import { spawn } from 'node:child_process'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { createBrowser, freePort, fromFetch } from '@postern/testkit'
import { SMTPServer } from 'smtp-server'
import t from 'tap'
import { blocks, docs, settings } from './blocks.mjs'

const [program, comparison] = blocks.filter(
  ({ page, language }) => page === 'docs/own-passwords.md' && language === 'ts'
)
const folder = join(docs, 'build/own-passwords')

function write(name, code) {
  const file = join(folder, name)
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, code)
  return file
}

/** Quoted-printable (RFC 2045 §6.7). */
const decode = (text) =>
  text
    .replaceAll(/=\r?\n/g, '')
    .replaceAll(/=([0-9A-F]{2})/g, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16)))

/** A mail server that keeps what it gets. */
async function startMailServer(t) {
  const mails = []
  const server = new SMTPServer({
    ...{ disabledCommands: ['AUTH', 'STARTTLS'], disableReverseLookup: true, logger: false },
    onData: (stream, { envelope }, done) => {
      const parts = []
      stream.on('data', (part) => parts.push(part))
      stream.on('end', () => {
        const text = decode(Buffer.concat(parts).toString())
        const to = envelope.rcptTo.map(({ address }) => address).join()
        const url = /http:\/\/localhost:\S+/.exec(text)?.[0] ?? null
        mails.push({ to, text, url, subject: /^Subject: (.*)$/m.exec(text)?.[1] })
        done()
      })
    }
  })
  server.on('error', () => undefined)
  const port = await freePort()
  await new Promise((resolve) => server.listen(port, '127.0.0.1', resolve))
  t.teardown(() => new Promise((resolve) => server.close(resolve)))
  return { mails, url: `smtp://127.0.0.1:${port}` }
}

/** Starts the program. */
async function start(t) {
  const { mails, url } = await startMailServer(t)
  const port = await freePort()
  // Cheaper hashes: the test is not about their cost.
  const code = program.code.replaceAll('3000', String(port)).replace('N: 2 ** 15', 'N: 2 ** 10')
  const file = write(`program-${port}.mts`, code)
  const child = spawn(process.execPath, [file], {
    cwd: folder,
    env: { ...process.env, ...settings, EMAIL_SERVER: url },
    stdio: ['ignore', 'inherit', 'inherit']
  })
  t.teardown(() => child.kill())
  const origin = `http://localhost:${port}`
  while (child.exitCode === null && !(await fetch(`${origin}/api/auth/csrf`).catch(() => null)))
    await new Promise((resolve) => setTimeout(resolve, 50))
  const newBrowser = () => createBrowser({ origin, send: fromFetch(fetchAt) })
  const fetchAt = (request) => fetch(request, { redirect: 'manual' })
  return { newBrowser, mails, origin }
}

const first = 'a long sentence to remember'
const second = 'another sentence to remember'
const ada = 'ada@example.com'

const ask = async (browser, email) => browser.fill(await browser.open('/password/start'), '/password/start', { email })
const choose = async (browser, { url }, password) =>
  browser.fill(await browser.open(url), '/password/choose', { password })
const signIn = async (browser, email, password) =>
  browser.fill(await browser.open('/api/auth/signin'), '/api/auth/callback/credentials', { email, password })
const getAddress = async (browser) => (await browser.json('/api/auth/session')).user?.email ?? null
async function canSignIn(newBrowser, email, password) {
  const browser = newBrowser()
  await signIn(browser, email, password)
  return (await getAddress(browser)) === email
}

t.test('own passwords: sign up, forget, reset, change', async (t) => {
  rmSync(folder, { recursive: true, force: true })
  const { newBrowser, mails, origin } = await start(t)
  const browser = newBrowser()
  const unknown = await ask(browser, ada)
  t.match(mails, [{ to: ada, subject: /Sign up/ }])
  t.equal(await getAddress(browser), null)
  const [signUp] = mails
  for (let count = 0; count < 2; count++) t.equal((await newBrowser().open(signUp.url)).status, 200, 'a scanner')
  t.equal((await choose(browser, signUp, 'short')).status, 400)
  const done = await choose(browser, signUp, first)
  t.match({ status: done.status, location: done.location }, { status: 303, location: origin })
  t.equal(await getAddress(browser), ada)
  t.equal((await newBrowser().open(signUp.url)).status, 400, 'a link is used once')
  t.ok(await canSignIn(newBrowser, ada, first))
  t.notOk(await canSignIn(newBrowser, ada, second))
  t.notOk(await canSignIn(newBrowser, 'nobody@example.com', first))

  const stranger = newBrowser()
  const known = await ask(stranger, ada)
  t.equal(known.status, unknown.status)
  t.equal(known.body, unknown.body, 'the response does not show who has an account')
  t.equal(mails.length, 2)
  const reset = mails.at(-1)
  t.match(reset.subject, /New password/)
  const withoutToken = await stranger.post(
    '/password/choose',
    `${new URLSearchParams({ purpose: 'reset', token: new URL(reset.url).searchParams.get('token'), password: second })}`
  )
  t.equal(withoutToken.status, 403, 'a form needs its CSRF token')
  const asSignUp = await stranger.open(reset.url.replace('purpose=reset', 'purpose=sign-up'))
  t.equal(asSignUp.status, 400, 'a token has one purpose')
  await choose(stranger, reset, second)
  t.equal(await getAddress(stranger), null, 'a reset signs nobody in')
  t.equal(await getAddress(browser), null, 'and ends all sessions')
  t.match(mails.at(-1), { to: ada, subject: /was changed/ })
  t.ok(await canSignIn(newBrowser, ada, second))
  t.notOk(await canSignIn(newBrowser, ada, first))

  const [here, there] = [newBrowser(), newBrowser()]
  for (const one of [here, there]) await signIn(one, ada, second)
  await ask(newBrowser(), ada)
  const pending = mails.at(-1)
  t.equal((await here.fill(await here.open('/password'), '/password', { password: first })).status, 200)
  t.equal(await getAddress(here), ada)
  t.equal(await getAddress(there), null, 'a change ends the other sessions')
  t.equal((await newBrowser().open(pending.url)).status, 400, 'and the links of resets')
  t.ok(await canSignIn(newBrowser, ada, first))
})

t.test('own passwords: the links of an attacker sign nobody else up', async (t) => {
  const { newBrowser, mails } = await start(t)
  const [attacker, owner] = [newBrowser(), newBrowser()]
  await ask(attacker, ada)
  const [asked] = mails
  await ask(owner, ada)
  await choose(owner, mails.at(-1), second)
  t.equal(await getAddress(owner), ada)
  t.equal((await choose(owner, asked, first)).status, 400, 'the address has a user by then')
  t.notOk(await canSignIn(newBrowser, ada, first))
  t.ok(await canSignIn(newBrowser, ada, second))
})

t.test('hashes of other programs', async (t) => {
  process.env.FIREBASE_SIGNER_KEY =
    'jxspr8Ki0RYycVU8zykbdLGjFQ3McFUH0uiiTvC8pVMXAn210wjLNmdZJzxUECKbm0QsEmYUSDzZvpjeJ9WmXA=='
  const { verifyLegacy } = await import(write('comparison.mts', comparison.code))
  const known = [
    // The vectors of jBCrypt, and a hash of Auth0's kind.
    ['a', '$2a$06$m0CrhHm10qJ3lXRY.5zDGO3rS2KdeeWLuGmsfGlMfOxih58VYVfxe'],
    ['abc', '$2a$06$If6bvum7DFjUnE9p2uDeDu0YHzrHM6tf.iqN8.yx.jNN1ILEf7h0i'],
    // Python's hashlib.pbkdf2_hmac('sha256', 'lètmein', 'seasalt', 10000), as Django stores it.
    ['lètmein', 'pbkdf2_sha256$10000$seasalt$CWWFdHOWwPnki7HvkcqN9iA2T3KLW1cf2uZ5kvArtVY='],
    // The example of Firebase's own program: https://github.com/firebase/scrypt
    [
      'user1password',
      'firebase$42xEC+ixf3L2lw==$lSrfV15cpx95/sZS2W9c9Kp6i/LVgQNDNC/qzrCnh1SAyZvqmZqAjTdn3aoItz+VHjoZilo78198JAdRuid5lQ=='
    ]
  ]
  for (const [password, hash] of known) {
    t.equal(await verifyLegacy(hash, password), true, hash)
    t.equal(await verifyLegacy(hash, `${password} `), false, hash)
    t.equal(await verifyLegacy(hash, ''), false, hash)
  }
  for (const hash of ['', 'plain', 'pbkdf2_sha256$1$a$', 'firebase$$', '$2b$'])
    t.notOk(await verifyLegacy(hash, 'plain').catch(() => false), hash)
})
