import type { Feature, FeatureContext } from '@postern/core/feature'
import { isLong } from '@postern/testkit/long'
import t from 'tap'
import {
  createSecret,
  createTotpData,
  parseTotp,
  toSecret,
  totpKey,
  verifyTotp
} from '../src/second-factor/stored-totp.ts'
import { getStep } from '../src/second-factor/totp.ts'
import { ada, createUser, findUser } from './password-application.ts'
import { createCode, openApplication } from './second-factor-application.ts'
import { type stores, storesAt } from './stores.ts'

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
