import type { FastifyInstance } from 'fastify'

interface Watched {
  /** Whatever must stay unread, at the end of a test. */
  readonly secrets: () => readonly (string | null | undefined)[]
  readonly log: readonly string[]
}

/** Collects the values of these cookies, and of their parts, as an application sets them. */
export function collectCookies(app: FastifyInstance, names: readonly string[], values: Set<string>): void {
  app.addHook('onSend', async (_request, reply) => {
    for (const cookie of [reply.getHeader('set-cookie') ?? []].flat()) {
      const [name = '', value = ''] = String(cookie).split(';', 1)[0]?.split('=') ?? []
      if (names.some((known) => name.startsWith(known))) values.add(decodeURIComponent(value))
    }
  })
}

/** Nothing of what a test made secret may be in a line that was logged. @throws Error naming the line. */
export function refuseLeaks({ secrets, log }: Watched): void {
  const text = log.join('')
  for (const secret of secrets()) {
    if (!secret || secret.length < 8 || !text.includes(secret)) continue
    throw new Error(`a secret is in the log: ${log.find((line) => line.includes(secret))}`)
  }
}
