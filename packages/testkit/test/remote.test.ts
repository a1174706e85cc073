import { once } from 'node:events'
import { join } from 'node:path'
import t from 'tap'
import { type Callable, CannotCross, notice, type RemoteProcess, startProcess, whyNot } from '../src/remote.ts'

class Refusal extends Error {
  readonly code: string = 'NO'
}

class Counter {
  #count = 0

  next(): number {
    this.#count += 1
    return this.#count
  }
}

const program = join(import.meta.dirname, 'remote-program.js')
const other: RemoteProcess = startProcess(program, { Refusal })
t.teardown(other.kill)

/** What comes back of a value that was sent there. */
const thereAndBack = (value: unknown): Promise<unknown> => other.call('same', { value })

t.test('it is another process', async (t) => {
  t.equal(await other.call('pid'), other.pid)
  t.not(other.pid, process.pid)
})

t.test('values come as they went', async (t) => {
  const values = [
    null,
    undefined,
    'text',
    12n,
    new Date(5),
    Buffer.from('bytes'),
    /a+/g,
    ['list', { of: ['objects'] }],
    new Map([['key', new Set([1, 2])]]),
    new URL('https://app.test/?a=b'),
    Symbol.for('known')
  ]
  t.same(await thereAndBack(values), values)
  const [key] = Object.getOwnPropertySymbols(await thereAndBack({ [Symbol('own')]: 1 }))
  t.equal(key?.description, 'own', 'a key that is a symbol keeps its description')
  const headers = await thereAndBack(
    new Headers([
      ['set-cookie', 'a=1'],
      ['set-cookie', 'b=2']
    ])
  )
  t.ok(headers instanceof Headers && headers.getSetCookie().length === 2)
})

t.test('a function is called where it is at home, and answers at once where it does so there', async (t) => {
  let time = 1
  t.same(await other.call('now', { now: () => time++ }), [1, 2])
  t.same(await other.call('later', { later: async () => 'soon' }), [true, 'soon'])
  t.equal(await other.call('lent', { borrow: (greet: Callable) => greet('Ada') }), 'hello Ada')
  const own = (): string => 'own'
  t.equal(await thereAndBack(own), own, 'and is itself where it comes home')
})

t.test('a method is the one that its object has when it is called', async (t) => {
  const object = { name: () => 'first' }
  const change = (): void => {
    object.name = () => 'second'
  }
  t.same(await other.call('twice', { object, change }), ['first', 'second'])
})

t.test('an instance of a class crosses as its methods', async (t) => {
  const counter = new Counter()
  counter.next()
  const next = counter.next.bind(counter)
  t.same(await other.call('now', { now: next }), [2, 3])
  t.equal(whyNot({ counter }), null)
})

t.test('an error keeps its class, its properties and its cause', async (t) => {
  const refuse = (): never => {
    throw Object.assign(new RangeError('too far', { cause: new Refusal('no') }), { limit: 3 })
  }
  const { isKnown, error } = (await other.call('thrown', { refuse })) as { isKnown: boolean; error: unknown }
  t.ok(isKnown, 'there')
  t.ok(error instanceof RangeError, 'and here')
  t.match(error, { message: 'too far', limit: 3, cause: { message: 'no', code: 'NO' } })
  await t.rejects(other.call('nothing'), new TypeError('there is no task nothing'))
  const gone = (await thereAndBack(new Refusal('no'))) as Error
  t.equal(gone.name, 'Error')
})

t.test('a response of the web is read where it is needed', async (t) => {
  const headers = new Headers([
    ['set-cookie', 'a=1'],
    ['set-cookie', 'b=2']
  ])
  const fetch = async (): Promise<Response> => new Response('a body', { status: 201, headers })
  t.same(await other.call('fetched', { fetch }), { status: 201, cookies: ['a=1', 'b=2'], body: 'a body' })
})

t.test('an abort on one side reaches the other', async (t) => {
  const fetch = async (_: string, { signal }: { signal: AbortSignal }): Promise<string> => {
    if (!signal.aborted) await once(signal, 'abort')
    return String(signal.reason)
  }
  t.match(await other.call('aborted', { fetch }), 'AbortError')
})

t.test('notices arrive in order, before the response', async (t) => {
  const reported: unknown[] = []
  await other.call('notify', { report: notice((count: unknown) => void reported.push(count)) })
  t.same(reported, [0, 1, 2])
})

t.test('what is bound to a process is refused', async (t) => {
  t.match(whyNot({ result: Promise.resolve() }), 'a promise')
  t.match(whyNot({ key: Symbol('own') }), 'one process only')
  t.match(whyNot({ response: new Request('https://app.test') }), 'more than methods')
  t.equal(await other.call('requested', { ask: () => 'unseen' }), 'unseen', 'an argument that no one looks at')
  await t.rejects(other.call('requested', { ask: ({ url }: Request) => url }), { message: /more than methods/ })
  await t.rejects(other.call('same', { value: Promise.resolve() }), CannotCross)
})
