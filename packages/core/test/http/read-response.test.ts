import t from 'tap'
import { bufferResponse, readResponseText } from '../../src/http/read-response.ts'
import { createBufferedResponse } from '../../src/model/buffered-body.ts'

const json = { headers: { 'content-type': 'application/json' } }
const bytes = (text: string): Uint8Array<ArrayBuffer> => new TextEncoder().encode(text)

/** The same response, with a body that was read before and with a stream. */
const kinds = [
  ['read before', (text: string, init: ResponseInit) => createBufferedResponse(bytes(text), init)],
  ['in a stream', (text: string, init: ResponseInit) => new Response(text, init)]
] as const

const buffer = (response: Response, max: number): Promise<Response> =>
  bufferResponse(Promise.resolve(response), max, () => new AbortController().signal)

for (const [kind, create] of kinds) {
  t.test(`a body ${kind} can be read, also by clones`, async (t) => {
    const response = await buffer(create('{"id":1,"name":"ä"}', { ...json, status: 201 }), 100)
    t.same([response.status, response.headers.get('content-type')], [201, 'application/json'])
    t.equal(await readResponseText(response), '{"id":1,"name":"ä"}')
    t.equal(await response.clone().text(), '{"id":1,"name":"ä"}')
    t.same(await response.json(), { id: 1, name: 'ä' })
  })

  t.test(`numbers beyond 2^53 are quoted in a body ${kind}`, async (t) => {
    const response = await buffer(create('{"id":12345678901234567890}', json), 100)
    t.same(await response.json(), { id: '12345678901234567890' })
  })

  t.test(`a body ${kind} is refused if it is too long`, async (t) => {
    t.equal(await (await buffer(create('12345', json), 5)).text(), '12345')
    await t.rejects(buffer(create('123456', json), 5), { name: 'ProviderResponseError' })
  })

  t.test(`an image ${kind} stays as it is`, async (t) => {
    const image = await buffer(create('\u0000\u0001', { headers: { 'content-type': 'image/png' } }), 5)
    t.same([...new Uint8Array(await image.arrayBuffer())], [0, 1])
  })
}

t.test('text that is not UTF-8 is refused', async (t) => {
  const bad = new Uint8Array([0xff, 0xfe])
  for (const response of [createBufferedResponse(bad, json), new Response(bad, json)])
    await t.rejects(buffer(response, 5), { name: 'ProviderResponseError' })
})

t.test('a body that somebody has read is refused', async (t) => {
  const response = createBufferedResponse(bytes('1'), json)
  await response.text()
  await t.rejects(buffer(response, 5))
})
