// Keys of other programs, as they store them, are imported by the code of the page, and the user's app signs in.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { secondFactor } from '@postern/account/second-factor'
import { memoryAdapter } from '@postern/adapters/memory'
import email from '@postern/core/providers/email'
import postern from '@postern/fastify'
import { createClock, getCsrf, signInAs } from '@postern/fastify/testing'
import { betterAuth } from 'better-auth'
import { memoryAdapter as betterAuthMemory } from 'better-auth/adapters/memory'
import { twoFactor } from 'better-auth/plugins/two-factor'
import Fastify from 'fastify'
import { createGuardrails, generate, generateSecret } from 'otplib'
import t from 'tap'
import { blocks, settings } from './blocks.mjs'

/** What a module of the page exports. */
async function load(t, file) {
  const block = blocks.find((one) => one.page === 'docs/migration.md' && one.file === file)
  const path = join(t.testdir(), file)
  writeFileSync(path, block.code)
  return import(pathToFileURL(path))
}

/** Imports a key, and removes the app with a code of it: a wrong code is refused. */
async function importAndUse(t, imported, createCode) {
  const clock = createClock()
  const app = Fastify()
  t.teardown(() => app.close())
  const adapter = memoryAdapter()
  await app.register(postern, {
    ...{ secret: settings.AUTH_SECRET, url: 'http://localhost:3000', adapter, runtime: { now: clock.now } },
    ...{ providers: [email({ from: 'app@example.com', server: settings.EMAIL_SERVER })], features: [secondFactor()] }
  })
  const session = await signInAs(app, { email: 'ada@example.com' }, { amr: ['pwd'] })
  const { id } = await adapter.getUserByEmail('ada@example.com')
  const { factors } = app.postern.features
  await factors.importTotp(id, imported)

  const { csrfToken, cookies } = await getCsrf(app, { cookies: session })
  const remove = async (code) => {
    const payload = { csrfToken, code }
    await app.inject({ method: 'POST', url: '/api/auth/factors/totp/remove', cookies, payload })
    return (await factors.list(id)).length === 0
  }
  const code = await createCode(Math.floor(clock.now() / 1000))
  t.equal(await remove(code.replace(/./g, (digit) => String((Number(digit) + 1) % 10))), false, 'a wrong code')
  t.equal(await remove(code), true, code)
}

t.test('better-auth: the key of a row of the table twoFactor', async (t) => {
  const { fromBetterAuth } = await load(t, 'from-better-auth.mts')
  const secret = 'a secret of better-auth, with 32 characters'
  const tables = { user: [], session: [], account: [], verification: [], twoFactor: [] }
  const auth = betterAuth({
    ...{ secret, baseURL: 'http://localhost:3000', telemetry: { enabled: false } },
    ...{ database: betterAuthMemory(tables), emailAndPassword: { enabled: true }, plugins: [twoFactor()] }
  })
  const password = 'a long sentence to remember'
  const body = { email: 'ada@example.com', password, name: 'Ada' }
  const { headers } = await auth.api.signUpEmail({ body, returnHeaders: true })
  const cookie = headers.getSetCookie().map((one) => one.split(';', 1)[0])
  const { totpURI } = await auth.api.enableTwoFactor({
    body: { password },
    headers: new Headers({ cookie: cookie.join('; ') })
  })
  const key = new URL(totpURI).searchParams.get('secret')
  const [row] = tables.twoFactor
  await importAndUse(t, await fromBetterAuth(row, secret), (epoch) => generate({ secret: key, epoch }))
})

t.test('otplib: a key in Base32', async (t) => {
  for (const [length, digits, period] of [
    [20, 6, 30],
    [16, 8, 60]
  ]) {
    const secret = generateSecret({ length })
    await importAndUse(t, { secret, digits, period }, (epoch) => generate({ secret, digits, period, epoch }))
  }
})

/** As `google-authenticator` 1.09 writes them; the file of earlier versions has a key of 16 letters. */
const files = {
  '26 letters': ['YOSVUWGLKONY7QZXKDFBNSL5GM', '" RATE_LIMIT 3 30', '" DISALLOW_REUSE', '" TOTP_AUTH', '98056732'],
  '16 letters': ['JBSWY3DPEHPK3PXP', '" TOTP_AUTH', '40874622'],
  'a minute': ['QB2P7L6OOIU2GUXVZF467ZYIZQ', '" WINDOW_SIZE 3', '" STEP_SIZE 60', '" TOTP_AUTH', '69012563']
}

t.test('Google’s PAM module: the file of a user', async (t) => {
  const { fromPam } = await load(t, 'from-pam.mts')
  for (const [title, lines] of Object.entries(files)) {
    const imported = fromPam(`${lines.join('\n')}\n`)
    t.match(imported, { secret: lines[0], period: title === 'a minute' ? 60 : 30 }, title)
    // Otherwise, otplib refuses keys of 10 bytes.
    const guardrails = createGuardrails({ MIN_SECRET_BYTES: 10 })
    const create = (epoch) => generate({ secret: lines[0], period: imported.period, epoch, guardrails })
    await importAndUse(t, imported, create)
  }
  t.equal(fromPam('JBSWY3DPEHPK3PXP\n" HOTP_COUNTER 1\n98056732\n'), null, 'a counter')
})
