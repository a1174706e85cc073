import { createClock } from '@postern/testkit'
import t from 'tap'
import { decryptList, type Expiring } from '../../src/tokens/encrypted-list.ts'
import { decryptText, encryptText } from '../../src/tokens/jwe.ts'
import { type KeyRing, keyRing, type Purpose, sessionKeyInfo, sessionKeyRing } from '../../src/tokens/keys.ts'

const purposes: readonly Purpose[] = [
  ...(['session', 'state'] as const),
  ...(['email request', 'email token', 'code', 'session token'] as const)
]
const secrets = ['a new secret', 'an old secret']
const rings: readonly (readonly [name: string, ring: KeyRing])[] = [
  ...purposes.map((purpose) => [purpose, keyRing(secrets, purpose)] as const),
  ['next-auth session', sessionKeyRing(secrets)],
  ['next-auth salted', sessionKeyRing(secrets, 'next-auth.state')]
]

t.test('secret-2: a value encrypted for one purpose cannot be decrypted for another', async (t) => {
  for (const [encrypted, writing] of rings) {
    const token = await encryptText(writing, 'text')
    for (const [decrypted, reading] of rings) {
      t.equal(
        await decryptText(reading, token),
        encrypted === decrypted ? 'text' : null,
        `encrypted for ${encrypted}, decrypted for ${decrypted}`
      )
    }
  }
})

t.test('the first secret writes, every one reads', async (t) => {
  const [ring, newOnly, oldOnly] = [secrets, secrets.slice(0, 1), secrets.slice(1)].map((some) =>
    keyRing(some, 'state')
  )
  if (!ring || !newOnly || !oldOnly) return t.fail()
  const token = await encryptText(ring, 'text')
  t.equal(await decryptText(newOnly, token), 'text')
  t.equal(await decryptText(oldOnly, token), null)
  t.equal(await decryptText(ring, await encryptText(oldOnly, 'text')), 'text')
})

t.test('the key derivation includes the salt if there is one, as in next-auth v4', async (t) => {
  t.equal(sessionKeyInfo(''), 'NextAuth.js Generated Encryption Key')
  t.equal(sessionKeyInfo('a'), 'NextAuth.js Generated Encryption Key (a)')
})

t.test('no secret, or an empty one, creates no key: anyone could forge tokens', async (t) => {
  for (const none of [[], [''], ['a secret', '']]) {
    t.throws(() => keyRing(none, 'session'), TypeError)
    t.throws(() => sessionKeyRing(none), TypeError)
  }
})

interface Entry extends Expiring {
  readonly id: string
}

t.test('an encrypted list returns the entries that have not expired, and nothing for anything else', async (t) => {
  const clock = createClock()
  const ring = keyRing(secrets, 'state')
  const isEntry = (entry: Expiring): entry is Entry => 'id' in entry && typeof entry.id === 'string'
  const ends = clock.now() / 1000 + 900
  const open = async (text: string | undefined): Promise<readonly string[]> =>
    (await decryptList(ring, text === undefined ? text : await encryptText(ring, text), isEntry, clock.now())).map(
      ({ id }) => id
    )
  const app = '/api/auth'
  const list = JSON.stringify([
    { id: 'a', ends, app },
    { id: 'b', ends: ends - 900, app },
    { id: 'c', ends: ends - 899, app },
    { id: 1, ends, app },
    { id: 'd', ends: String(ends), app },
    { id: 'e', app },
    { id: 'g', ends },
    ...[null, 'f', 1, []]
  ])
  t.same(await open(list), ['a', 'c'])
  clock.advance(899)
  t.same(await open(list), ['a'])
  clock.advance(1)
  t.same(await open(list), [])
  for (const text of [undefined, '', 'no JSON', '{}', 'null', '{"length":1,"0":{}}'])
    t.same(await open(text), [], String(text))
  t.same(await decryptList(ring, 'not encrypted', isEntry, clock.now()), [])
  t.same(await decryptList(keyRing(['another'], 'state'), await encryptText(ring, list), isEntry, 0), [])
})
