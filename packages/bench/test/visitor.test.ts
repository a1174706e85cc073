import { createServer } from 'node:net'
import { Connection } from '@postern/bench/load/connection'
import { expectResponse, getLocation, keepCookies, write } from '@postern/bench/load/visitor'
import t from 'tap'

/** A server that responds each request with the next of these texts, in pieces of the given size. */
async function answering(t: { teardown(work: () => unknown): unknown }, results: readonly string[], piece = 1000) {
  const requests: string[] = []
  const server = createServer((socket) => {
    socket.setNoDelay(true)
    socket.on('data', async (request) => {
      const response = results[requests.push(String(request)) - 1] ?? ''
      for (let at = 0; at < response.length; at += piece) {
        socket.write(response.slice(at, at + piece))
        await new Promise((resolve) => setImmediate(resolve))
      }
      if (response === '') socket.destroy()
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.teardown(() => server.close())
  const address = server.address()
  const connection = await Connection.open(typeof address === 'object' ? (address?.port ?? 0) : 0)
  t.teardown(() => connection.close())
  return { connection, requests: requests }
}

const question = { path: '/', origin: 'http://127.0.0.1:1' }

t.test('answers are read whole, by length or by chunks, however they are cut', async (t) => {
  const results = [
    'HTTP/1.1 200 OK\r\ncontent-length: 5\r\n\r\nhello',
    'HTTP/1.1 302 Found\r\nLocation: /there\r\ncontent-length: 0\r\n\r\n',
    'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n6\r\n world\r\n0\r\n\r\n',
    'HTTP/1.1 204 No Content\r\n\r\n',
    'HTTP/1.1 401 Unauthorized\r\ncontent-length: 2\r\n\r\nno'
  ]
  for (const piece of [1, 7, 1000]) {
    const { connection } = await answering(t, results, piece)
    t.match(await connection.send(write(question)), { status: 200, body: 'hello' })
    t.equal(getLocation(await connection.send(write(question))), '/there')
    t.match(await connection.send(write(question)), { status: 200, body: 'hello world' })
    t.match(await connection.send(write(question)), { status: 204, body: '' })
    t.match(await connection.send(write(question)), { status: 401, body: 'no' })
  }
})

t.test('a server that goes away is an error, not a wait', async (t) => {
  const { connection } = await answering(t, [])
  await t.rejects(connection.send(write(question)), { message: /closed the connection/ })
})

t.test('requests carry host, cookies and a body of its length', async (t) => {
  const cookies = new Map([
    ['a', '1'],
    ['b', '2']
  ])
  t.match(
    write({ ...question, cookies }),
    /^GET \/ HTTP\/1\.1\r\nhost: 127\.0\.0\.1:1\r\n[\s\S]*cookie: a=1; b=2\r\n\r\n$/
  )
  t.match(write({ ...question, form: { x: 'é' } }), /^POST [\s\S]*content-length: 8\r\n\r\nx=%C3%A9$/)
  t.match(write({ ...question, json: {} }), /^POST [\s\S]*application\/json\r\ncontent-length: 2\r\n\r\n\{\}$/)
})

t.test('cookies are kept and cleared as a browser does', async (t) => {
  const head =
    'HTTP/1.1 200 OK\r\nset-cookie: new=1; Path=/\r\nSet-Cookie: old=; Max-Age=0; Path=/\r\nset-cookie: kept=2; Max-Age=05'
  const stored = keepCookies(new Map([['old', 'x']]), { status: 200, head, body: '' })
  t.same(
    [...stored],
    [
      ['new', '1'],
      ['kept', '2']
    ]
  )
})

t.test('a wrong response is reported with the expected one', async (t) => {
  const response = { status: 200, head: '', body: 'no one' }
  t.equal(expectResponse(response, 200, 'no one'), response)
  t.throws(() => expectResponse(response, 200, 'Ada'), { message: /expected 200 with Ada, got 200 no one/ })
  t.throws(() => expectResponse(response, 302), { message: /expected 302, got 200/ })
})
