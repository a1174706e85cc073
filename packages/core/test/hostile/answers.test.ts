import t from 'tap'
import { readJson, wholeAnswer } from '../../src/http/read-response.ts'

const never = new AbortController().signal
const refused = { name: 'AnswerError' }
const json = { 'content-type': 'application/json' } as const

const whole = (response: Response, most: number = 1000, signal: AbortSignal = never): Promise<Response> =>
  wholeAnswer(Promise.resolve(response), most, () => signal)

t.test('an answer can be read again and again, with its status and headers', async (t) => {
  const answer = await whole(Response.json({ a: 1 }, { status: 400, headers: { 'x-a': 'b' } }))
  t.same(await answer.clone().json(), { a: 1 })
  t.same(await answer.json(), { a: 1 })
  t.equal(answer.status, 400)
  t.equal(answer.headers.get('x-a'), 'b')
  t.equal((await whole(new Response(null, { status: 204 }))).status, 204)
})

t.test('an answer is as long as it may be, and not a byte longer', async (t) => {
  t.equal((await (await whole(new Response('x'.repeat(1000)))).text()).length, 1000)
  await t.rejects(whole(new Response('x'.repeat(1001))), refused)
})

t.test('an answer that is read no further lets its connection go', async (t) => {
  let isCancelled = false
  const body = new ReadableStream<Uint8Array>({
    pull: (controller) => controller.enqueue(new Uint8Array(600)),
    cancel: () => {
      isCancelled = true
    }
  })
  await t.rejects(whole(new Response(body)), refused)
  t.ok(isCancelled)
})

t.test('an answer that comes too late is given up', async (t) => {
  const late = new AbortController()
  const body = new ReadableStream<Uint8Array>({ start: (controller) => controller.enqueue(new Uint8Array([0x20])) })
  const reading = whole(new Response(body), 1000, late.signal)
  late.abort(new Error('late'))
  await t.rejects(reading, { message: 'late' })
})

t.test('an answer is a text in UTF-8, or a picture', async (t) => {
  const bytes = new Uint8Array([0x22, 0xe9, 0x22])
  await t.rejects(whole(new Response(bytes, { headers: json })), refused)
  t.equal((await (await whole(new Response(bytes, { headers: { 'content-type': 'image/png' } }))).bytes()).length, 3)
  const marked = await whole(new Response(new Uint8Array([0xef, 0xbb, 0xbf, 0x7b, 0x7d]), { headers: json }))
  t.same(await readJson(marked), {}, 'a byte order mark is no part of it')
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
    const answer = new Response(new Uint8Array([0x7b, 0x7d]), { headers: type ? { 'content-type': type } : {} })
    await t.rejects(readJson(answer), refused)
  })
}
