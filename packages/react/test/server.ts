import type { Session } from '@postern/core'

export interface Request {
  readonly method: string
  readonly url: string
  readonly body: string
  readonly headers: Headers
}

/** The routes, as the client meets them. */
export interface Server {
  readonly send: (url: string, init?: RequestInit) => Promise<Response>
  readonly requests: Request[]
  /** One text for each request: `GET /api/auth/session`. */
  readonly requested: () => readonly string[]
  session: Session | null
  /** What a route responds instead, by its name. */
  readonly results: Map<string, () => Response>
  /** Holds back the following responses; each has the state at the time of its request. @returns How to let one go, by default the oldest. */
  readonly hold: () => { readonly release: (at?: number) => Promise<void>; readonly waiting: () => number }
}

export const ada: Session = { user: { name: 'Ada', email: 'ada@example.com' }, expires: '2030-01-01T00:00:00.000Z' }
export const grace: Session = { ...ada, user: { name: 'Grace', email: 'grace@example.com' } }

const provider = (id: string, type: string) => ({
  id,
  type,
  name: id,
  signinUrl: `https://app.test/api/auth/signin/${id}`,
  callbackUrl: `https://app.test/api/auth/callback/${id}`
})
const providers = {
  demo: provider('demo', 'oauth'),
  email: provider('email', 'email'),
  credentials: provider('credentials', 'credentials')
}

/** Lets everything happen that waits for nothing else. */
export const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

export function createServer(session: Session | null = null): Server {
  const requests: Request[] = []
  let gates: (() => void)[] | null = null

  const respond = (route: string, server: Server): Response => {
    const given = server.results.get(route)
    if (given) return given()
    if (route === 'session') return Response.json(server.session ?? {})
    if (route === 'csrf') return Response.json({ csrfToken: 'token' })
    if (route === 'providers') return Response.json(providers)
    return Response.json({ url: `https://app.test/after/${route}` })
  }

  const server: Server = {
    requests,
    session,
    results: new Map(),
    requested: () => requests.map(({ method, url }) => `${method} ${url}`),
    send: async (url, init = {}) => {
      requests.push({
        url,
        method: init.method ?? 'GET',
        body: String(init.body ?? ''),
        headers: new Headers(init.headers)
      })
      const response = respond(/\/(session|csrf|providers|signin|signout|callback)\b/.exec(url)?.[1] ?? '', server)
      if (gates) await new Promise<void>((resolve) => gates?.push(resolve))
      return response
    },
    hold: () => {
      const mine: (() => void)[] = []
      gates = mine
      return {
        waiting: () => mine.length,
        release: async (at = 0) => {
          mine.splice(at, 1)[0]?.()
          await settled()
        }
      }
    }
  }
  return server
}

/** Catches what is written to the console as an error. */
export function catchErrors(t: { readonly teardown: (work: () => void) => unknown }): unknown[][] {
  const lines: unknown[][] = []
  const { error } = console
  console.error = (...line: unknown[]) => void lines.push(line)
  t.teardown(() => {
    console.error = error
  })
  return lines
}
