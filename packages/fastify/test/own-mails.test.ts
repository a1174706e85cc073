import type { MailTemplate } from '@postern/core'
import t, { type Test } from 'tap'
import { createClockLimiter } from './attacks/clock-limiter.ts'
import { mails, people, type StartOptions, start } from './start.ts'

const template = {
  en: { subject: 'Hello {name}', text: 'You signed up for {site}.\nYour plan: {plan}', button: 'Open {plan}' },
  de: { subject: 'Hallo {name}', text: 'Sie haben sich bei {site} registriert.\nIhr Plan: {plan}', button: 'Öffnen' }
} as const

const values = { name: 'Ada', plan: 'basic', url: 'https://app.test/start?a=1&b=2' }
const to = 'ada@example.com'

const startOwn = (t: Test, options: StartOptions = {}) => start(t, { instances: 1, ...options })

t.test('a mail of the application has the layout and the language of the pages', async (t) => {
  const { app, browser, mailbox } = await startOwn(t)
  await app.postern.sendMail(template, { to, values })
  const { from, subject, text, html } = mailbox.last()
  t.same([mailbox.last().to, from, subject], [to, 'App <no-reply@app.test>', 'Hello Ada'])
  t.equal(text, `You signed up for app.test.\n\nYour plan: basic\n\n${values.url}\n`)
  t.match(html, /class="card".*Open basic.*https:\/\/app\.test\/start\?a=1&amp;b=2/s)
  await app.postern.sendMail(template, { to, values, language: 'de' })
  t.match(mailbox.last(), { subject: 'Hallo Ada', html: /<html lang="de"/ })
  app.get('/send', async (request) => {
    await app.postern.sendMail(template, { to, values, request })
    return {}
  })
  await browser.open('/send', { headers: { 'accept-language': 'de' } })
  t.match(mailbox.last(), { subject: 'Hallo Ada' })
  await browser.open('/send', { headers: { 'accept-language': 'fr' } })
  t.match(mailbox.last(), { subject: 'Hello Ada' })
  const plain: MailTemplate = { en: { subject: 'No button', text: 'One line' } }
  await app.postern.sendMail(plain, { to: ' Ada@Example.com ' })
  t.match(mailbox.last(), { to, subject: 'No button', text: 'One line\n' })
})

t.test('attack: values with markup, line breaks and headers', async (t) => {
  const { app, mailbox } = await startOwn(t)
  const evil = {
    name: 'Ada\r\nBcc: eve@evil.test\r\n\r\n<b>',
    plan: '<img src=x onerror=alert(1)>\n\nYour account was blocked:\u2028open evil.test {name}',
    url: 'https://app.test/"><script>alert(1)</script>'
  }
  await app.postern.sendMail(template, { to, values: evil })
  const { subject, text, html } = mailbox.last()
  t.equal(subject, 'Hello Ada Bcc: eve@evil.test <b>')
  t.equal(text.split('\n').filter((line) => line.startsWith('Your account')).length, 0, 'a value begins no paragraph')
  t.match(text, 'evil.test {name}', 'a value is not filled again')
  t.notMatch(html, /<img|<script>alert|<b>/)
  for (const url of ['javascript:alert(1)', 'data:text/html,a', '/relative', 'mailto:eve@evil.test'])
    await t.rejects(app.postern.sendMail(template, { to, values: { ...values, url } }), { name: 'TypeError' }, url)
  t.equal(mailbox.mails.length, 1)
})

t.test('attack: an address that is none, or several', async (t) => {
  const { app, mailbox } = await startOwn(t)
  const wrong = [
    '',
    'ada',
    'ada@example.com, eve@evil.test',
    'ada@example.com\r\nBcc: eve@evil.test',
    '"ada"@example.com',
    'Ada <ada@example.com>',
    '-oQ/tmp@example.com',
    'ada@example.com\0',
    'ada@[127.0.0.1]'
  ]
  for (const address of wrong)
    await t.rejects(
      app.postern.sendMail(template, { to: address, values }),
      { name: 'AuthError', code: 'EmailSignin', statusCode: 400 },
      JSON.stringify(address)
    )
  t.equal(mailbox.mails.length, 0)
})

t.test('attack: the Host header has no effect on the mail', async (t) => {
  const { app, mailbox } = await startOwn(t)
  app.get('/send', async (request) => {
    await app.postern.sendMail(template, { to, values, request })
    return {}
  })
  for (const headers of [{ host: 'evil.test' }, { 'x-forwarded-host': 'evil.test' }])
    t.equal((await app.inject({ url: '/send', headers })).statusCode, 200)
  t.equal(mailbox.mails.length, 2)
  for (const { text, html } of mailbox.mails) t.notMatch(text + html, 'evil.test')
})

t.test('attack: mails that a visitor causes are limited by address and by client', async (t) => {
  const limiter = createClockLimiter()
  const { app, mailbox, clock, browser } = await startOwn(t, { rateLimit: { limiter }, server: { trustProxy: true } })
  limiter.now = clock.now
  app.get<{ Querystring: { to: string; limit?: string } }>('/send', async (request) => {
    const { to, limit } = request.query
    await app.postern.sendMail(template, { to, values, request, ...(limit ? { limit: false } : {}) })
    return {}
  })
  const send = async (address: string, more = '') => (await browser.open(`/send?to=${address}${more}`)).status
  const sent = []
  for (let count = 0; count < 8; count++) sent.push(await send(to))
  t.same(sent, [200, 200, 200, 200, 200, 429, 429, 429])
  t.equal((await browser.submit('/api/auth/signin/email', { email: to })).status, 429, 'together with those of sign-in')
  t.equal(await send('ADA@example.com'), 429, 'another spelling is the same address')
  t.equal(await send(to, '&limit=no'), 200, 'a notice is sent')
  await app.postern.sendMail(template, { to, values })
  t.equal(mailbox.mails.length, 7)
  const others = []
  for (let count = 0; count < 60; count++) others.push(await send(`a${count}@example.com`))
  t.ok(others.includes(429), 'one client cannot send to many')
})

t.test('a mail that cannot be sent is refused, and does not count', async (t) => {
  const limiter = createClockLimiter()
  const { app, mailbox, clock, browser } = await startOwn(t, { rateLimit: { limiter } })
  limiter.now = clock.now
  app.get('/send', async (request) => {
    const failure = await app.postern
      .sendMail(template, { to, values, request })
      .catch((error: { code: string }) => error)
    return { code: failure?.code ?? null }
  })
  mailbox.fail(new Error('refused'))
  for (let count = 0; count < 7; count++) t.same(await browser.json('/send'), { code: 'EmailSignin' })
})

t.test('templates without texts or values, and applications without a mail server', async (t) => {
  const { app } = await startOwn(t)
  const { sendMail } = app.postern
  // @ts-expect-error: the value of `plan` is missing
  await t.rejects(sendMail(template, { to, values: { name: 'Ada', url: values.url } }), /values to be strings: plan/)
  // @ts-expect-error: the button needs its URL
  await t.rejects(sendMail(template, { to, values: { name: 'Ada', plan: 'a' } }), /values to be strings: url/)
  await t.rejects(sendMail({ en: { subject: 'a', text: '{toString}' } } as MailTemplate, { to }), /strings: toString/)
  await t.rejects(sendMail({ de: template.de } as never, { to, values } as never), /template\.en/)
  await t.rejects(sendMail({ en: { subject: '', text: 'a' } }, { to }), /template\.en/)
  await t.rejects(sendMail(template, { to, values, langauge: 'de' } as never), /langauge/)
  await t.rejects(sendMail('reset' as never, { to }), { name: 'TypeError' })
  const without = await startOwn(t, { providers: [people] })
  await t.rejects(without.app.postern.sendMail(template, { to, values }), /expected a mail server/)
  const mailer = mails({ from: 'Other <other@app.test>' })
  const own = await startOwn(t, { providers: [people], mailer })
  await own.app.postern.sendMail(template, { to, values })
  t.equal(own.mailbox.last().from, 'Other <other@app.test>')
  const several = await startOwn(t, { url: undefined, trustHost: ['app.test', 'other.test'] })
  await t.rejects(several.app.postern.sendMail(template, { to, values }), /expected the request/)
})
