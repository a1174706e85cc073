import { serveParent } from '../src/remote.ts'

type Given = Readonly<Record<string, (...args: readonly unknown[]) => unknown>>

const isGiven = (value: unknown): value is Given => typeof value === 'object' && value !== null

/** What a program does with the functions that it is given. */
const tasks: Readonly<Record<string, (given: Given) => unknown>> = {
  pid: () => process.pid,
  same: ({ value }) => value,
  now: ({ now }) => [now?.(), now?.()],
  later: async ({ later }) => {
    const result = later?.()
    return [result instanceof Promise, await result]
  },
  thrown: ({ refuse }) => {
    try {
      return refuse?.()
    } catch (error) {
      return { isKnown: error instanceof RangeError, error }
    }
  },
  fetched: async ({ fetch }) => {
    const response = await fetch?.('https://app.test/', { signal: AbortSignal.timeout(20_000) })
    if (!(response instanceof Response)) throw new TypeError('expected a response')
    return { status: response.status, cookies: response.headers.getSetCookie(), body: await response.text() }
  },
  aborted: async ({ fetch }) => {
    const controller = new AbortController()
    const result = fetch?.('https://app.test/', { signal: controller.signal })
    controller.abort()
    return result
  },
  twice: async ({ change, object }) => {
    const methods = Object(object)
    const before: unknown = methods.name()
    await change?.()
    return [before, methods.name()]
  },
  lent: ({ borrow }) => borrow?.((name: string) => `hello ${name}`),
  notify: ({ report }) => {
    for (let count = 0; count < 3; count++) report?.(count)
  },
  requested: ({ ask }) => ask?.(new Request('https://app.test'))
}

serveParent(
  (task, given) => {
    const work = tasks[String(task)]
    if (!work) throw new TypeError(`there is no task ${String(task)}`)
    return work(isGiven(given) ? given : {})
  },
  { RangeError }
)
