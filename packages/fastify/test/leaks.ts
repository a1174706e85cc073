import type { FastifyInstance } from 'fastify'

type Secrets = () => readonly (string | null | undefined)[]

interface Watched {
  /** Values that must not be in the log at the end of a test. */
  readonly secrets: Secrets
  readonly log: readonly string[]
  /** Whatever must stay out of Postern’s pages and JSON: a page that asks before it uses a link holds its token. */
  readonly omitted: Secrets
  readonly bodies: ReadonlySet<string>
}

/** Reports the response bodies of Postern’s routes: pages, JSON, texts. */
export function collectBodies(app: FastifyInstance, basePath: string, report: (text: string) => void): void {
  app.addHook('onSend', async ({ url }, _reply, payload) => {
    if (typeof payload === 'string' && url.startsWith(`${basePath}/`)) report(payload)
  })
}

/** Reports the values of these cookies, and of their parts, as an application sets them. */
export function collectCookies(app: FastifyInstance, names: readonly string[], report: (value: string) => void): void {
  app.addHook('onSend', async (_request, reply) => {
    for (const cookie of [reply.getHeader('set-cookie') ?? []].flat()) {
      const [name = '', value = ''] = String(cookie).split(';', 1)[0]?.split('=') ?? []
      if (names.some((known) => name.startsWith(known))) report(decodeURIComponent(value))
    }
  })
}

function refuse(texts: Iterable<string>, secrets: Secrets, where: string): void {
  const all = [...texts]
  const text = all.join('')
  for (const secret of secrets()) {
    if (!secret || secret.length < 8 || !text.includes(secret)) continue
    throw new Error(`a secret is in ${where}: ${all.find((one) => one.includes(secret))}`)
  }
}

/** No secret of a test may be in a log line or on a page. @throws Error naming the place. */
export function refuseLeaks({ secrets, log, omitted, bodies }: Watched): void {
  refuse(log, secrets, 'the log')
  refuse(bodies, omitted, 'a response')
}
