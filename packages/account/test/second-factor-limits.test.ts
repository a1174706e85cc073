import type { Feature, FeatureContext } from '@postern/core/feature'
import { isLong } from '@postern/testkit/long'
import t from 'tap'
import { describeKey } from '../src/second-factor/authenticator-key.ts'
import { type Attempt, addAttempt, getAllowance, getDelay, maxYearlyFailures } from '../src/second-factor/limits.ts'
import { createQrCode } from '../src/second-factor/qr-code.ts'
import {
  createRecoveryCodes,
  formatRecoveryCode,
  getIndex,
  parseRecoveryCode
} from '../src/second-factor/recovery-codes.ts'
import {
  createSecret,
  createTotpData,
  parseTotp,
  toSecret,
  totpKey,
  verifyTotp
} from '../src/second-factor/stored-totp.ts'
import { createCode, findStep, getStep, parseCode } from '../src/second-factor/totp.ts'
import { ada, createUser, findUser } from './password-application.ts'
import { createCode as createAppCode, fromBase32, openApplication } from './second-factor-application.ts'
import { type stores, storesAt } from './stores.ts'

const bytes = new Uint8Array(Buffer.from('12345678901234567890'))
const secret = { bytes, digits: 6, period: 30 }

t.test('codes are those of RFC 6238, appendix B, and RFC 4226, appendix D', async (t) => {
  const codes: Readonly<Record<number, string>> = {
    59: '287082',
    1111111109: '081804',
    1111111111: '050471',
    1234567890: '005924',
    2000000000: '279037',
    20000000000: '353130'
  }
  for (const [seconds, code] of Object.entries(codes))
    t.equal(await createCode(secret, getStep(Number(seconds) * 1000)), code, seconds)
  const byCounter = ['755224', '287082', '359152', '969429', '338314', '254676', '287922', '162583', '399871', '520489']
  t.same(await Promise.all(byCounter.map((_, at) => createCode(secret, at))), byCounter)
  const [seconds, code] = [1111111109, '07081804']
  t.equal(await createCode({ ...secret, digits: 8 }, getStep(seconds * 1000)), code)
  t.equal(getStep(seconds * 1000, 60), Math.floor(seconds / 60))
})

t.test('a clock may differ by 30 s, not by 90 s', async (t) => {
  const now = 1_900_000_015_000
  const at = (offset: number): Promise<string> => createCode(secret, getStep(now + offset * 1000))
  for (const offset of [-30, 0, 30])
    t.equal(await findStep(secret, await at(offset), now), getStep(now + offset * 1000))
  for (const offset of [-90, -60, 60, 90]) t.equal(await findStep(secret, await at(offset), now), null, `${offset} s`)
})

t.test('typed codes may have spaces, dashes, and digits of other scripts', async (t) => {
  for (const text of [
    '123456',
    ' 123 456 ',
    '123-456',
    '１２３４５６',
    '١٢٣٤٥٦',
    '۱۲۳۴۵۶',
    '१२३४५६',
    '123\u00a0456\u200e'
  ])
    t.equal(parseCode(text), '123456', text)
  for (const text of ['', '12345', '123456789', '12345a', `${' '.repeat(60)}123456`])
    t.equal(parseCode(text), null, text)
})

t.test('the key is in base32, and in the URL of the QR code', async (t) => {
  const key = describeKey(bytes, { issuer: 'Räte: A&B', account: 'ada@example.com' })
  t.equal(key.text, 'GEZD GNBV GY3T QOJQ GEZD GNBV GY3T QOJQ')
  t.same(new Uint8Array(fromBase32(key.text)), bytes)
  const url = new URL(key.url)
  t.equal(decodeURIComponent(url.pathname), '/Räte  A&B:ada@example.com')
  t.equal(url.searchParams.get('issuer'), 'Räte  A&B')
  t.equal(url.searchParams.get('secret'), key.text.replaceAll(' ', ''))
  const { size, path } = await createQrCode(key.url)
  t.ok(size > 40)
  t.match(path, /^(M\d+ \d+h\d+v1h-\d+z)+$/)
  const xs = Array.from(path.matchAll(/M(\d+) (\d+)/g), ([, x, y]) => [Number(x), Number(y)]).flat()
  t.equal(Math.min(...xs), 4, 'the quiet zone has four modules')
})

t.test('recovery codes have ten characters without look-alikes, and different beginnings', async (t) => {
  let byte = 0
  // The first bytes repeat: two codes must not have one index.
  const randomBytes = (size: number): Uint8Array => Uint8Array.from({ length: size }, () => byte++ % 37)
  const codes = createRecoveryCodes(randomBytes)
  t.equal(codes.length, 10)
  t.equal(new Set(codes.map(getIndex)).size, 10)
  for (const code of codes) t.equal(parseRecoveryCode(formatRecoveryCode(code).toLowerCase()), code)
  t.equal(parseRecoveryCode('o0il1-ABCDE'), '00111ABCDE')
  for (const text of ['', '123456', 'ABCDE-FGHJ', 'ABCDE-FGHJU', 'ABCDE-FGHJK2']) t.equal(parseRecoveryCode(text), null)
})

const at = (time: number, device: string | null = null): Attempt => ({ id: `${time}`, time, device })

/** Failures at these times, in seconds. */
const failures = (times: readonly number[], device: string | null = null): readonly Attempt[] =>
  times.reduce<readonly Attempt[]>((known, time) => addAttempt(known, at(time, device)), [])

const count = (length: number, start = 0): readonly number[] => Array.from({ length }, (_, index) => start + index)

t.test('factor-1: after 20 failures in an hour, each failure doubles the delay, up to 30 s', async (t) => {
  t.equal(getDelay(failures(count(19)), null, 18_000), 0)
  const delays = count(7).map((more) => getDelay(failures(count(20 + more)), null, (19 + more) * 1000))
  t.same(delays, [1, 2, 4, 8, 16, 30, 30])
  t.equal(getDelay(failures(count(26)), null, 55_000), 0, '30 s after the last one')
  t.equal(getDelay(failures(count(26)), null, (25 + 3601) * 1000), 0, 'an hour later')
  t.equal(getDelay(failures(count(26)), null, -1_000_000), 30, 'a clock that is set back does not wait longer')
})

t.test('the failures of others do not delay a browser that the user has signed in with', async (t) => {
  const others = failures(count(40))
  t.equal(getDelay(others, null, 39_000), 30)
  t.equal(getDelay(others, 'known', 39_000), 0)
  t.equal(getDelay(failures(count(40), 'known'), 'known', 39_000), 30, 'it waits for its own')
})

t.test('factor-1: after 30 failures in 365 days a code alone is not compared', async (t) => {
  const day = 86_400
  t.equal(getAllowance(failures(count(29)), 29_000), 'alone')
  const all = failures(count(30).map((index) => index * day))
  t.equal(getAllowance(all, 30 * day * 1000), 'mailed')
  t.equal(getAllowance(all, (365 * day - 1) * 1000), 'mailed')
  t.equal(getAllowance(all, (365 * day + 1) * 1000), 'alone', 'the first one is older')
  t.equal(getAllowance(failures(count(33)), 33_000), 'never')
  t.equal(getAllowance(failures(count(1000)), 1_000_000), 'never', 'the oldest are dropped, not the limit')
})

t.test('factor-1: the chance to guess an account is at most 1 in 10,000 a year', async (t) => {
  const now = 1_900_000_015_000
  const near = await Promise.all(count(41).map((index) => createCode(secret, getStep(now) + index - 20)))
  const steps = await Promise.all(near.map((code) => findStep(secret, code, now)))
  const chance = 1 - (1 - steps.filter((step) => step !== null).length / 1e6) ** maxYearlyFailures
  t.ok(chance < 1e-4, `${chance}`)
  // Somebody guesses every second of two years, with as many sign-ins as needed.
  let attempts: readonly Attempt[] = []
  const compared: number[] = []
  for (let time = 0; time < 2 * 365 * 86_400; time += 1) {
    if (getAllowance(attempts, time * 1000) === 'never') {
      // Nothing changes until the oldest one is a year old.
      time = Math.max(time, (attempts.at(-maxYearlyFailures)?.time ?? 0) + 365 * 86_400)
    }
    if (getAllowance(attempts, time * 1000) === 'never' || getDelay(attempts, null, time * 1000) > 0) continue
    attempts = addAttempt(attempts, at(time))
    compared.push(time)
  }
  const inYear = (end: number): number => compared.filter((time) => time > end - 365 * 86_400 && time <= end).length
  t.equal(Math.max(...compared.map(inYear)), maxYearlyFailures)
  t.ok(compared.length <= 2 * maxYearlyFailures + 1)
})

const requests = isLong ? 50 : 16

const race = <T>(act: () => Promise<T>, length: number = requests): Promise<readonly (T | string)[]> =>
  Promise.all(Array.from({ length }, () => act().catch((error: { code: string }) => error.code)))

type OpenStore = (typeof stores)[number][2]

/** The services of a feature on a store, and a user. */
async function open(t: Parameters<OpenStore>[0], openStore: OpenStore) {
  const contexts: FeatureContext[] = []
  const probe: Feature = {
    id: 'probe',
    setup: (given) => {
      contexts.push(given)
      return {}
    }
  }
  const app = await openApplication(t, 'database', { adapter: await openStore(t), features: [probe] })
  await createUser(app)
  const userId = (await findUser(app, ada))?.id ?? ''
  const [context] = contexts
  if (!context) throw new Error('expected the context')
  return { app, context, userId }
}

async function createTotp(userId: string, { factors, now, randomBytes }: FeatureContext): Promise<Uint8Array> {
  const secret = createSecret(randomBytes)
  const about = { userId, name: null, lastUsedAt: null, version: 0, createdAt: new Date(now()) }
  await factors.create({ ...totpKey(userId), ...about, data: createTotpData(secret, 0) })
  return toSecret({ secret }).bytes
}

for (const [name, skip, openStore] of storesAt(1, 2))
  t.test(`${name}: parallel guesses never exceed the limit of a year`, { skip }, async (t) => {
    const { app, context, userId } = await open(t, openStore)
    const secret = await createTotp(userId, context)
    const right = [-60, -30, 0, 30, 60].map((offset) => createAppCode(secret, getStep(app.clock.now() + offset * 1000)))
    const code = ['000000', '111111', '222222', '333333', '444444', '555555'].find((one) => !right.includes(one)) ?? ''
    const guess = () => verifyTotp(userId, { code, device: null, hasOtherProof: false }, context)
    let compared = 0
    for (let round = 0; round < 3; round++) {
      compared += (await race(guess, 24)).filter((outcome) => outcome === 'wrong').length
      app.clock.advance(3700)
    }
    t.equal(compared, 30)
    const own = createAppCode(secret, getStep(app.clock.now()))
    t.equal(await verifyTotp(userId, { code: own, device: null, hasOtherProof: false }, context), 'exhausted')
    t.equal(await verifyTotp(userId, { code: own, device: null, hasOtherProof: true }, context), 'right')
    const factor = await context.factors.get(totpKey(userId))
    t.equal(factor && parseTotp(factor).attempts.length, 30, 'a success removes its own attempt only')
  })
