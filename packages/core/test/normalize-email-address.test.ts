import { type AddressInfo, createServer, type Socket } from 'node:net'
import { createInterface } from 'node:readline'
import { isLong, times } from '@postern/testkit/long'
import addressparser from 'nodemailer/lib/addressparser'
import MimeNode from 'nodemailer/lib/mime-node'
import t from 'tap'
import { hasInternationalLocalPart, normalizeEmailAddress } from '../src/model/normalize-email-address.ts'
import { createMailer } from '../src/node/send-mail.ts'
import { type Chance, getChance, hostileAddress } from './email-address-generator.ts'

const { sendMail, close } = createMailer()
t.teardown(close)

const many = times(4000, 1_200_000)
/** Every accepted address goes through nodemailer; a sample also through a mail server. */
const throughServer = isLong ? 200 : 20

if (isLong) t.setTimeout(0)

/** Where nodemailer would send a mail to this address, by each of its ways to read one. */
function readings(identifier: string): readonly (readonly string[])[] {
  const parsed = addressparser(identifier, { flatten: true }).map(({ address }) => address)
  const envelope = new MimeNode('text/plain').setEnvelope({ from: 'app@app.test', to: [identifier] }).getEnvelope().to
  const header = new MimeNode('text/plain').setHeader('to', { name: '', address: identifier }).getEnvelope().to
  return [parsed, [envelope].flat(), [header].flat()].map((list) => list.filter((text) => typeof text === 'string'))
}

const isExact = (list: readonly string[], identifier: string): boolean => list.length === 1 && list[0] === identifier

/** A mail server that records the commands of every mail as received. */
async function startServer(t: { teardown(work: () => unknown): unknown }): Promise<{
  readonly url: string
  readonly mails: (readonly string[])[]
}> {
  const mails: (readonly string[])[] = []
  const sockets: Socket[] = []
  const server = createServer((socket) => {
    sockets.push(socket)
    let commands: string[] = []
    let isContent = false
    const say = (line: string): void => void socket.write(`${line}\r\n`)
    const read = (line: string): void => {
      if (isContent) {
        if (line !== '.') return
        isContent = false
        mails.push(commands)
        commands = []
        say('250 kept')
        return
      }
      if (/^(MAIL|RCPT|DATA)/i.test(line)) commands.push(line)
      isContent = line === 'DATA'
      say(isContent ? '354 go on' : line === 'QUIT' ? '221 bye' : '250 fine')
    }
    createInterface({ input: socket }).on('line', read)
    socket.on('error', () => undefined)
    say('220 mail.test')
  })
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  t.teardown(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  return { url: `smtp://127.0.0.1:${port}`, mails }
}

t.test('email-3: A85 an accepted address is the one that receives the mail', async (t) => {
  const chance: Chance = getChance(1)
  const { url, mails } = await startServer(t)
  const total = many
  let accepted = 0
  let mismatches = 0
  const sent: string[] = []
  for (let count = 0; count < total; count++) {
    const text = hostileAddress(chance)
    const identifier = normalizeEmailAddress(text)
    if (identifier === null) continue
    accepted += 1
    const again = normalizeEmailAddress(identifier)
    const isSafe = identifier === again && /^[\x21-\x7e]+$/.test(identifier) && identifier.split('@').length === 2
    if (!isSafe || !readings(identifier).every((list) => isExact(list, identifier))) {
      mismatches += 1
      t.fail(`${JSON.stringify(text)} is ${identifier}, and goes to ${JSON.stringify(readings(identifier))}`)
    }
    if (accepted % throughServer === 0) sent.push(identifier)
  }
  for (const identifier of sent) {
    await sendMail(
      url,
      { to: identifier, from: 'App <app@app.test>', subject: 'x', text: 'x', html: 'x' },
      { timeout: 10_000 }
    )
  }
  for (const [index, identifier] of sent.entries()) {
    const expected = ['MAIL FROM:<app@app.test>', `RCPT TO:<${identifier}>`, 'DATA']
    if (mails[index]?.join() === expected.join()) continue
    mismatches += 1
    t.fail(`${identifier} went out as ${JSON.stringify(mails[index])}`)
  }
  t.equal(mails.length, sent.length, 'one mail each')
  t.equal(mismatches, 0, 'identifier, nodemailer and the single RCPT of the mail server agree')
  const share = (100 * accepted) / total
  console.log(
    `addresses: ${total} hostile ones, ${share.toFixed(1)} % accepted, ${sent.length} sent, ${mismatches} mismatches`
  )
  t.ok(share >= 20, 'and enough are accepted for that to say something')
})

const international: readonly (readonly [text: string, identifier: string | null])[] = [
  ['ada@bücher.example', 'ada@xn--bcher-kva.example'],
  ['Ada@BÜCHER.example', 'ada@xn--bcher-kva.example'],
  ['ada@xn--bcher-kva.example', 'ada@xn--bcher-kva.example'],
  ['ada@例え.テスト', 'ada@xn--r8jz45g.xn--zckzah'],
  ['ada@例え。テスト', 'ada@xn--r8jz45g.xn--zckzah'],
  ['ada@faß.example', 'ada@xn--fa-hia.example'],
  // UTS #46 would remove what is not shown.
  ['ada@exa\u00admple.com', null],
  ['adä@example.com', null],
  ['ada@bücher', null],
  ['ada@büch%65r.example', null],
  ['ada@bü/cher.example', null],
  ['ada@bü:25.example', null],
  ['ada@bü@cher.example', null],
  ['ada@-bücher.example', 'ada@xn----eha.example'],
  ['ada@１２７。０。０。１', null],
  [`ada@${'ü'.repeat(80)}.example`, null],
  ['ada@\u202ebücher.example', null],
  ['ada@bücher..example', null]
]

t.test('email-3: A86 the domain that is checked is the domain that is delivered to', async (t) => {
  for (const [text, identifier] of international) {
    const found = normalizeEmailAddress(text)
    if (text.includes('@-')) t.ok(found === null || readings(found).every((list) => isExact(list, found)), text)
    else t.equal(found, identifier, text)
  }
})

t.test('letters outside ASCII before the @ are recognized', async (t) => {
  for (const text of ['adä@example.com', ' Zoë@Bücher.example ', '用户@例え.テスト', 'नाम@example.com'])
    t.equal(hasInternationalLocalPart(text), true, text)
  for (const text of [
    'ada@bücher.example',
    'ada@',
    'ä',
    'ä@',
    'ä@b@example.com',
    '\uff41da@example.com',
    'ä b@example.com'
  ])
    t.equal(hasInternationalLocalPart(text), false, text)
})
