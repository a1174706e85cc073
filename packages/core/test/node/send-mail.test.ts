import { registerHooks } from 'node:module'
import { type AddressInfo, createServer } from 'node:net'
import { SMTPServer, type SMTPServerOptions } from 'smtp-server'
import t from 'tap'
import type { MailServer, Message } from '../../src/model/runtime.ts'
import { createMailer, loadNodemailer } from '../../src/node/send-mail.ts'

// @first: the tests wait for time limits and connections.

const { sendMail: sendWithin, close } = createMailer()
const sendMail = (server: MailServer, mail: Message): Promise<void> => sendWithin(server, mail, { timeout: 10_000 })
t.teardown(close)

interface Received {
  readonly from: string
  readonly recipients: readonly string[]
  readonly content: string
}

interface Test {
  teardown(work: () => unknown): unknown
}

/** A mail server on loopback that records its mails. */
async function start(t: Test, options: SMTPServerOptions = {}) {
  const received: Received[] = []
  const recipients: string[] = []
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    closeTimeout: 10,
    onRcptTo: ({ address }, _session, callback) => {
      recipients.push(address)
      callback()
    },
    onData: (stream, { envelope }, callback) => {
      stream.toArray().then((chunks) => {
        const from = envelope.mailFrom ? envelope.mailFrom.address : ''
        received.push({
          from,
          recipients: envelope.rcptTo.map(({ address }) => address),
          content: Buffer.concat(chunks).toString()
        })
        callback()
      }, callback)
    },
    ...options
  })
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  t.teardown(() => new Promise<void>((resolve) => server.close(resolve)))
  const { port } = server.server.address() as AddressInfo
  return { server: `smtp://127.0.0.1:${port}`, port, received, recipients }
}

const message = {
  to: 'ada@example.com',
  from: 'App <no-reply@app.test>',
  subject: 'Sign in',
  text: 'Hello\nhttps://app.test/x',
  html: '<p>Hello</p>'
}

t.test('one mail, one recipient: the address that was requested', async (t) => {
  const { server, received, recipients } = await start(t)
  await sendMail(server, message)
  t.same(recipients, ['ada@example.com'])
  t.match(received, [{ from: 'no-reply@app.test', recipients: ['ada@example.com'] }])
  const [{ content = '' } = {}] = received
  for (const line of [
    /^From: App <no-reply@app\.test>\r$/m,
    /^To: ada@example\.com\r$/m,
    /^Subject: Sign in\r$/m,
    /^Auto-Submitted: auto-generated\r$/m,
    /^Hello\r\nhttps:\/\/app\.test\/x\r$/m,
    /^<p>Hello<\/p>\r$/m
  ]) {
    t.match(content, line)
  }
  t.equal(content.match(/^To:/gm)?.length, 1)
})

t.test('a second mail goes through the same connection', async (t) => {
  const sessions = new Set<string>()
  const { server, received } = await start(t, {
    onMailFrom: (_address, { id }, callback) => {
      sessions.add(id)
      callback()
    }
  })
  await sendMail(server, message)
  await sendMail(server, { ...message, to: 'bob@example.com' })
  t.same(
    received.map(({ recipients }) => recipients),
    [['ada@example.com'], ['bob@example.com']]
  )
  t.equal(sessions.size, 1)
})

t.test('a server is also named by the options of a transport', async (t) => {
  const { port, received } = await start(t)
  await sendMail({ host: '127.0.0.1', port, secure: false }, message)
  t.equal(received.length, 1)
})

t.test('a plain address is what goes into the envelope, every character of it', async (t) => {
  const { server, recipients } = await start(t)
  const addresses = ["!#$%&'*+/=?^_`{|}~-@x.test", 'a.b+c@sub.x-y.test', `${'l'.repeat(64)}@x.test`, 'Ada@Example.COM']
  for (const to of addresses) await sendMail(server, { ...message, to })
  t.same(
    recipients.map((address) => address.toLowerCase()),
    addresses.map((address) => address.toLowerCase())
  )
})

const hostile = [
  'attacker@a.test,victim@v.test',
  '"e@attacker.test"@victim.test',
  'Ada <ada@example.com>',
  'ada@example.com (comment)',
  'g:ada@example.com;',
  'ada@example.com\r\nRCPT TO:<victim@v.test>',
  'ada@example.com>\r\nRCPT TO:<victim@v.test',
  'ada@exämple.com',
  'ada@EXAMPLE.com ',
  ''
]

for (const to of hostile) {
  t.test(
    `an address that is not plain is not sent to: ${JSON.stringify(to).replaceAll(/[^\x20-\x7e]/g, '?')}`,
    async (t) => {
      const { server, received, recipients } = await start(t)
      await t.rejects(sendMail(server, { ...message, to }))
      t.same(recipients, [])
      t.same(received, [])
    }
  )
}

t.test('slow recipients do not delay the others', async (t) => {
  let isOver = false
  const waiting: (() => void)[] = []
  const { server, received } = await start(t, {
    onRcptTo: ({ address }, _session, callback) => {
      const refuse = (): void => callback(new Error('no such mailbox'))
      if (!address.startsWith('slow')) callback()
      else if (isOver) refuse()
      else waiting.push(refuse)
    }
  })
  const slow = Array.from({ length: 12 }, (_, index) => sendMail(server, { ...message, to: `slow${index}@x.test` }))
  const startedAt = performance.now()
  await sendMail(server, message)
  const took = performance.now() - startedAt
  t.ok(took < 5000, `took ${Math.round(took)} ms`)
  t.match(received, [{ recipients: ['ada@example.com'] }])
  t.ok(waiting.length > 0, 'the server has not responded to the others')
  isOver = true
  for (const refuse of waiting) refuse()
  await close()
  await Promise.allSettled(slow)
})

t.test('a recipient that the server refuses is an error', async (t) => {
  const { server, received } = await start(t, {
    onRcptTo: (_address, _session, callback) => callback(new Error('no such mailbox'))
  })
  await t.rejects(sendMail(server, message))
  t.same(received, [])
})

t.test('a silent server times out', async (t) => {
  const silent = createServer()
  await new Promise<void>((resolve) => void silent.listen(0, '127.0.0.1', resolve))
  t.teardown(() => new Promise((resolve) => silent.close(resolve)))
  const { port } = silent.address() as AddressInfo
  await t.rejects(sendWithin({ host: '127.0.0.1', port }, message, { timeout: 100 }), { code: 'ETIMEDOUT' })
})

t.test('an application that sends mails itself needs no limits', async (t) => {
  const { server, received } = await start(t)
  await Reflect.apply(sendWithin, undefined, [server, message])
  t.equal(received.length, 1)
})

t.test('a server that is not there is an error, and works once it is', async (t) => {
  const { port } = await start(t)
  await t.rejects(sendMail({ host: '127.0.0.1', port: 1 }, message))
  await t.resolves(sendMail({ host: '127.0.0.1', port }, message))
})

t.test('transports of nodemailer that are no mail servers', async (t) => {
  const written: string[] = []
  const onSend = async (input: { readonly Content: { readonly Raw: { readonly Data: Buffer } } }) => {
    written.push(input.Content.Raw.Data.toString())
    return { MessageId: 'one' }
  }
  class SendEmailCommand {
    readonly input: Parameters<typeof onSend>[0]
    constructor(input: Parameters<typeof onSend>[0]) {
      this.input = input
    }
  }
  const sesClient = {
    config: { region: async () => 'eu-west-1' },
    send: ({ input }: SendEmailCommand) => onSend(input)
  }
  await sendMail({ SES: { sesClient, SendEmailCommand } }, message)
  t.match(written, [/To: ada@example\.com/])
  await sendMail({ streamTransport: true, buffer: true }, message)
  await sendMail({ jsonTransport: true }, message)
})

t.test('without nodemailer, loading it says what to install', async (t) => {
  const hooks = registerHooks({
    resolve: (specifier, context, next) => {
      if (specifier === 'nodemailer') throw new Error('Cannot find package nodemailer')
      return next(specifier, context)
    }
  })
  t.teardown(() => hooks.deregister())
  await t.rejects(loadNodemailer(), /needs the package nodemailer; install it/)
})
