// The program of the page about passwords with fields in the form of a sign-up is used by a visitor.
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { createBrowser, createClock, createMailbox, fromInject } from '@postern/testkit'
import t from 'tap'
import { blocks, docs, settings } from './blocks.mjs'

Object.assign(process.env, settings)
const program = blocks.find(({ page, code }) => page === 'docs/passwords.md' && code.includes('sqliteTable'))
const folder = join(docs, 'build/sign-up-fields')
mkdirSync(folder, { recursive: true })

const origin = 'http://localhost:3000'
const path = '/api/auth/password/sign-up'

t.test('what a visitor types is in the columns of the user', async (t) => {
  const [clock, mailbox] = [createClock(), createMailbox()]
  globalThis.fieldsTest = { now: clock.now, sendMail: mailbox.sendMail }
  const code = program.code
    .replace('await app.listen({ port: 3000 })', 'export { app, adapter }')
    .replace("  url: 'http", "  runtime: (globalThis as any).fieldsTest,\n  url: 'http")
  const file = join(folder, 'program.mts')
  writeFileSync(file, code)
  const { app, adapter } = await import(pathToFileURL(file).href)
  t.teardown(() => app.close())
  const browser = createBrowser({ origin, clock, send: fromInject(app) })
  const typed = { email: 'ada@example.com', password: 'a long sentence to remember', plan: 'pro', terms: 'on' }
  const refused = await browser.fill(await browser.open(path), path, { ...typed, company: 'Example' })
  t.match([refused.status, refused.body], [400, /Enter your own company/])
  await browser.fill(refused, path, { ...typed, company: 'Analytical Engines' })
  await browser.fill(await browser.open(mailbox.last().url), 'form')
  t.match(await adapter.getUserByEmail(typed.email), {
    ...{ company: 'Analytical Engines', plan: 'pro', terms: true, emailVerified: Date }
  })
})
