import { readFileSync } from 'node:fs'
import { cpuTime } from '@postern/testkit'
import { CompactEncrypt } from 'jose'
import t, { type Test } from 'tap'
import { parseCookies } from '../src/cookies/parse.ts'
import { serializeCookie } from '../src/cookies/serialize.ts'
import { decode, encode } from '../src/jwt.ts'
import { equalInConstantTime } from '../src/tokens/hash.ts'
import { sessionKeyRing } from '../src/tokens/keys.ts'

const secret = 'a secret of the tests, 32 characters or more'
const bytes = (text: string): Uint8Array => new TextEncoder().encode(text)
const base64url = (text: string): string => Buffer.from(text).toString('base64url')

/** A session token with Postern’s key and a header of the attacker's. */
async function forged(
  header: { readonly alg: string; readonly enc: string; readonly [name: string]: unknown },
  claims: object
): Promise<string> {
  const key = await sessionKeyRing([secret]).writing
  return new CompactEncrypt(bytes(JSON.stringify(claims))).setProtectedHeader(header).encrypt(key)
}

/** The claims of a token, or the result for an invalid one. */
async function read(token: string): Promise<unknown> {
  return decode({ token, secret }).catch((error: unknown) => String(error))
}

const refused = 'TypeError: the session token is invalid, foreign or expired'

const now = (): number => Math.floor(Date.now() / 1000)
const claims = (): object => ({ sub: '1', iat: now(), exp: now() + 60 })

const replays: readonly (readonly [id: string, attack: string, play: (t: Test) => Promise<unknown>])[] = [
  [
    'A57',
    'a comparison that ends at the first difference',
    async (t) => {
      for (const [left, right] of [
        ['', 'a'],
        ['a', ''],
        ['abc', 'ab'],
        ['ab', 'abc'],
        ['abc', 'abd'],
        ['abc', 'bbc'],
        ['abab', 'ab'],
        ['a'.repeat(64), 'a'.repeat(63)]
      ] as const) {
        t.notOk(equalInConstantTime(left, right), `${left} is not ${right}`)
      }
      t.ok(equalInConstantTime('', '') && equalInConstantTime('abc', 'abc'))
    }
  ],
  [
    'A58',
    'a name, a path or a value of a cookie adds attributes',
    async (t) => {
      const attributes = { path: '/', httpOnly: true, secure: true, sameSite: 'lax' } as const
      for (const text of [
        ';',
        '; Domain=evil.test',
        '\r\nSet-Cookie: a=b',
        ',',
        ' ',
        '"',
        '\\',
        '\0',
        '\u00e4',
        '%',
        '=',
        '\ud83d\ude00',
        '__proto__'
      ]) {
        const header = serializeCookie('name', { value: text, attributes, expires: null }, 0)
        t.equal(header.split(';').length, 5, `${JSON.stringify(text)}: one value and four attributes`)
        t.equal(parseCookies(header.split(';')[0]).get('name'), text, 'which reads back')
        const planted = [{ path: `/${text}` }, { domain: `app.test${text}` }]
        for (const more of planted) {
          if (!/[;\r\n\0]/.test(text)) continue
          t.throws(() =>
            serializeCookie('name', { value: '', attributes: { ...attributes, ...more }, expires: null }, 0)
          )
        }
        if (!/^[\w!#$%&'*+.^`|~-]+$/.test(text)) {
          t.throws(
            () => serializeCookie(`name${text}`, { value: '', attributes, expires: null }, 0),
            `${JSON.stringify(text)} in a name`
          )
        }
      }
    }
  ],
  [
    'A70',
    'a token in another encryption, or damaged in any way, reveals how it failed',
    async (t) => {
      for (const enc of ['A128CBC-HS256', 'A192GCM', 'A128GCM']) {
        const key = await sessionKeyRing([secret]).writing
        const length = { 'A128CBC-HS256': 32, A192GCM: 24, A128GCM: 16 }[enc] ?? 32
        const token = await new CompactEncrypt(bytes(JSON.stringify(claims())))
          .setProtectedHeader({ alg: 'dir', enc })
          .encrypt(key.slice(0, length))
        t.match(await read(token), refused, enc)
      }
      const token = await encode({ token: { sub: '1' }, secret })
      t.match(await decode({ token, secret }), { sub: '1' })
      const results = new Set<unknown>()
      for (let position = 0; position < token.length; position++) {
        const letter = token[position] === 'A' ? 'B' : 'A'
        const damaged = token.slice(0, position) + letter + token.slice(position + 1)
        // The last letter of a part may hold bits that say nothing.
        if (
          Buffer.from(damaged.split('.')[4] ?? '', 'base64url').equals(
            Buffer.from(token.split('.')[4] ?? '', 'base64url')
          ) &&
          position === token.length - 1
        )
          continue
        results.add(await read(damaged))
      }
      for (const cut of [1, 20, token.length - 1]) results.add(await read(token.slice(0, cut)))
      t.equal(results.size, 1, 'of every damaged token the same is said')
      t.match([...results][0], refused)
    }
  ],
  [
    'A71',
    'a header that makes the server work',
    async (t) => {
      const header = base64url(
        JSON.stringify({ alg: 'PBES2-HS256+A128KW', enc: 'A256GCM', p2c: 10_000_000, p2s: 'AAAAAAAAAAA' })
      )
      const token = `${header}.${'A'.repeat(54)}.${'A'.repeat(16)}.AAAA.${'A'.repeat(22)}`
      await read(token)
      const signIn = cpuTime()
      t.match(await read(token), refused)
      const took = cpuTime() - signIn
      t.ok(took < 50, `refused in ${took.toFixed(1)} ms`)
    }
  ],
  [
    'A72',
    'a small token that unpacks into a large one',
    async (t) => {
      const token = await forged(
        { alg: 'dir', enc: 'A256GCM', zip: 'DEF' },
        { ...claims(), fill: 'a'.repeat(100_000) }
      ).catch(() => null)
      const header = base64url(JSON.stringify({ alg: 'dir', enc: 'A256GCM', zip: 'DEF' }))
      const own = await encode({ token: { sub: '1' }, secret })
      const relabelled = [header, ...own.split('.').slice(1)].join('.')
      for (const text of [token ?? relabelled, relabelled]) t.match(await read(text), refused)
      t.match(
        await decode({ token: await forged({ alg: 'dir', enc: 'A256GCM' }, claims()), secret }),
        { sub: '1' },
        'without it the token is taken'
      )
    }
  ],
  [
    'A73',
    'a key that is not a secret',
    async (t) => {
      t.throws(() => sessionKeyRing(['']))
      t.throws(() => sessionKeyRing([]))
      t.throws(() => sessionKeyRing([secret, '']))
      const token = await encode({ token: { sub: '1' }, secret })
      t.equal(await Promise.resolve(decode({ token, secret: '' })).catch(() => null), null)
      t.equal(await Promise.resolve(decode({ token, secret: `${secret} ` })).catch(() => null), null)
    }
  ],
  [
    'A89',
    'a mail library with known holes',
    async (t) => {
      const own = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as {
        peerDependencies: { nodemailer: string }
      }
      t.equal(own.peerDependencies.nodemailer, '>=10.4.1')
    }
  ]
]

for (const [id, attack, play] of replays) t.test(`${id} ${attack}`, play)

t.comment(`advisory replays of the core: ${replays.length}`)
