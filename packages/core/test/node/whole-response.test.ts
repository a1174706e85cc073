import t from 'tap'
import { notedBytes } from '../../src/model/read-answers.ts'
import { wholeResponse } from '../../src/node/whole-response.ts'

const bytes = new Uint8Array(Buffer.from('{"a":"ä😀"}'))
const init = { status: 201, headers: { 'content-type': 'application/json', 'x-header': 'value' } }

/** The answer, and one that the runtime makes itself. */
const both = (body: Uint8Array<ArrayBuffer> = bytes, how: ResponseInit = init) =>
  [wholeResponse(body, how), new Response(body.byteLength === 0 ? null : body.slice(), how)] as const

type Way = (response: Response) => Promise<unknown>

const ways: Readonly<Record<string, Way>> = {
  text: (response) => response.text(),
  json: (response) => response.json(),
  arrayBuffer: async (response) => Buffer.from(await response.arrayBuffer()).toString('hex'),
  bytes: async (response) => Buffer.from(await response.bytes()).toString('hex'),
  blob: async (response) => (await response.blob()).text(),
  body: async (response) => {
    const chunks: Uint8Array[] = []
    for await (const chunk of response.body ?? []) chunks.push(chunk)
    return Buffer.concat(chunks).toString()
  }
}

for (const [first, read] of Object.entries(ways)) {
  t.test(`read as ${first} it gives what any response gives, once`, async (t) => {
    const [ours, theirs] = both()
    t.notOk(ours.bodyUsed)
    t.same(await read(ours), await read(theirs))
    t.ok(ours.bodyUsed)
    t.throws(() => ours.clone(), TypeError)
    for (const [second, again] of Object.entries(ways)) {
      if (second !== 'body') await t.rejects(again(ours), TypeError, `and then as ${second}`)
    }
  })

  t.test(`a clone can be read as ${first} beside it`, async (t) => {
    const [ours, theirs] = both()
    const clone = ours.clone()
    t.same(await read(clone), await read(theirs))
    t.notOk(ours.bodyUsed)
    t.equal(await ours.text(), '{"a":"ä😀"}')
  })
}

t.test('it is a response, with status and headers', async (t) => {
  const [ours] = both()
  t.ok(ours instanceof Response)
  t.match(ours, { status: 201, ok: true })
  t.equal(ours.headers.get('x-header'), 'value')
  t.equal(ours.clone().headers.get('x-header'), 'value')
  const copy = new Response(ours.body, ours)
  t.equal(copy.status, 201)
  t.same(await copy.json(), { a: 'ä😀' })
})

t.test('an empty one is empty', async (t) => {
  for (const status of [200, 204, 304]) {
    const [ours] = both(new Uint8Array(0), { status })
    t.equal(await ours.clone().text(), '')
    if (status !== 200) t.equal(ours.body, null)
  }
})

t.test('what is no JSON is told as such, and a byte order mark is no text', async (t) => {
  const [ours, theirs] = both(new Uint8Array(Buffer.from('\uFEFF{')))
  t.equal(await ours.clone().text(), await theirs.text())
  await t.rejects(ours.json(), SyntaxError)
})

t.test('nobody changes its bytes from outside', async (t) => {
  const [ours] = both()
  const clone = ours.clone()
  new Uint8Array(await ours.arrayBuffer()).fill(0)
  t.equal(await clone.text(), '{"a":"ä😀"}')
  t.same(notedBytes(clone), bytes)
  t.equal(notedBytes(new Response('a')), null)
})
