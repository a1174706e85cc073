import type { Feature, FeatureContext } from '@postern/core/feature'
import { isLong, times } from '@postern/testkit/long'
import t from 'tap'
import { HashQueue } from '../src/password/hash-queue.ts'
import { nodeScrypt } from '../src/password/key-derivation.ts'
import { PasswordHasher } from '../src/password/password-hasher.ts'
import type { SecondFactorSetup } from '../src/second-factor/second-factor-setup.ts'
import {
  consumeRecoveryCode,
  createHashedCodes,
  recoveryCodesKey,
  toRecoveryCodesWrite
} from '../src/second-factor/stored-recovery-codes.ts'
import {
  createSecret,
  createTotpData,
  parseTotp,
  toSecret,
  totpKey,
  verifyTotp
} from '../src/second-factor/stored-totp.ts'
import { getStep } from '../src/second-factor/totp.ts'
import { ada, createUser, findUser, getAddress, origin } from './password-application.ts'
import { answer, createCode, openApplication, openWithFactor, signInWithPassword } from './second-factor-application.ts'
import { type stores, storesAt } from './stores.ts'

const cheap = { ...nodeScrypt(), parameters: { ln: 4, r: 8, p: 1 } }
const hasher = new PasswordHasher([cheap], { hashes: new HashQueue(4, 100), comparisons: new HashQueue(4, 100) }, null)

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

for (const [name, skip, openStore] of storesAt(0, 2))
  t.test(`${name}: of ${requests} requests with one code, or one recovery code, one wins`, { skip }, async (t) => {
    const { app, context, userId } = await open(t, openStore)
    for (let round = 0; round < times(1, 20); round++) {
      // A new app in each round: failures of a year exhaust one.
      await context.factors.delete(totpKey(userId))
      const secret = await createTotp(userId, context)
      app.clock.advance(3700)
      const code = createCode(secret, getStep(app.clock.now()))
      const all = await race(() => verifyTotp(userId, { code, device: null, hasOtherProof: true }, context))
      t.equal(all.filter((outcome) => outcome === 'right').length, 1, `round ${round}`)
      t.same(
        [...new Set(all)].filter((outcome) => !['right', 'wrong', 'RateLimited'].includes(outcome)),
        []
      )
      app.clock.advance(40)
      t.equal(await verifyTotp(userId, { code, device: null, hasOtherProof: true }, context), 'wrong', 'a used step')
    }
    const options = { required: false, trustDeviceFor: 0, satisfiedBy: null, issuer: null }
    const setup: SecondFactorSetup = { context, getHasher: async () => hasher, ...options }
    const client = { client: null, clientsBehindIp: 1 }
    const { codes, data } = await createHashedCodes(client, setup)
    t.ok(await context.commit([toRecoveryCodesWrite(userId, data, null, setup)]))
    const left = await race(() => consumeRecoveryCode(userId, { code: codes[3] ?? '', device: null }, client, setup))
    t.same(
      left.filter((count) => count !== null),
      [9]
    )
    t.equal(await consumeRecoveryCode(userId, { code: codes[4] ?? '', device: null }, client, setup), 8)
    t.equal(
      await consumeRecoveryCode(userId, { code: `${codes[5]?.slice(0, 2)}00000000`, device: null }, client, setup),
      null
    )
    const stored = await app.adapter.listFactors?.(userId)
    t.equal(stored?.filter(({ type }) => type.startsWith('factors-')).length, 2)
    for (const { type, data } of stored ?? []) {
      t.notMatch(data, /secret/, 'the key of the app is encrypted')
      if (type !== 'factors-recovery-codes') continue
      t.match(data, '$scrypt$', 'codes are hashed, so that they need no secret: docs/operations.md, "Secrets"')
      for (const code of codes) t.notMatch(data, code.slice(5))
    }
    await app.auth.deleteUser(userId)
    t.same(await app.adapter.listFactors?.(userId), [])
    t.equal(await context.factors.get(recoveryCodesKey(userId)), null)
  })

for (const [name, skip, openStore] of storesAt(1, 2))
  t.test(`${name}: parallel guesses never exceed the limit of a year`, { skip }, async (t) => {
    const { app, context, userId } = await open(t, openStore)
    const secret = await createTotp(userId, context)
    const right = [-60, -30, 0, 30, 60].map((offset) => createCode(secret, getStep(app.clock.now() + offset * 1000)))
    const code = ['000000', '111111', '222222', '333333', '444444', '555555'].find((one) => !right.includes(one)) ?? ''
    const guess = () => verifyTotp(userId, { code, device: null, hasOtherProof: false }, context)
    let compared = 0
    for (let round = 0; round < 3; round++) {
      compared += (await race(guess, 24)).filter((outcome) => outcome === 'wrong').length
      app.clock.advance(3700)
    }
    t.equal(compared, 30)
    const own = createCode(secret, getStep(app.clock.now()))
    t.equal(await verifyTotp(userId, { code: own, device: null, hasOtherProof: false }, context), 'exhausted')
    t.equal(await verifyTotp(userId, { code: own, device: null, hasOtherProof: true }, context), 'right')
    const factor = await context.factors.get(totpKey(userId))
    t.equal(factor && parseTotp(factor).attempts.length, 30, 'a success removes its own attempt only')
  })

t.test('one code signs in one of several browsers', async (t) => {
  const { app, newBrowser } = await openWithFactor(t, 'database')
  const browsers = Array.from({ length: 8 }, newBrowser)
  for (const browser of browsers) await signInWithPassword(browser)
  const code = app.code()
  const responses = await Promise.all(browsers.map((browser) => answer(browser, { code })))
  t.equal(responses.filter(({ location }) => location === origin).length, 1)
  const addresses = await Promise.all(browsers.map(getAddress))
  t.same(addresses.filter(Boolean), [ada])
})
