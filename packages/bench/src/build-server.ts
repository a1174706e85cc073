import { createRequire } from 'node:module'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { answerParent } from './control.ts'
import { clientId, clientSecret, getOrigin, password, secret } from './subjects/subject.ts'

/** The settings of a server with the packages of any checkout. */
export interface BuildSettings {
  /** The folder of the checkout, which is built. */
  readonly root: string
  readonly port: number
  readonly issuer: string
  readonly store: 'postgres' | 'mysql'
  readonly url: string
}

const settings: BuildSettings = JSON.parse(process.argv[2] ?? 'null')
const { root, port, issuer, store, url } = settings

/** The address of a module as that checkout resolves it. */
const resolve = (name: string): string =>
  pathToFileURL(createRequire(join(root, 'packages/bench/package.json')).resolve(name)).href

async function createAdapter(): Promise<object> {
  if (store === 'mysql') {
    const { mysqlAdapter }: typeof import('@postern/adapters/mysql') = await import(resolve('@postern/adapters/mysql'))
    const adapter = mysqlAdapter({ url })
    await adapter.ready()
    return adapter
  }
  const { postgresAdapter }: typeof import('@postern/adapters/postgres') = await import(
    resolve('@postern/adapters/postgres')
  )
  const adapter = postgresAdapter({ url })
  await adapter.ready()
  return adapter
}

const { default: fastify }: typeof import('fastify') = await import(resolve('fastify'))
const { default: postern }: typeof import('@postern/fastify') = await import(resolve('@postern/fastify'))
const { default: oidc }: typeof import('@postern/core/providers/oidc') = await import(
  resolve('@postern/core/providers/oidc')
)
const { default: credentials }: typeof import('@postern/core/providers/credentials') = await import(
  resolve('@postern/core/providers/credentials')
)

const app = fastify()
await app.register(postern, {
  url: getOrigin({ port }),
  secret,
  rateLimit: false,
  adapter: await createAdapter(),
  session: { strategy: 'database' },
  providers: [
    oidc({ id: 'demo', name: 'Demo', issuer, clientId, clientSecret, allowInsecureRequests: true }),
    credentials({
      id: 'people',
      credentials: { username: { label: 'Name' }, password: { label: 'Password', type: 'password' } },
      // Everybody signs in, with a user of their own.
      authorize: ({ username, password: given }) =>
        given === password ? { id: `${username}`, name: `${username}`, email: `${username}@example.com` } : null
    })
  ]
})
await app.listen({ port, host: '127.0.0.1' })
answerParent()
process.send?.({ port })
