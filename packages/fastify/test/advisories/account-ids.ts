import { sign } from 'node:crypto'
import { memoryAdapter } from '@postern/adapters/memory'
import type { Adapter, OAuthConfig } from '@postern/core'
import credentials from '@postern/core/providers/credentials'
import type { Test } from 'tap'
import { getSession, origin, type StartOptions, signInAtIssuer, start } from '../start.ts'
import { someStrategies } from './linking-setup.ts'
import type { Replay } from './replay.ts'

/** Two people; both ids are 9007199254740992 to `JSON.parse`. */
const [ada, eve] = ['9007199254740992', '9007199254740993']

/** A provider that is not an OpenID Provider: its userinfo is the profile. */
const plain: Partial<OAuthConfig> = {
  type: 'oauth',
  issuer: undefined,
  idToken: false,
  authorization: { url: 'https://issuer.test/authorize', params: { scope: 'openid' } },
  token: 'https://issuer.test/token',
  userinfo: 'https://issuer.test/userinfo'
}

type Faults = Awaited<ReturnType<typeof start>>['issuer']['faults']
type Signing = NonNullable<Faults['idTokenSignature']>

const json = (text: string): Response => new Response(text, { headers: { 'content-type': 'application/json' } })

/** Signs the JSON of claims in which `#1` stands for the number 1: jose would round it. */
const signExactly: Signing = (claims, { kid, privateKey }) => {
  const payload = JSON.stringify(claims).replaceAll(/"#([^"]+)"/g, '$1')
  const input = [JSON.stringify({ alg: 'ES256', kid }), payload].map((part) => Buffer.from(part).toString('base64url'))
  const data = Buffer.from(input.join('.'))
  const signature = sign('sha256', data, { key: privateKey, dsaEncoding: 'ieee-p1363' })
  return [...input, signature.toString('base64url')].join('.')
}

type Id = string | number | null | undefined

/** How next-auth's providers and their applications convert an id. */
const mappings: readonly (readonly [name: string, map: (id: Id) => Id])[] = [
  ['id', (id) => id],
  ['String(id)', (id) => String(id)],
  ['id.toString()', (id) => id?.toString()],
  ['a template', (id) => `${id}`]
]

/** Signs both people in. @returns The users who have their ids. */
async function signInBoth(t: Test, options: StartOptions, prepare: (faults: Faults) => void) {
  const started = await start(t, { session: { strategy: 'database' }, ...options })
  prepare(started.issuer.faults)
  const owners: (string | undefined)[] = []
  for (const sub of [ada, eve]) {
    const { location } = await signInAtIssuer(started, started.newBrowser(), { sub })
    t.equal(location, origin, sub)
    owners.push((await started.adapter?.getUserByAccount?.({ provider: 'demo', providerAccountId: sub }))?.id)
  }
  return owners
}

async function areTwo(t: Test, options: StartOptions, prepare: (faults: Faults) => void, title: string): Promise<void> {
  const [first, second] = await signInBoth(t, options, prepare)
  t.ok(first, `${title}: the first has exactly this id`)
  t.ok(second, `${title}: so has the second`)
  t.not(first, second, `${title}: they are two users`)
}

/** Signs one person in, who must be refused. */
async function isRefused(t: Test, options: StartOptions, prepare: (faults: Faults) => void, title: string) {
  const started = await start(t, { session: { strategy: 'database' }, ...options })
  prepare(started.issuer.faults)
  const { location } = await signInAtIssuer(started, started.browser, { sub: eve })
  t.match(location, /error=OAuthCallback/, title)
  t.same(await getSession(started.browser), {}, title)
  t.equal(started.store.count('createUser') + started.store.count('createUserWithAccount'), 0, title)
  t.ok(
    started.log.some((line) => /profile failed: .*(numeric|missing)/.test(line)),
    `${title}: the log contains the reason`
  )
}

/** Accounts of people whose ids are numbers. */
export const accountIds: readonly Replay[] = [
  [
    'P9a',
    'two numeric ids above 2^53 in userinfo are one person',
    async (t) => {
      for (const [name, map] of mappings) {
        const profile = ({ id }: { id: number }) => ({ id: Object(map(id)).valueOf() })
        await areTwo(
          t,
          { demo: { ...plain, profile } },
          (faults) => {
            faults.userinfo = ({ sub }) => json(`{"id": ${sub}, "name": "${sub}"}`)
          },
          name
        )
      }
    }
  ],
  [
    'P9b',
    'two numeric claims above 2^53 of an ID Token, or of signed userinfo, are one person',
    async (t) => {
      for (const [name, map] of mappings) {
        const profile = ({ uid }: { uid: number }) => ({ id: Object(map(uid)).valueOf() })
        const prepare = (faults: Faults): void => {
          faults.idTokenClaims = (claims) => ({ ...claims, uid: `#${claims.sub}` })
          faults.idTokenSignature = signExactly
        }
        await areTwo(t, { demo: { profile } }, prepare, `ID Token, ${name}`)
        const signed = (faults: Faults): void => {
          faults.userinfo = async ({ sub }, key) => {
            const claims = { iss: 'https://issuer.test', aud: 'client', sub, uid: `#${sub}` }
            return new Response(await signExactly(claims, key), { headers: { 'content-type': 'application/jwt' } })
          }
        }
        const metadata = { userinfo_signing_alg_values_supported: ['ES256'] }
        await areTwo(
          t,
          { demo: { profile, client: { userinfo_signed_response_alg: 'ES256' }, userinfo: plain.userinfo } },
          (faults) => {
            faults.metadata = (published) => ({ ...published, ...metadata })
            signed(faults)
          },
          `signed userinfo, ${name}`
        )
      }
    }
  ],
  [
    'P9c',
    'two numeric ids above 2^53 in the token response are one person',
    async (t) => {
      const profile = (_: unknown, tokens: object) => ({ id: String(Object(tokens).athlete.id) })
      let sub = ada
      const prepare = (faults: Faults): void => {
        faults.userinfo = (claims) => json(`{"name": "${claims.sub}"}`)
        faults.result = async (response, { url, body }) => {
          if (!url.endsWith('/token')) return response
          const text = await response.text()
          t.ok(body)
          const found = json(text.replace('{', `{"athlete": {"id": ${sub}},`))
          sub = eve
          return found
        }
      }
      const conform = async (response: Response): Promise<Response> =>
        Response.json({ ...Object(await response.json()) })
      for (const token of [plain.token, { url: 'https://issuer.test/token', conform }]) {
        sub = ada
        await areTwo(t, { demo: { ...plain, token, profile } }, prepare, typeof token)
      }
    }
  ],
  [
    'P9d',
    'an id that the application’s own request has rounded already',
    async (t) => {
      const rounded = Number(eve)
      for (const [name, map] of mappings) {
        const profile = ({ person: { id } }: { person: { id: number } }) => ({ id: Object(map(id)).valueOf() })
        const request = async () => ({ person: { id: rounded } })
        const userinfo = { url: 'https://issuer.test/userinfo', request }
        await isRefused(t, { demo: { ...plain, userinfo, profile } }, () => undefined, `userinfo.request, ${name}`)
        const token = {
          url: 'https://issuer.test/token',
          request: async () => ({ tokens: { access_token: 'a', user: { id: rounded } } })
        }
        await isRefused(
          t,
          {
            demo: {
              ...plain,
              token,
              userinfo: { url: 'https://issuer.test/userinfo', request: async () => ({}) },
              profile: (_: unknown, tokens: object) => ({ id: `u-${map(Object(tokens).user.id)}` })
            }
          },
          () => undefined,
          `token.request, ${name}`
        )
      }
    }
  ],
  [
    'P9e',
    'a number that is not an integer in plain notation, or text of a value that was missing, is an id',
    async (t) => {
      const ids = [2 ** 53, -(2 ** 53), 1e21, 1.5, -0, Number.NaN, Number.POSITIVE_INFINITY, Number.MAX_VALUE]
      const numbers = ids.map((id) => ({ title: `the number ${id}`, profile: () => ({ id }) }))
      const texts = ['undefined', 'null', 'NaN', '[object Object]'].map((id) => ({
        title: `the text ${id}`,
        profile: () => ({ id })
      }))
      const fraction = { title: 'String(1.5)', profile: ({ id }: { id: number }) => ({ id: String(id) }) }
      for (const { title, profile } of [...numbers, ...texts, fraction]) {
        await isRefused(
          t,
          { demo: { ...plain, profile } },
          (faults) => {
            faults.userinfo = () => json('{"id": 1.5, "name": "Eve"}')
          },
          title
        )
      }
    }
  ],
  [
    'P9f',
    'two numeric ids above 2^53 of `authorize` are one person',
    async (t) => {
      for (const strategy of someStrategies()) {
        for (const id of [Number(eve), 1e21, 1.5, -0, Number.NaN]) {
          const people = credentials({
            credentials: { password: { type: 'password' } },
            authorize: () => ({ id, name: 'Eve' })
          })
          const { browser, log } = await start(t, { session: { strategy }, providers: [people] })
          const { location } = await browser.submit('/api/auth/callback/credentials', { password: 'x' })
          t.match(location, /error=CredentialsSignin/, `${strategy}, ${id}`)
          t.same(await getSession(browser), {})
          t.ok(log.some((line) => /authorize.*id: text, or a safe integer/.test(line)))
        }
      }
    }
  ],
  [
    'P9g',
    'two users of a database that counts above 2^53 are one person',
    async (t) => {
      const { findUserVersion: _, ...memory } = memoryAdapter()
      const counting = async (found: unknown): Promise<unknown> => {
        const user = await found
        return user && { ...Object(user), id: Number(eve) }
      }
      const adapter: Adapter = Object.assign({ ...memory }, { getUser: (id: string) => counting(memory.getUser(id)) })
      for (const id of [ada, eve]) await memory.createUser({ id, name: id, email: null, emailVerified: null })
      const people = credentials({
        credentials: { password: { type: 'password' } },
        authorize: () => ({ id: eve, name: 'Eve' })
      })
      const { browser } = await start(t, { adapter, session: { strategy: 'database' }, providers: [people] })
      const { status } = await browser.submit('/api/auth/callback/credentials', { password: 'x' })
      t.equal(status, 503)
      t.same(await getSession(browser), {})
    }
  ],
  [
    'P9h',
    'ids that are safe integers, or digits in text, stay as they are',
    async (t) => {
      for (const [id, expected] of [
        ['7', '7'],
        ['-7', '-7'],
        ['9007199254740991', '9007199254740991'],
        ['"9007199254740993"', eve],
        ['"1e21"', '1e21']
      ] as const) {
        const profile = (raw: { id: unknown }) => ({ id: Object(raw.id).valueOf() })
        const started = await start(t, { session: { strategy: 'database' }, demo: { ...plain, profile } })
        started.issuer.faults.userinfo = () => json(`{"id":${id}}`)
        t.equal((await signInAtIssuer(started, started.browser, { sub: 'eve' })).location, origin)
        t.ok(await started.adapter?.getUserByAccount?.({ provider: 'demo', providerAccountId: expected }), id)
      }
    }
  ]
]
