import t from 'tap'
import { bufferResponse, readJson } from '../../src/http/read-response.ts'

const never = new AbortController().signal
const refused = { name: 'ProviderResponseError' }
const json = { 'content-type': 'application/json' } as const

const readBody = (response: Response, max: number = 1000, signal: AbortSignal = never): Promise<Response> =>
  bufferResponse(Promise.resolve(response), max, () => signal)

t.test('a response can be read again and again, with its status and headers', async (t) => {
  const response = await readBody(Response.json({ a: 1 }, { status: 400, headers: { 'x-a': 'b' } }))
  t.same(await response.clone().json(), { a: 1 })
  t.same(await response.json(), { a: 1 })
  t.equal(response.status, 400)
  t.equal(response.headers.get('x-a'), 'b')
  t.equal((await readBody(new Response(null, { status: 204 }))).status, 204)
})

t.test('a response may have the maximum size, and not a byte more', async (t) => {
  t.equal((await (await readBody(new Response('x'.repeat(1000)))).text()).length, 1000)
  await t.rejects(readBody(new Response('x'.repeat(1001))), refused)
})

t.test('a response that is not read further releases its connection', async (t) => {
  let isCancelled = false
  const body = new ReadableStream<Uint8Array>({
    pull: (controller) => controller.enqueue(new Uint8Array(600)),
    cancel: () => {
      isCancelled = true
    }
  })
  await t.rejects(readBody(new Response(body)), refused)
  t.ok(isCancelled)
})

t.test('a response that comes too late is given up', async (t) => {
  const late = new AbortController()
  const body = new ReadableStream<Uint8Array>({ start: (controller) => controller.enqueue(new Uint8Array([0x20])) })
  const reading = readBody(new Response(body), 1000, late.signal)
  late.abort(new Error('late'))
  await t.rejects(reading, { message: 'late' })
})

t.test('a response is a text in UTF-8, or a picture', async (t) => {
  const bytes = new Uint8Array([0x22, 0xe9, 0x22])
  await t.rejects(readBody(new Response(bytes, { headers: json })), refused)
  t.equal((await (await readBody(new Response(bytes, { headers: { 'content-type': 'image/png' } }))).bytes()).length, 3)
  const marked = await readBody(new Response(new Uint8Array([0xef, 0xbb, 0xbf, 0x7b, 0x7d]), { headers: json }))
  t.same(await readJson(marked), {}, 'a byte order mark is not a part of it')
})

t.test('a response may have a number of 400 characters, and not one more (CWE-1333)', async (t) => {
  const read = (digits: number) => readBody(new Response(`{"id":${'9'.repeat(digits)}}`, { headers: json }))
  t.same(await readJson(await read(400)), { id: '9'.repeat(400) })
  await t.rejects(read(401), refused)
})

for (const type of [
  'application/json',
  'application/json; charset=utf-8',
  'application/vnd.github+json',
  'application/jwk-set+json',
  'text/javascript',
  'text/plain'
]) {
  t.test(`JSON comes as ${type}`, async (t) => {
    t.same(await readJson(new Response('{}', { headers: { 'content-type': type } })), {})
  })
}

for (const type of [
  'text/html',
  'text/html; charset=application/json',
  'application/octet-stream',
  'image/png',
  'application/jwt',
  ''
]) {
  t.test(`JSON does not come as ${type || 'nothing'}`, async (t) => {
    const response = new Response(new Uint8Array([0x7b, 0x7d]), { headers: type ? { 'content-type': type } : {} })
    await t.rejects(readJson(response), refused)
  })
}
