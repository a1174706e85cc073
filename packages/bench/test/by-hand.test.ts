import { createSign, generateKeyPairSync, type KeyObject } from 'node:crypto'
import { decrypt, deriveKey, encrypt } from '@postern/bench/by-hand/encrypt'
import { verifyIdToken } from '@postern/bench/by-hand/id-token'
import { Connection, type HttpResponse } from '@postern/bench/load/connection'
import { Visitor } from '@postern/bench/load/visitor'
import { getDialect, heldCsrfToken, signInByIssuer } from '@postern/bench/scenarios/dialect'
import { type Entrant, openLineup } from '@postern/bench/scenarios/lineup'
import { asVisitor, visitIssuer } from '@postern/bench/scenarios/site'
import { password } from '@postern/bench/subjects/subject'
import t from 'tap'

const lineup = await openLineup()
t.teardown(() => lineup.close())

/** Records what a server responds to a visitor. */
class Recorder extends Visitor {
  readonly responses: HttpResponse[] = []

  override async ask(question: Parameters<Visitor['ask']>[0]): Promise<HttpResponse> {
    const response = await super.ask(question)
    this.responses.push(response)
    return response
  }
}

/** By hand, one cookie holds what Postern stores in three: the formats of next-auth. */
const threeCookies = /\r\nset-cookie: next-auth\.(pkce\.code_verifier|nonce)=[^\r]*/gi

/** A response without what differs from one to the next: times, random values, the port. */
const masked = ({ status, head, body }: HttpResponse, { site }: Entrant) => ({
  status,
  head: head
    .replaceAll(site.origin, 'ORIGIN')
    .replaceAll(encodeURIComponent(site.origin), 'ORIGIN')
    .replaceAll(threeCookies, '')
    .replaceAll(/(set-cookie: [\w.-]+)=[^;\r]+/gi, '$1=VALUE')
    .replaceAll(/Expires=(?!Thu, 01 Jan 1970)[^;]+/g, 'Expires=TIME')
    .replaceAll(/Max-Age=(\d{3,})/g, (_, age: string) => `Max-Age=${Math.ceil(Number(age) / 10)}`)
    .replaceAll(/(state|nonce|code_challenge)=[\w-]{43}/g, '$1=RANDOM')
    .replace(/location: \S+/i, (line) => line.split(/[?&]/).sort().join('&'))
    .toLowerCase()
    .split('\r\n')
    .filter((line) => !/^(date|content-length|keep-alive|connection):/.test(line))
    .sort(),
  body: body
    .replaceAll(site.origin, 'ORIGIN')
    .replaceAll(/[0-9a-f]{64}/g, 'TOKEN')
    .replaceAll(/"2\d{3}-[^"]+"/g, '"TIME"')
})

/** What a new visitor sees who signs in as in the jobs. */
async function record(entrant: Entrant, isStored: boolean): Promise<Recorder> {
  const { site } = entrant
  const connection = await Connection.open(site.port)
  const visitor = new Recorder(connection, site.origin)
  const ask = async () => {
    await visitor.ask({ path: '/api/auth/session' })
    await visitor.ask({ path: '/me' })
  }
  await ask()
  if (isStored) {
    await getDialect(site).prepareOAuth(visitor)
    await signInByIssuer(site, visitor, connection)
  } else await getDialect(site).signInByForm(visitor)
  await ask()
  connection.close()
  return visitor
}

for (const isStored of [false, true]) {
  t.test(`by hand, ${isStored ? 'a sign-in at the provider' : 'a form'} is answered as Postern does`, async (t) => {
    const file = isStored ? 'one file for both' : null
    const postern = await lineup.start('postern', isStored, { file })
    const expected = await record(postern, isStored)
    const byHand = await lineup.start('by-hand', isStored, { file })
    const actual = await record(byHand, isStored)
    t.same(
      actual.responses.map((response) => masked(response, byHand)),
      expected.responses.map((response) => masked(response, postern))
    )
    for (const [visitor, { site }] of [
      [expected, byHand],
      [actual, postern]
    ] as const)
      await asVisitor(site, async (other) => {
        other.cookies = visitor.cookies
        const { body } = await other.ask({ path: '/api/auth/session' })
        t.match(body, /"email":"ada@example\.com".*"expires"/, `${site.subject} reads the session of the other`)
      })
    await postern.server.stop()
    await byHand.server.stop()
  })
}

t.test('by hand, a form of another site, another state and a changed cookie are refused', async (t) => {
  const [plain, stored] = [await lineup.start('by-hand', false), await lineup.start('by-hand', true)]
  await asVisitor(plain.site, async (visitor) => {
    const sign = async (form: Record<string, string>) =>
      (await visitor.ask({ path: '/api/auth/callback/people', form: { username: 'ada@example.com', ...form } })).status
    t.equal(await sign({ password, csrfToken: '' }), 403, 'no token')
    await getDialect(plain.site).prepareOAuth(visitor)
    t.equal(await sign({ password, csrfToken: '0'.repeat(64) }), 403, 'another token')
    t.equal(await sign({ password: 'a guess', csrfToken: heldCsrfToken(visitor) }), 401)
    await getDialect(plain.site).signInByForm(visitor)
    const name = 'next-auth.session-token'
    const token = visitor.cookies.get(name) ?? ''
    for (const value of [`${token.slice(0, -4)}AAAA`, token.replace('..', '..A'), 'x']) {
      visitor.cookies = new Map([[name, value]])
      t.equal((await visitor.ask({ path: '/me' })).status, 401)
    }
  })
  await asVisitor(stored.site, async (visitor) => {
    const { site } = stored
    await getDialect(site).prepareOAuth(visitor)
    const { cookies } = visitor
    const location = await getDialect(site).startOAuth(visitor)
    const back = await visitIssuer(site, visitor.connection, location)
    const started = visitor.cookies
    const get = async (path: string) => (await visitor.ask({ path })).status
    t.equal(await get(back.replace(/state=[^&]+/, `state=${'A'.repeat(43)}`)), 403, 'another state')
    t.equal(await get(back.replace(/iss=[^&]+/, 'iss=https%3A%2F%2Fother.test')), 403, 'another issuer')
    visitor.cookies = cookies
    t.equal(await get(back), 403, 'another browser')
    visitor.cookies = started
    t.equal(await get(back), 302)
    t.equal(await get(back), 403, 'a second time')
  })
})

t.test('by hand, a text is decrypted only as it was encrypted', async (t) => {
  const [key, other] = [deriveKey('one'), deriveKey('another')]
  const token = encrypt(key, 'Ada ☂')
  t.equal(decrypt(key, token), 'Ada ☂')
  t.equal(decrypt(other, token), null)
  for (const wrong of ['', 'x', token.slice(0, -2), token.replace('..', '.x.'), token.replace('eyJ', 'eyK')])
    t.equal(decrypt(key, wrong), null, wrong)
})

const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
const encode = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url')

function issue(claims: object, header: object = { alg: 'RS256', kid: 'one' }): string {
  const signed = `${encode(header)}.${encode(claims)}`
  return `${signed}.${createSign('sha256').update(signed).sign(privateKey, 'base64url')}`
}

t.test('by hand, an ID Token is verified', async (t) => {
  const now = 1_800_000_000
  const expected = { issuer: 'https://issuer.test', clientId: 'client', nonce: 'nonce', accessToken: 'token', now }
  const claims = { iss: expected.issuer, aud: 'client', sub: 'ada', nonce: 'nonce', iat: now, exp: now + 300 }
  const findKey = async (id: string): Promise<KeyObject> => {
    if (id !== 'one') throw new Error('unknown key')
    return publicKey
  }
  const check = (token: string) => verifyIdToken(token, findKey, expected)
  t.match(await check(issue(claims)), claims)
  t.match(await check(issue({ ...claims, aud: ['client', 'more'], azp: 'client' })), { sub: 'ada' })
  for (const wrong of [
    { iss: 'https://other.test' },
    { aud: 'other' },
    { aud: ['other'] },
    { azp: 'other' },
    { nonce: 'other' },
    { nonce: undefined },
    { exp: now - 20 },
    { iat: now + 20 },
    { iat: now - 100_000 },
    { at_hash: 'other' }
  ])
    await t.rejects(check(issue({ ...claims, ...wrong })), Error, JSON.stringify(wrong))
  await t.rejects(check(issue(claims, { alg: 'none', kid: 'one' })), /RS256/)
  await t.rejects(check(issue(claims, { alg: 'RS256', kid: 'two' })), /unknown key/)
  const [header, , signature] = issue(claims).split('.')
  await t.rejects(check(`${header}.${encode({ ...claims, sub: 'eve' })}.${signature}`), /signature/)
})
