import t from 'tap'
import { getText, parseBody, parseForm, parseJson } from '../../src/http/body.ts'
import { fromWebRequest } from '../../src/http/request.ts'

const form = 'application/x-www-form-urlencoded'

t.test('a field is accepted if it occurs once and is a string', async (t) => {
  const fields = parseForm('a=1&b=1&b=2&c=&d=%C3%A4+x&e=%')
  t.equal(getText(fields, 'a'), '1')
  t.equal(getText(fields, 'b'), null)
  t.same(fields['b'], ['1', '2'])
  t.equal(getText(fields, 'c'), '')
  t.equal(getText(fields, 'd'), 'ä x')
  t.equal(getText(fields, 'e'), '%')
  t.equal(getText(fields, 'f'), null)
  const json = parseJson('{"a":"1","b":["1"],"c":{"d":"1"},"e":1,"f":null,"g":true}')
  t.same(
    ['a', 'b', 'c', 'e', 'f', 'g'].map((name) => getText(json, name)),
    ['1', null, null, null, null, null]
  )
})

t.test('names that objects know are names like any other', async (t) => {
  const fields = parseForm('__proto__=1&constructor=2')
  t.same(Object.entries(fields), [
    ['__proto__', '1'],
    ['constructor', '2']
  ])
  for (const each of [fields, parseJson('{"a":"1"}')]) {
    t.equal(Object.getPrototypeOf(each), null)
    t.equal(getText(each, 'toString'), null)
    t.equal(getText(each, 'hasOwnProperty'), null)
  }
  t.equal(getText(parseForm(''), '__proto__'), null)
})

t.test('JSON with a name that changes prototypes is refused, at every level and in every spelling', async (t) => {
  const refused = { name: 'BodyError', status: 400 }
  for (const name of ['__proto__', 'constructor', 'prototype', '\\u005f_proto__'])
    for (const text of [`{"${name}":"1"}`, `{"a":{"${name}":{}}}`, `{"a":[{"b":1},{"${name}":null}]}`])
      t.throws(() => parseJson(text), refused, text)
  t.same(
    { ...parseJson('{"a":"__proto__","proto":"1","Constructor":"2"}') },
    {
      a: '__proto__',
      proto: '1',
      Constructor: '2'
    }
  )
  t.throws(() => parseJson('['.repeat(100_000)), refused, 'nested deeply')
})

const types: readonly (readonly [type: string | null, text: string, then: object | number])[] = [
  [form, 'a=1', { a: '1' }],
  [`${form}; charset=UTF-8`, 'a=1', { a: '1' }],
  ['APPLICATION/X-WWW-FORM-URLENCODED', 'a=1', { a: '1' }],
  [` ${form} ;x`, 'a=1', { a: '1' }],
  [form, '', {}],
  ['application/json', '{"a":"1"}', { a: '1' }],
  ['application/json ;', '{"a":"1"}', { a: '1' }],
  ['application/json', '', {}],
  [null, '', {}],
  ['', '', {}],
  ['application/json', '{', 400],
  ['application/json', '[]', 400],
  ['application/json', 'null', 400],
  ['application/json', '"a"', 400],
  ['text/plain', 'a=1', 415],
  ['text/plain', '', 415],
  ['multipart/form-data; boundary=a', '--a', 415],
  ['application/jsonx', '{}', 415],
  [`x${form}`, 'a=1', 415],
  [`${form}\tx`, 'a=1', 415],
  [null, 'a=1', 415],
  [form, Array.from({ length: 1001 }, (_, index) => `a=${index}`).join('&'), 413]
]

for (const [type, text, then] of types) {
  t.test(`${JSON.stringify(type)} with ${text.slice(0, 20)} is ${JSON.stringify(then)}`, async (t) => {
    if (typeof then === 'number') t.throws(() => parseBody(type, text), { name: 'BodyError', status: then })
    else t.same({ ...parseBody(type, text) }, then)
  })
}

const post = (body: string | ReadableStream, headers: Record<string, string> = { 'content-type': form }): Request =>
  new Request('https://app.test/api/auth/signin/x?a=1&a=2', { method: 'POST', body, headers, ...{ duplex: 'half' } })

t.test('a web request becomes plain values', async (t) => {
  const request = post('b=2', { 'content-type': form, cookie: 'c=3', 'X-Header': 'd' })
  t.match(await fromWebRequest(request, '/api/auth', { limit: 100, client: null }), {
    ...{ method: 'POST', origin: 'https://app.test', path: '/signin/x', query: { a: ['1', '2'] }, body: { b: '2' } },
    ...{
      headers: { 'x-header': 'd' },
      cookies: new Map([['c', '3']]),
      client: null,
      clientsBehindIp: 1,
      id: /^[\da-f-]{36}$/
    }
  })
})

t.test('a path that is not below the base path is not a user’s', async (t) => {
  for (const path of ['/', '/api/auth', '/api/authors', '/api/auth2/csrf', '/API/AUTH/csrf', '/x/api/auth/csrf']) {
    t.equal(
      await fromWebRequest(new Request(`https://app.test${path}`), '/api/auth', { limit: 100, client: null }),
      null,
      path
    )
  }
})

const tooLong = { name: 'BodyError', status: 413 }

t.test('a body is limited in bytes, whatever its Content-Length', async (t) => {
  const chunks = (count: number): ReadableStream => {
    let left = count
    return new ReadableStream({
      pull: (controller) =>
        left-- > 0 ? controller.enqueue(new TextEncoder().encode('ä'.repeat(50))) : controller.close()
    })
  }
  const read = (request: Request): Promise<unknown> =>
    fromWebRequest(request, '/api/auth', { limit: 1000, client: null })
  await t.rejects(read(post('a'.repeat(1001))), tooLong)
  await t.resolves(read(post('a'.repeat(1000))))
  await t.rejects(read(post(chunks(11))), tooLong)
  await t.resolves(read(post(chunks(10))))
  await t.rejects(read(post(chunks(1_000_000))), tooLong, 'an endless body is not read to its end')
  await t.rejects(read(post('a', { 'content-type': form, 'content-length': '1001' })), tooLong)
})

t.test('a body that is cut inside a character is read as text anyway', async (t) => {
  const bytes = [...new TextEncoder().encode('a=ä')]
  const body = new ReadableStream({
    start: (controller) => {
      for (const byte of bytes) controller.enqueue(Uint8Array.of(byte))
      controller.close()
    }
  })
  t.match(await fromWebRequest(post(body), '/api/auth', { limit: 100, client: null }), { body: { a: 'ä' } })
})
