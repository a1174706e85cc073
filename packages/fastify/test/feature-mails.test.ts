import { createPostern, type FeatureApis } from '@postern/core'
import type { Feature, FeatureRequest, MailOptions } from '@postern/core/feature'
import { json } from '@postern/core/feature'
import resend from '@postern/core/providers/resend'
import t from 'tap'
import { mails, origin, people, secret, start } from './start.ts'

declare module '@postern/core' {
  interface FeatureApis {
    readonly post: { send(options?: MailOptions): Promise<void> }
  }
}

const values = {
  name: 'Ada\u202e\r\nBcc: eve\u2069',
  url: 'https://app.test/undo?a=1&b=2',
  device: { en: 'evil.example.com', de: 'böse.example.com' }
}
const post: Feature = {
  id: 'post',
  setup: (context) => ({
    texts: {
      en: { subject: 'New device, {name}', text: 'You signed in on {device}.\nWas it you? {unknown}', undo: 'Undo it' },
      de: { subject: 'Neues Gerät, {name}', text: 'Anmeldung auf {device}.' }
    },
    mails: [{ name: 'device', subject: 'subject', text: 'text', button: 'undo' }],
    routes: [
      {
        method: 'GET',
        path: '/post',
        access: 'anyone',
        run: async (request: FeatureRequest) => {
          await context.sendMail('ada@example.com', 'device', values, { request })
          return json({})
        }
      }
    ],
    api: { send: (options?: MailOptions) => context.sendMail('ada@example.com', 'device', values, options) }
  })
}

t.test('a feature sends a mail in the layout and the language of the pages', async (t) => {
  const { app, browser, mailbox } = await start(t, { features: [post], instances: 1 })
  await app.postern.features.post.send()
  const { to, from, subject, text, html } = mailbox.last()
  t.same([to, from, subject], ['ada@example.com', 'App <no-reply@app.test>', 'New device, Ada Bcc: eve'])
  t.equal(text, `You signed in on evil.example.com.\n\nWas it you? {unknown}\n\n${values.url}\n`)
  t.match(html, /class="card".*Undo it.*https:\/\/app\.test\/undo\?a=1&amp;b=2/s)
  t.match(html, 'evil\u200b.example', 'not a link')
  await app.postern.features.post.send({ language: 'de' })
  t.match(mailbox.last(), { subject: 'Neues Gerät, Ada Bcc: eve', html: /<html lang="de".*Undo it/s })
  t.match(mailbox.last().text, 'Anmeldung auf böse.example.com.', 'a value may be given by language')
  await browser.open('/api/auth/post', { headers: { 'accept-language': 'de' } })
  t.match(mailbox.last(), { subject: 'Neues Gerät, Ada Bcc: eve' })
})

t.test('a mail about a user has the language that the application states, not that of the request', async (t) => {
  const asked: unknown[] = []
  let answer: () => unknown = () => 'de-AT'
  const language = ({ user }: { readonly user: unknown }): string | null => {
    asked.push(user)
    return answer() as string | null
  }
  const logger = { error: () => undefined, warn: (code: string) => logged.push(code), debug: () => undefined }
  const logged: string[] = []
  const { app, mailbox } = await start(t, { features: [post], callbacks: { language }, logger, instances: 1 })
  const user = { id: '1', name: 'Ada' }
  const request = { origin, headers: { 'accept-language': 'en' }, cookies: new Map<string, string>(), id: '1' }
  const send = async (options: MailOptions): Promise<string> => {
    await app.postern.features.post.send(options)
    return mailbox.last().subject
  }
  t.match(await send({ user, request }), 'Neues')
  t.same(asked, [user])
  t.match(await send({ user, request, language: 'en' }), 'New', 'the feature knows better')
  t.match(await send({ request }), 'New')
  t.equal(asked.length, 1, 'nobody is asked about a mail that is about no user')
  for (const unknown of [null, undefined]) {
    answer = () => unknown
    t.match(await send({ user, request: { ...request, headers: { 'accept-language': 'de' } } }), 'Neues')
  }
  t.same(logged, [])
  for (const wrong of [
    () => 'not a tag',
    () => '',
    () => 5,
    () => {
      throw new Error('down')
    }
  ]) {
    answer = wrong
    t.match(await send({ user, request: { ...request, headers: { 'accept-language': 'de' } } }), 'Neues', 'still sent')
  }
  t.same(logged, Array(4).fill('MAIL_LANGUAGE_ERROR'))
})

t.test('a text replaces a value that is empty, in the language of the mail', async (t) => {
  const named: Feature = {
    id: 'named',
    setup: (context) => ({
      texts: {
        en: { subject: 'New device', text: '{device}, {client}', unknown: 'a device' },
        de: { text: '{device} und {client}', unknown: 'ein Gerät' }
      },
      mails: [{ name: 'device', subject: 'subject', text: 'text', emptyValues: { device: 'unknown' } }],
      api: {
        send: (options) => context.sendMail('ada@example.com', 'device', { device: '', client: '' }, options)
      } satisfies Pick<FeatureApis['post'], 'send'>
    })
  }
  const { app, mailbox } = await start(t, { features: [{ ...named, id: 'post' }], instances: 1 })
  await app.postern.features.post.send()
  t.equal(mailbox.last().text, 'a device, \n')
  await app.postern.features.post.send({ language: 'de' })
  t.equal(mailbox.last().text, 'ein Gerät und \n')
})

t.test('the text of an empty value that is missing is a configuration error', (t) => {
  const wrong: Feature = {
    id: 'post',
    setup: () => ({
      texts: { en: { subject: 'New device' } },
      mails: [{ name: 'device', subject: 'subject', text: 'subject', emptyValues: { device: 'missing' } }]
    })
  }
  t.throws(() => createPostern({ secret, url: origin, providers: [mails()], features: [wrong] }), /missing/)
  t.end()
})

t.test('mails are sent by the option mailer, which signs nobody in', async (t) => {
  const mailer = mails({ from: 'Other <other@app.test>' })
  const { app, browser, mailbox } = await start(t, { providers: [people], features: [post], mailer, instances: 1 })
  await app.postern.features.post.send()
  t.equal(mailbox.last().from, 'Other <other@app.test>')
  t.notMatch((await browser.open('/api/auth/signin')).body, 'type="email"')
})

t.test('a service sends them as well', async (t) => {
  const sent: unknown[] = []
  const mailer = resend({ apiKey: 'key', from: 'App <no-reply@app.test>' })
  const fetch = async (_url: string, init: RequestInit) => {
    sent.push(JSON.parse(String(init.body)))
    return new Response('{}')
  }
  const postern = createPostern({ secret, url: origin, providers: [], features: [post], mailer, runtime: { fetch } })
  t.teardown(postern.close)
  await postern.features.post.send()
  t.match(sent, [{ to: 'ada@example.com', subject: 'New device, Ada Bcc: eve', html: /<p>You signed in/ }])
})

t.test('a mail that cannot be sent is refused with EmailSignin', async (t) => {
  const sendMail = () => Promise.reject(new Error('refused'))
  const { app } = await start(t, { features: [post], runtime: { sendMail }, instances: 1 })
  await t.rejects(app.postern.features.post.send(), { code: 'EmailSignin' })
})

t.test('mails without a server are a configuration error', (t) => {
  const options = { secret, url: origin, providers: [], features: [post] }
  t.throws(() => createPostern(options), /mailer: expected a mail server, which features\.post needs/)
  const mailer = mails({ server: 'mail.test' })
  t.throws(() => createPostern({ ...options, mailer }), /mailer\.server: expected a URL/)
  t.end()
})

t.test('without a server, a feature whose mails are optional knows that it cannot send them', async (t) => {
  const known: boolean[] = []
  const optional: Feature = {
    id: 'optional',
    setup: (context) => ({
      texts: { en: { text: 'Hello' } },
      mails: [{ name: 'hello', subject: 'text', text: 'text', isOptional: true }],
      routes: [
        {
          method: 'GET',
          path: '/optional',
          access: 'anyone',
          run: () => {
            known.push(context.canSendMail)
            return json({})
          }
        }
      ]
    })
  }
  for (const mailer of [undefined, mails()]) {
    const postern = createPostern({ secret, url: origin, providers: [], features: [optional], mailer })
    t.teardown(postern.close)
    await postern.fetch(new Request(`${origin}/api/auth/optional`))
  }
  t.same(known, [false, true])
})
