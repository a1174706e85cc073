import { decodeJwt } from 'jose'
import { declareTests } from './checks.ts'
import { installPackages } from './packages.ts'
import { type Handler, serve } from './web-server.ts'

const version = '0.4.3'

/** The functions of its modules, as far as they are used here. */
interface Modules {
  readonly issuer: (options: object) => { readonly fetch: Handler }
  readonly MemoryStorage: () => unknown
  readonly CodeProvider: (options: object) => unknown
}

async function load(): Promise<Modules> {
  const load = await installPackages('openauth', { '@openauthjs/openauth': version, arctic: '2.3.4', hono: '4.13.19' })
  const names = ['@openauthjs/openauth', '@openauthjs/openauth/storage/memory', '@openauthjs/openauth/provider/code']
  return Object.assign({}, ...(await Promise.all(names.map(load))))
}

const getPage = (fields: string): Response =>
  new Response(`<form method="post">${fields}</form>`, { headers: { 'content-type': 'text/html' } })

/** Accepts every value, by Standard Schema. */
const anything = { '~standard': { version: 1, vendor: 'tests', validate: (value: unknown) => ({ value }) } }

declareTests({
  name: 'OpenAuth',
  version,
  user: { name: 'Ada', email: 'ada@example.com' },
  offers: { refresh: true, signOut: false, backchannelLogout: false, fresh: false },
  start: async (t) => {
    const { issuer, MemoryStorage, CodeProvider } = await load()
    let code = ''
    const server = issuer({
      storage: MemoryStorage(),
      subjects: { user: anything },
      allow: async () => true,
      providers: {
        code: CodeProvider({
          request: async (_request: Request, { type }: { type: string }) =>
            type === 'start'
              ? getPage('<input name="email"><button name="action" value="request">Send</button>')
              : getPage('<input name="code"><button name="action" value="verify">Sign in</button>'),
          sendCode: async (_claims: unknown, sent: string) => {
            code = sent
          }
        })
      },
      success: async (
        ctx: { subject: (type: string, properties: object) => Promise<Response> },
        { claims }: { claims: object }
      ) => ctx.subject('user', { id: 'ada', name: 'Ada', ...claims })
    })
    const url = await serve(t, () => server.fetch)
    return {
      provider: {
        type: 'oauth',
        authorization: `${url}/authorize`,
        token: `${url}/token`,
        client: { token_endpoint_auth_method: 'none' },
        // There is no userinfo endpoint: the user is in the access token.
        userinfo: { request: ({ tokens }) => Object(decodeJwt(tokens.access_token ?? '')['properties']) },
        profile: ({ id, name, email }) => ({ id: String(id), name: String(name), email: String(email) })
      },
      act: (visitor, page) =>
        visitor.fill(page, 'form', page.body.includes('email') ? { email: 'ada@example.com' } : { code })
    }
  }
})
