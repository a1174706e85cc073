// The program of the page about a complete application, in two instances on PostgreSQL and Redis, for each kind of id.
// @alone: two registrations of one application.
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { createBrowser, createClock, createIssuer, createMailbox, fromInject } from '@postern/testkit'
import { inTurn } from '@postern/testkit/long'
import { createAuthenticator } from '@postern/testkit/software-authenticator'
import { generateDrizzleJson, generateMigration } from 'drizzle-kit/api'
import { Redis } from 'ioredis'
import { generate } from 'otplib'
import pg from 'pg'
import t from 'tap'
import { blocks, docs, lacks, settings, withDatabase } from './blocks.mjs'
import { compile } from './compile.mjs'

Object.assign(process.env, settings)
const own = blocks.filter(({ page, file }) => page === 'docs/complete.md' && file)
const [schema, program] = own
const folder = join(docs, 'build/complete')
rmSync(folder, { recursive: true, force: true })

const kinds = {
  uuid: schema.code,
  integer: schema.code
    .replace('pgTable, text, timestamp, uuid }', 'integer, pgTable, text, timestamp }')
    .replace("uuid('id').primaryKey().defaultRandom()", "integer('id').primaryKey().generatedAlwaysAsIdentity()")
}

t.test('both schemas compile with the program, which has about 90 lines', async (t) => {
  t.same(
    own.map(({ file }) => file),
    ['schema.mts', 'app.mts']
  )
  t.not(kinds.uuid, kinds.integer)
  const lines = program.code.split('\n')
  t.ok(lines.length - lines.findIndex((line) => line.startsWith('type Role')) <= 95, `${lines.length} lines in all`)
  const files = Object.entries(kinds).flatMap(([kind, code]) => [
    [`${kind}/schema.mts`, code],
    [`${kind}/app.mts`, program.code]
  ])
  const { status, stdout } = compile(join(folder, 'types'), files)
  t.equal(status, 0, stdout)
})

const origin = 'https://app.example.com'
const base = '/api/auth'
const sentence = 'a long sentence to remember'
const [admin, guest, member] = ['ada@example.com', 'grace@example.org', 'joan@company.example']

/** Creates the tables as drizzle-kit does. */
async function createTables(file, url) {
  const statements = await generateMigration(generateDrizzleJson({}), generateDrizzleJson({ ...(await import(file)) }))
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  for (const statement of statements) await client.query(statement)
  return client
}

/** Loads an instance of the program, without its server, with the clock, the mails and the provider of the test. */
async function startInstance(t, file, number) {
  const { app, db, redis } = await import(`${file}?instance=${number}`)
  t.teardown(async () => {
    await app.close()
    redis.disconnect()
    await db.$client.end()
  })
  return app
}

async function start(t, kind, url) {
  const [clock, mailbox] = [createClock(), createMailbox()]
  const issuer = createIssuer({ issuer: 'https://login.company.example', clientId: 'id', clock })
  const own = join(folder, kind)
  mkdirSync(own, { recursive: true })
  const prefix = `postern-docs-${process.pid}-${kind}:`
  writeFileSync(join(own, 'schema.mts'), kinds[kind])
  writeFileSync(
    join(own, 'app.mts'),
    program.code
      .replace("await app.listen({ port: Number(process.env['PORT'] ?? 3000) })", 'export { app, db, redis }')
      .replace('{ client: redis })', `{ client: redis, prefix: '${prefix}' })`)
      .replace(
        'storeClient: redis, ...settings',
        `storeClient: redis, ...settings, keyPrefix: '${prefix}' + settings.keyPrefix`
      )
      .replace('  url,\n', '  url,\n  runtime: (globalThis as any).completeTest,\n')
  )
  const waiting = []
  const sendMail = async (...mail) => {
    await mailbox.sendMail(...mail)
    for (const resolve of waiting.splice(0)) resolve()
  }
  globalThis.completeTest = { now: clock.now, sendMail, fetch: issuer.fetch }
  Object.assign(process.env, { APP_URL: origin, DATABASE_URL: url })
  const client = await createTables(pathToFileURL(join(own, 'schema.mts')).href, url)
  const file = pathToFileURL(join(own, 'app.mts')).href
  const instances = [await startInstance(t, file, 1), await startInstance(t, file, 2)]
  t.teardown(async () => {
    await client.end()
    const redis = new Redis()
    const keys = await redis.keys(`${prefix}*`)
    if (keys.length > 0) await redis.del(keys)
    redis.disconnect()
  })
  let sent = 0
  // Each request of a browser goes to the other instance than the one before.
  const newBrowser = () =>
    createBrowser({ origin, clock, send: (request) => fromInject(instances[sent++ % 2])(request) })
  /** Mails of a closed sign-up are sent in the background. */
  const mailTo = async (to) => {
    for (;;) {
      const mail = mailbox.mails.findLast((mail) => mail.to === to)
      if (mail) return mail
      await new Promise((resolve) => waiting.push(resolve))
    }
  }
  return { client, clock, mailbox, issuer, instances, newBrowser, mailTo }
}

const getUser = async (browser) => (await browser.json(`${base}/session`)).user ?? null

async function signUp(browser, { mailTo }, email) {
  const path = `${base}/password/sign-up`
  await browser.fill(await browser.open(path), path, { email, password: sentence })
  return browser.followAll(await browser.fill(await browser.open((await mailTo(email)).url), 'form'))
}

async function signInAtCompany(browser, { issuer }, person) {
  const away = await browser.submit(`${base}/signin/company`, {})
  const callback = await issuer.authorize(away.location, person)
  return browser.open(callback, { headers: { 'sec-fetch-site': 'cross-site' } })
}

/** Sets up an app at the page that a guard leads to. */
async function enroll(browser, site) {
  const path = `${base}/verify/enroll`
  const read = async () => (await browser.json(path)).props
  const { mail } = await read()
  if (mail === 'send') await browser.submit(path, { send: 'mail' })
  const { key } = await read()
  const secret = key.text.replaceAll(' ', '')
  const code = await generate({ secret, epoch: Math.floor(site.clock.now() / 1000) })
  const mailCode = mail === 'none' ? {} : { mailCode: site.mailbox.last().code }
  await browser.submit(path, { code, ...mailCode })
  return browser.followAll(await browser.submit(path, { saved: 'yes' }))
}

// In `npm test` with one of them: both compile.
for (const kind of inTurn(Object.keys(kinds))()) {
  const skip = await lacks({ code: `${program.code} postgres://` })
  t.test(`one application in two instances, with ids of the kind ${kind}`, { skip }, async (t) => {
    await withDatabase(async (url) => {
      await t.test('everybody uses it', async (t) => {
        const site = await start(t, kind, url)
        const { client, clock, mailbox, instances, newBrowser } = site

        const stranger = newBrowser()
        const path = `${base}/password/sign-up`
        const asked = await stranger.fill(await stranger.open(path), path, { email: guest, password: sentence })
        t.match(asked.location, /check-mail/)
        const nobody = { sub: 'mallory', email: 'mallory@company.example', email_verified: true, name: 'Mallory' }
        t.match((await signInAtCompany(stranger, site, nobody)).location, /AccessDenied/)
        t.same((await client.query('select * from users')).rows, [], 'nobody comes in')

        await client.query('insert into invitations values ($1, $2)', [admin, 'admin'])
        const ada = newBrowser()
        await signUp(ada, site, admin)
        t.match(await getUser(ada), { email: admin, role: 'admin' })
        const guarded = await ada.open('/invitations')
        t.match(guarded.location, /\/verify/, 'the first session has no second factor')
        const again = await ada.followAll(guarded)
        await ada.followAll(await ada.fill(again, `${base}/callback/password`, { password: sentence }))
        t.equal((await enroll(ada, site)).url, `${origin}/invitations`)
        const form = await ada.open('/invitations')
        t.equal(form.status, 200)

        for (const [email, role] of [
          [guest, 'member'],
          [member, 'member']
        ]) {
          const page = (await ada.open('/invitations')).html()
          t.ok(page.querySelector('form[method=post] select[name=role]'))
          const csrfToken = page.querySelector('[name=csrfToken]').getAttribute('value')
          const sent = await ada.submit('/invitations', { csrfToken, email, role })
          t.equal(sent.body, 'The invitation is on its way')
          t.match(mailbox.last(), { to: email, links: [/signin/] })
        }
        t.equal((await ada.submit('/invitations', { email: 'nobody', role: 'member' })).status, 400)
        t.equal((await ada.submit('/invitations', { email: guest, role: 'owner' })).status, 400)

        const joan = newBrowser()
        const employee = { sub: 'joan', email: member, email_verified: true, name: 'Joan' }
        await signInAtCompany(joan, site, employee)
        t.match(await getUser(joan), { email: member, role: 'member' })
        t.equal((await joan.open('/invitations')).status, 403)

        const grace = newBrowser()
        mailbox.mails.length = 0
        await signUp(grace, site, guest)
        t.match((await grace.open('/')).json(), { email: guest, role: 'member' })
        for (const page of ['', '/profile', '/email', '/password', '/passkeys', '/factors', '/devices', '/delete'])
          t.equal((await grace.open(`/settings${page}`)).status, 200, page)

        const authenticator = createAuthenticator({ origin })
        const { options } = await (await grace.submit(`${base}/passkeys/options`, {}, { json: true })).json()
        await grace.submit(`${base}/passkeys`, { credential: authenticator.create(options), name: 'Phone' })
        const phone = newBrowser()
        const request = await phone.json(`${base}/passkey/options`)
        await phone.submit(`${base}/callback/passkey`, { credential: authenticator.get(request) })
        t.match(await getUser(phone), { email: guest }, 'with a passkey')

        const ended = await grace.submit('/settings/devices/end-others', {})
        t.ok(ended.status < 400)
        t.equal(await getUser(phone), null, 'the other instance knows it at once')
        t.match(await getUser(grace), { email: guest })

        const guesser = newBrowser()
        const statuses = []
        for (let tries = 0; tries < 12; tries++) {
          const typed = { email: admin, password: `not this sentence ${tries}` }
          statuses.push((await guesser.submit(`${base}/callback/password`, typed)).status)
        }
        t.same(statuses.indexOf(429), 10, 'both instances count together')

        await instances[0].close()
        const rest = createBrowser({ origin, clock, cookies: grace.cookies, send: fromInject(instances[1]) })
        t.match(await getUser(rest), { email: guest }, 'an instance that ends takes no session with it')

        const { rows } = await client.query('select id, email, role from users order by email')
        t.match(rows, [
          { email: admin, role: 'admin' },
          { email: guest, role: 'member' },
          { email: member, role: 'member' }
        ])
        t.ok(rows.every(({ id }) => typeof id === (kind === 'integer' ? 'number' : 'string')))
        t.same((await client.query('select * from session')).rows, [], 'sessions are in Redis')
      })
    })
  })
}
