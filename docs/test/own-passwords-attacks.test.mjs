// The program of the page about own passwords is attacked in this process, with injected clock and mailbox.
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pathToFileURL } from 'node:url'
import { createBrowser, createClock, createMailbox, fromInject } from '@postern/testkit'
import t from 'tap'
import { blocks, docs, settings } from './blocks.mjs'

Object.assign(process.env, settings)
const [program, comparison] = blocks.filter(
  ({ page, language }) => page === 'docs/own-passwords.md' && language === 'ts'
)
const folder = join(docs, 'build/own-passwords-attacks')
mkdirSync(folder, { recursive: true })

const origin = 'http://localhost:3000'
const first = 'a long sentence to remember'
const second = 'another sentence to remember'
const third = 'a third sentence to remember'
const ada = 'ada@example.com'
const evil = 'mallory@evil.test'
let count = 0

/** Loads the program without its server. */
async function start(t, options = {}) {
  const [clock, mailbox] = [createClock(), createMailbox()]
  const control = { runtime: { now: clock.now, sendMail: mailbox.sendMail }, hashes: 0, options, whileHashing: null }
  const id = `control${++count}`
  globalThis[id] = control
  const code = program.code
    .replace('await app.listen({ port: 3000 })', 'export { app, adapter, hashes }')
    .replace('  url: origin,\n', `  url: origin,\n  runtime: ${id}.runtime, ...${id}.options,\n`)
    .replace('N: 2 ** 15', 'N: 2 ** 10')
    .replace(
      '  const key = await derive(',
      `  ${id}.hashes++\n  await ${id}.whileHashing?.()\n  const key = await derive(`
    )
    .replace('import Fastify', `const ${id} = (globalThis as any).${id}\nimport Fastify`)
  const file = join(folder, `${id}.mts`)
  writeFileSync(file, code)
  const { app, adapter, hashes } = await import(pathToFileURL(file).href)
  t.teardown(() => app.close())
  // As another form of the application creates users: nobody has verified the address.
  app.post('/join', async (request, reply) => {
    const { id } = await adapter.createUser({ name: null, email: request.body.email, emailVerified: null })
    return app.postern.signIn(request, reply, id)
  })
  app.post('/enter', async (request, reply) => app.postern.signIn(request, reply, request.body.id))
  const newBrowser = () => createBrowser({ origin, clock, send: fromInject(app) })
  return { app, adapter, hashes, clock, mailbox, newBrowser, control }
}

const ask = async (browser, email) => browser.fill(await browser.open('/password/start'), '/password/start', { email })
const choose = async (browser, { url }, password) =>
  browser.fill(await browser.open(url), '/password/choose', { password })
const signIn = async (browser, email, password) =>
  browser.fill(await browser.open('/api/auth/signin'), '/api/auth/callback/credentials', { email, password })
const getAddress = async (browser) => (await browser.json('/api/auth/session')).user?.email ?? null
async function canSignIn({ newBrowser, clock }, email, password) {
  // A form of the millisecond in which sessions end is refused.
  clock.advance(0.001)
  const browser = newBrowser()
  await signIn(browser, email, password)
  return (await getAddress(browser)) === email
}
const json = { 'content-type': 'application/json' }
const getToken = async (browser) => (await browser.json('/api/auth/csrf')).csrfToken

/** A user who has signed up through the program. */
async function createUser(started, email = ada, password = first) {
  const browser = started.newBrowser()
  await ask(browser, email)
  await choose(browser, started.mailbox.last(), password)
  return browser
}

async function signInByMail({ mailbox }, browser, email) {
  await browser.submit('/api/auth/signin/email', { email })
  return browser.open(mailbox.last().url)
}

/** Sends the headers of a form at once and its body later. */
async function sendSlowly({ app }, browser, path, fields) {
  const csrfToken = await getToken(browser)
  const cookie = browser.cookies.header({ url: new URL(path, origin), method: 'POST', site: 'same-origin' }) ?? ''
  const payload = new Readable({ read: () => undefined })
  const body = `${new URLSearchParams({ ...fields, csrfToken })}`
  const headers = {
    cookie,
    origin,
    'sec-fetch-site': 'same-origin',
    'content-type': 'application/x-www-form-urlencoded',
    'content-length': String(body.length)
  }
  const response = app.inject({ method: 'POST', url: path, headers, payload })
  response.catch(() => undefined)
  // The guard has run once the application waits for the body.
  for (let turn = 0; turn < 50; turn++) await new Promise((resolve) => setImmediate(resolve))
  return () => {
    payload.push(body)
    payload.push(null)
    return response
  }
}

t.test('attack: a change whose body arrives after the owner has reclaimed the user', async (t) => {
  const started = await start(t)
  const attacker = started.newBrowser()
  await attacker.post('/join', JSON.stringify({ email: ada }), json)
  t.equal(await getAddress(attacker), ada)
  const finish = await sendSlowly(started, attacker, '/password', { password: second })
  const owner = started.newBrowser()
  await signInByMail(started, owner, ada)
  t.equal(await getAddress(owner), ada)
  const response = await finish()
  t.equal(response.statusCode, 401)
  t.notOk(await canSignIn(started, ada, second), 'the attacker has no password')
  t.equal(await getAddress(owner), ada, 'the owner stays signed in')
})

t.test('attack: a change by a thief whose body arrives after the owner has reset the password', async (t) => {
  const started = await start(t)
  const thief = await createUser(started)
  const finish = await sendSlowly(started, thief, '/password', { password: third })
  const owner = started.newBrowser()
  await ask(owner, ada)
  await choose(owner, started.mailbox.last(), second)
  t.equal(await getAddress(thief), null)
  const response = await finish()
  t.equal(response.statusCode, 401)
  t.notOk(await canSignIn(started, ada, third), 'the thief has no password')
  t.ok(await canSignIn(started, ada, second))
})

t.test('attack: a change by a thief overtaken while its password is hashed', async (t) => {
  const started = await start(t)
  const thief = await createUser(started)
  const page = await thief.open('/password')
  const owner = started.newBrowser()
  await ask(owner, ada)
  const reset = started.mailbox.last()
  started.control.whileHashing = async () => {
    started.control.whileHashing = null
    await choose(owner, reset, second)
  }
  const response = await thief.fill(page, '/password', { password: third })
  t.equal(response.status, 401)
  t.notOk(await canSignIn(started, ada, third), 'the thief has no password')
  t.ok(await canSignIn(started, ada, second))
})

t.test('attack: a user whose address is not verified sets no password', async (t) => {
  const started = await start(t)
  const { adapter } = started
  const attacker = started.newBrowser()
  await attacker.post('/join', JSON.stringify({ email: ada }), json)
  const response = await attacker.submit('/password', { password: second })
  t.equal(response.status, 403, 'an unverified user sets no password')
  t.equal((await adapter.getUserByEmail(ada)).emailVerified, null)
})

t.test('attack: a reset link from before the address was given up works for nobody', async (t) => {
  const started = await start(t)
  const { adapter, mailbox } = started
  const attacker = await createUser(started, evil)
  await ask(attacker, evil)
  const old = mailbox.last()
  const { id } = await adapter.getUserByEmail(evil)
  // A profile form of the application, which does not revoke tokens: the address is not verified.
  await adapter.updateUser({ id, email: ada, emailVerified: null })
  const owner = started.newBrowser()
  await signInByMail(started, owner, ada)
  t.equal(await getAddress(owner), ada, 'the owner has reclaimed the user')
  t.notOk(await canSignIn(started, ada, first), 'the claim deletes the password')
  t.equal((await started.newBrowser().open(old.url)).status, 400)
  t.notOk(await canSignIn(started, ada, second), 'a claim ends the links of resets')
})

t.test('attack: a sign-in with the old password that overlaps a reset or a change', async (t) => {
  for (const how of ['reset', 'change']) {
    const started = await start(t)
    const { control, mailbox, newBrowser, clock } = started
    const owner = await createUser(started)
    const thief = newBrowser()
    const page = await thief.open('/api/auth/signin')
    await ask(owner, ada)
    const link = mailbox.last()
    clock.advance(5)
    control.whileHashing = async () => {
      control.whileHashing = null
      // The old hash was read; the owner changes the password before the comparison ends.
      clock.advance(1)
      if (how === 'reset') await choose(newBrowser(), link, second)
      else t.equal((await owner.fill(await owner.open('/password'), '/password', { password: second })).status, 200)
      clock.advance(1)
    }
    await thief.fill(page, '/api/auth/callback/credentials', { email: ada, password: first })
    t.equal(control.whileHashing, null)
    t.equal(await getAddress(thief), null, `${how}: the old password signs nobody in`)
  }
})

t.test('attack: markup in a token, repeated and strange fields', async (t) => {
  const started = await start(t)
  const { mailbox, newBrowser } = started
  const owner = await createUser(started)
  await ask(owner, ada)
  const link = new URL(mailbox.last().url)
  const token = link.searchParams.get('token')
  for (const value of [`${token}"><script>alert(1)</script>`, ` ${token}`, `${token}\0`, `"><b>`])
    t.equal(
      (await owner.open(`/password/choose?${new URLSearchParams({ purpose: 'reset', token: value })}`)).status,
      400
    )
  const page = await owner.open(`/password/choose?purpose=${encodeURIComponent('"><b>')}&token=${token}`)
  t.notMatch(page.body, '<b>')
  const browser = newBrowser()
  const csrfToken = await getToken(browser)
  const send = (path, body, type = 'application/x-www-form-urlencoded') =>
    browser.post(path, body, { 'content-type': type })
  t.equal((await send('/password/start', `email=${ada}&email=${evil}&csrfToken=${csrfToken}`)).status, 400)
  const sent = mailbox.mails.length
  const arrays = await send('/password/start', JSON.stringify({ email: [ada], csrfToken }), 'application/json')
  t.ok([200, 400].includes(arrays.status))
  t.ok(mailbox.mails.slice(sent).every(({ to }) => to === ada))
  t.equal(
    (
      await send(
        '/password/choose',
        `purpose=reset&token=${token}&password=${second}&password=x&csrfToken=${csrfToken}`
      )
    ).status,
    400
  )
  const objects = { purpose: ['sign-up'], token: [token], password: second, csrfToken }
  t.equal((await send('/password/choose', JSON.stringify(objects), 'application/json')).status, 400)
})

t.test('attack: a link for one purpose serves no other', async (t) => {
  const started = await start(t)
  const { mailbox, newBrowser } = started
  const browser = newBrowser()
  await ask(browser, ada)
  const signUp = new URL(mailbox.last().url).searchParams.get('token')
  t.equal((await browser.submit('/password/choose', { purpose: 'reset', token: signUp, password: second })).status, 400)
  await createUser(started)
  await ask(browser, ada)
  const reset = new URL(mailbox.last().url).searchParams.get('token')
  t.equal(
    (await browser.submit('/password/choose', { purpose: 'sign-up', token: reset, password: second })).status,
    400
  )
  t.equal(
    (await browser.submit('/password/choose', { purpose: 'sign-up', token: signUp, password: second })).status,
    400
  )
  t.ok(await canSignIn(started, ada, first))
})

t.test('attack: sign-up in a browser that is signed in as somebody else', async (t) => {
  const started = await start(t)
  const browser = await createUser(started, evil, second)
  await ask(browser, ada)
  await choose(browser, started.mailbox.last(), first)
  t.equal(await getAddress(browser), ada)
  t.notOk(await canSignIn(started, ada, second))
  t.notOk(await canSignIn(started, evil, first))
})

t.test('attack: a user whom the signIn callback refuses', async (t) => {
  const started = await start(t, { callbacks: { signIn: ({ user }) => !user.email.endsWith('@evil.test') } })
  const browser = started.newBrowser()
  await ask(browser, evil)
  const response = await choose(browser, started.mailbox.last(), first).catch((error) => error)
  t.equal(response.status, 403)
  t.equal(await getAddress(browser), null)
})

t.test('attack: a suspended user resets, and signs in neither before nor after', async (t) => {
  const started = await start(t)
  const { app, adapter, mailbox, newBrowser } = started
  await createUser(started)
  const browser = newBrowser()
  await ask(browser, ada)
  const old = mailbox.last()
  const { id } = await adapter.getUserByEmail(ada)
  await app.postern.users.suspend(id)
  t.equal((await browser.open(old.url)).status, 400)
  t.notOk(await canSignIn(started, ada, first))
  const known = await ask(browser, ada)
  t.equal(known.status, 200)
  await choose(browser, mailbox.last(), second)
  t.notOk(await canSignIn(started, ada, second))
})

t.test('attack: two sign-ups with the links of one address at once', async (t) => {
  const started = await start(t)
  const { mailbox, newBrowser, hashes } = started
  const [one, other] = [newBrowser(), newBrowser()]
  await ask(one, ada)
  await ask(other, ada)
  const [a, b] = mailbox.mails
  const responses = await Promise.all([choose(one, a, first), choose(other, b, second)])
  t.same(responses.map(({ status }) => status).toSorted(), [303, 400])
  t.equal(hashes.size, 1)
  t.equal([await getAddress(one), await getAddress(other)].filter((found) => found === ada).length, 1)
})

t.test('attack: a step-up is not satisfied by a session that is not fresh', async (t) => {
  const started = await start(t)
  const browser = await createUser(started)
  started.clock.advance(601)
  const page = await browser.open('/password')
  t.match(page.location, /\/verify/)
  const refused = await browser.submit('/password', { password: second })
  t.match(refused.location ?? refused.body, /verify|INSUFFICIENT/)
  t.ok(await canSignIn(started, ada, first))
})

t.test('attack: anonymous clients cause no hashes without a link', async (t) => {
  const started = await start(t)
  const { control, newBrowser } = started
  await createUser(started)
  const browser = newBrowser()
  const before = control.hashes
  for (let count = 0; count < 20; count++)
    await browser.submit('/password/choose', { purpose: 'reset', token: 'a'.repeat(43), password: second })
  t.equal(control.hashes - before, 0)
})

t.test('attack: a mail goes to the address of the user, not to one that the store considers equal', async (t) => {
  const started = await start(t)
  const { adapter, mailbox, newBrowser } = started
  await adapter.createUser({ name: null, email: 'ada@exámple.com', emailVerified: new Date() })
  const { getUserByEmail } = adapter
  // A collation that ignores accents, such as utf8mb4_0900_ai_ci of MySQL.
  adapter.getUserByEmail = async (email) => (email === ada ? getUserByEmail('ada@exámple.com') : getUserByEmail(email))
  await ask(newBrowser(), ada)
  t.match(mailbox.mails, [{ to: 'ada@xn--exmple-qta.com', subject: /New password/ }])
})

t.test('attack: anonymous clients fill the store beyond the limits of mails', async (t) => {
  const { adapter, newBrowser, mailbox } = await start(t)
  const stored = new Set()
  const { createTicket, consumeTicket, deleteTickets } = adapter
  const getKey = ({ kind, id }) => `${kind} ${id}`
  Object.assign(adapter, {
    createTicket: async (ticket) => {
      await createTicket(ticket)
      if (ticket.userId === ada) stored.add(getKey(ticket))
    },
    consumeTicket: async (ticket) => {
      stored.delete(getKey(ticket))
      return consumeTicket(ticket)
    },
    deleteTickets: async (userId, kind) => {
      if (userId === ada) stored.clear()
      return deleteTickets(userId, kind)
    }
  })
  const browser = newBrowser()
  for (let count = 0; count < 40; count++) await browser.submit('/password/start', { email: ada })
  t.equal(mailbox.mails.length, 5)
  t.ok(stored.size <= 5, `${stored.size} tokens`)
})

t.test('attack: a body that is no form', async (t) => {
  const { newBrowser } = await start(t)
  const browser = newBrowser()
  const csrfToken = await getToken(browser)
  for (const path of ['/password/start', '/password/choose']) {
    const { status } = await browser.post(path, 'null', { ...json, 'x-csrf-token': csrfToken })
    t.ok(status < 500, `${path}: ${status}`)
  }
})

t.test('attack: an empty hash, where the parameters of Firebase are not configured', async (t) => {
  delete process.env.FIREBASE_SIGNER_KEY
  const file = join(folder, 'comparison.mts')
  writeFileSync(file, comparison.code)
  const { verifyLegacy } = await import(pathToFileURL(file).href)
  // The columns of a user who signed in with Google are empty in auth:export.
  for (const hash of ['firebase$$', 'firebase$c2FsdA==$'])
    await t.rejects(verifyLegacy(hash, 'anything'), /FIREBASE_SIGNER_KEY/, hash)
})

t.test('attack: a sign-up that the signIn callback refuses leaves no user and no password', async (t) => {
  const { adapter, hashes, mailbox, newBrowser } = await start(t, { callbacks: { signIn: () => false } })
  const browser = newBrowser()
  await ask(browser, evil)
  t.equal((await choose(browser, mailbox.last(), first)).status, 403)
  t.equal(await adapter.getUserByEmail(evil), null)
  t.equal(hashes.size, 0)
})

t.test('attack: a sign-up that the signIn callback redirects leaves no user and no password', async (t) => {
  const { adapter, hashes, mailbox, newBrowser } = await start(t, { callbacks: { signIn: () => '/refused' } })
  const browser = newBrowser()
  await ask(browser, evil)
  t.match((await choose(browser, mailbox.last(), first)).location, /\/refused$/)
  t.equal(await adapter.getUserByEmail(evil), null)
  t.equal(hashes.size, 0)
})

t.test('attack: a thief changes the password without a notice, by signing out meanwhile', async (t) => {
  const started = await start(t)
  const { adapter, mailbox, newBrowser } = started
  await createUser(started)
  const thief = newBrowser()
  await signIn(thief, ada, first)
  const [page, leaving] = [await thief.open('/password'), await thief.open('/api/auth/signout')]
  const { deleteTickets } = adapter
  let isDue = true
  // The store takes its time to revoke the links of resets.
  adapter.deleteTickets = async (userId, kind) => {
    if (isDue && kind?.startsWith('one-time-token.')) {
      isDue = false
      await thief.fill(leaving, '/api/auth/signout')
    }
    return deleteTickets(userId, kind)
  }
  await thief.fill(page, '/password', { password: second })
  t.equal(isDue, false, 'it overlapped')
  const isChanged = await canSignIn(started, ada, second)
  t.ok(!isChanged || /was changed/.test(mailbox.last().subject), 'the owner gets a notice of every change')
})
