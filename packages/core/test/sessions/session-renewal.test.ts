import t from 'tap'
import { exceedsIdle, isExpired, limitIdle, needsRenewal, nextExpiry } from '../../src/sessions/session-renewal.ts'
import { isStoredForm, storedForms, toStored } from '../../src/sessions/session-token.ts'
import { keyRing } from '../../src/tokens/keys.ts'

const now = Date.parse('2030-01-01T00:00:00Z')
const rolling = { maxAge: 1000, updateAge: 100, absoluteMaxAge: null, isIdleLimited: false }
const bounded = { ...rolling, absoluteMaxAge: 1500 }
const at = (seconds: number): Date => new Date(now + seconds * 1000)

t.test('a session lasts its maximum age from now, and never beyond the absolute limit', async (t) => {
  t.same(nextExpiry(now, at(0), rolling), at(1000))
  t.same(nextExpiry(now, null, rolling), at(1000))
  t.same(nextExpiry(now, at(-400), bounded), at(1000))
  t.same(nextExpiry(now, at(-501), bounded), at(999))
  t.same(nextExpiry(now, at(-1500), bounded), at(0))
  t.same(nextExpiry(now, null, bounded), at(1000), 'one that does not say when it started has no such limit')
})

t.test('a session ends at its expiry, and at the absolute limit whatever its expiry', async (t) => {
  t.equal(isExpired(now, at(1), null, rolling), false)
  t.equal(isExpired(now, at(0), null, rolling), true)
  t.equal(isExpired(now, at(-1), null, rolling), true)
  t.equal(isExpired(now, at(500), at(-1499), bounded), false)
  t.equal(isExpired(now, at(500), at(-1500), bounded), true)
  t.equal(isExpired(now, at(500), at(-1500), rolling), false)
})

t.test('an idle timeout also limits sessions that were written with a longer lifetime', async (t) => {
  const idle = { ...rolling, isIdleLimited: true }
  t.same(limitIdle(at(5000), at(-400), idle), at(600))
  t.same(limitIdle(at(500), at(-400), idle), at(500))
  t.same(limitIdle(at(5000), null, idle), at(5000))
  t.same(limitIdle(at(5000), at(-400), rolling), at(5000))
  t.equal(exceedsIdle(at(1061), at(1000), idle), true)
  t.equal(exceedsIdle(at(1060), at(1000), idle), false, 'the clocks of two servers may differ')
  t.equal(exceedsIdle(at(5000), at(1000), rolling), false)
})

t.test('a session is renewed once it is old enough', async (t) => {
  t.equal(needsRenewal(now, at(-99).getTime(), rolling), false)
  t.equal(needsRenewal(now, at(-100).getTime(), rolling), true)
  t.equal(needsRenewal(now, now, { ...rolling, updateAge: 0 }), true)
})

const ring = keyRing(['new', 'old'], 'session token')

t.test('the store holds a keyed hash, and no value of it works as a cookie', async (t) => {
  const stored = await toStored('token', ring, 'hashed')
  t.match(stored, /^h1\.[\w-]{43}$/)
  t.equal(await toStored('token', ring, 'both'), stored)
  t.equal(await toStored('token', ring, 'plain'), 'token')
  for (const storage of ['hashed', 'both', 'plain'] as const) {
    t.same(await storedForms(stored, ring, storage), [], storage)
    t.same(await storedForms('h1.', ring, storage), [])
    t.same(await storedForms(`h1.${'a'.repeat(43)}`, ring, storage), [])
  }
  t.equal(isStoredForm('H1.a'), false)
})

t.test('a token is looked for in every form that the store may hold it in, the likeliest first', async (t) => {
  const [byNew, byOld] = [
    await toStored('token', ring, 'hashed'),
    await toStored('token', keyRing(['old'], 'session token'), 'hashed')
  ]
  t.same(await storedForms('token', ring, 'hashed'), [byNew, byOld])
  t.same(await storedForms('token', ring, 'both'), [byNew, byOld, 'token'])
  t.same(await storedForms('token', ring, 'plain'), ['token'])
})
