import type { ImportedTotp } from '@postern/account/second-factor'
import { turnsOf } from '@postern/testkit/long'
import t from 'tap'
import { fromBase32, toBase32 } from '../src/second-factor/base32.ts'
import { getAuthentication } from './passkey-application.ts'
import { ada, getAddress, origin, strategies } from './password-application.ts'
import {
  type Application,
  answer,
  base,
  createCode,
  createUser,
  findUser,
  openApplication,
  openWithFactor,
  signInWithPassword
} from './second-factor-application.ts'

/** The code that another program's app shows. @see RFC 4226 §5.3 */
const computeCode = (secret: Uint8Array, now: number, { digits = 6, period = 30 }: Partial<ImportedTotp>): string =>
  createCode(secret, Math.floor(now / 1000 / period), digits)

const getId = async (app: Application): Promise<string> => (await findUser(app, ada))?.id ?? ''
const bytes = (length: number): Uint8Array => Uint8Array.from({ length }, (_, index) => index * 7 + 1)

const group = (secret: Uint8Array): string => `${toBase32(secret).toLowerCase().replaceAll(/.{4}/g, '$& ')}======`

/** How programs keep keys: what is passed, and what the app has. */
const keys: readonly (readonly [string, ImportedTotp, Uint8Array])[] = [
  ['10 bytes in Base32', { secret: toBase32(bytes(10)) }, bytes(10)],
  ['16 bytes, 8 digits, small letters in groups', { secret: group(bytes(16)), digits: 8 }, bytes(16)],
  ['32 bytes, 7 digits, a minute', { secret: bytes(32), digits: 7, period: 60 }, bytes(32)],
  ['128 bytes, 8 digits, 15 seconds', { secret: bytes(128), digits: 8, period: 15 }, bytes(128)]
]

const turns = turnsOf(strategies, t)

for (const [title, imported, secret] of keys) {
  for (const { value: strategy, test } of turns()) {
    test(`${strategy}: the user keeps an app of another program: ${title}`, async (t) => {
      const app = await openApplication(t, strategy)
      await createUser(app)
      const userId = await getId(app)
      const mails = app.mailbox.mails.length
      await app.auth.features.factors.importTotp(userId, imported)
      t.match(await app.auth.features.factors.list(userId), [{ type: 'totp', lastUsedAt: null, left: null }])
      t.equal(app.mailbox.mails.length, mails, 'no mail')
      t.match(
        (await app.auth.events.list({ userId })).events.filter(({ type }) => type.startsWith('factor')),
        [{ type: 'factor-imported', data: 'totp', ip: null }]
      )

      const browser = app.newBrowser()
      const page = await browser.followAll(await signInWithPassword(browser))
      t.equal(page.url, `${origin}${base}/verify/factor`)
      const { digits = 6, period = 30 } = imported
      t.match(page.body, `${digits} digits`)
      const code = computeCode(secret, app.clock.now(), imported)
      for (const wrong of [
        `${code}0`,
        code.slice(0, -1),
        computeCode(secret, app.clock.now() + 4 * period * 1000, imported)
      ])
        t.equal((await answer(browser, { code: wrong })).status, 400, wrong)
      t.equal((await answer(browser, { code })).location, origin)
      t.equal(await getAddress(browser), ada)
      t.same((await getAuthentication(app, browser))?.amr, ['pwd', 'otp', 'mfa'])

      const factors = await browser.open(`${base}/factors`)
      t.match(factors.body, 'You have no recovery codes.')
      const other = app.newBrowser()
      await signInWithPassword(other)
      t.equal((await answer(other, { code })).status, 400, 'each code works once')
    })
  }
}

t.test('an app is imported for a user who exists, and has none', async (t) => {
  const app = await openWithFactor(t, 'database')
  const { factors } = app.auth.features
  await t.rejects(factors.importTotp(app.userId, { secret: bytes(20) }), {
    ...{ name: 'AccountError', code: 'FACTOR_EXISTS', statusCode: 409 },
    message: 'factors.importTotp: the user has an authenticator app'
  })
  await signInWithPassword(app.newBrowser())
  t.match(await factors.list(app.userId), [{ type: 'totp' }, { type: 'recovery-codes', left: 10 }], 'it stays')
  await t.rejects(factors.importTotp('nobody', { secret: bytes(20) }), { code: 'UNKNOWN_USER', statusCode: 404 })

  await factors.reset(app.userId)
  const results = await Promise.allSettled(
    [10, 11, 12].map((length) => factors.importTotp(app.userId, { secret: bytes(length) }))
  )
  t.equal(results.filter(({ status }) => status === 'fulfilled').length, 1)
  for (const result of results) if (result.status === 'rejected') t.match(result.reason, { code: 'FACTOR_EXISTS' })
})

t.test('a key that no app could have is refused, without the key in the message', async (t) => {
  const app = await openApplication(t, 'database')
  await createUser(app)
  const userId = await getId(app)
  const refused: readonly (readonly [object, RegExp])[] = [
    [{ secret: bytes(9) }, /secret: expected 10 to 128 bytes, got 9$/],
    [{ secret: toBase32(bytes(9)) }, /secret: expected 10 to 128 bytes, got 9$/],
    [{ secret: bytes(129) }, /secret: expected 10 to 128 bytes, got 129$/],
    [{ secret: '' }, /got 0$/],
    [{ secret: 'AAAAAAAAAAAAAAAA018' }, /secret: expected bytes, or text in Base32 \(A to Z, 2 to 7\)$/],
    [{}, /secret: expected bytes/],
    [{ secret: [1, 2, 3] }, /secret: expected bytes/],
    ...[5, 9, 6.5, '6', Number.NaN].map(
      (digits) => [{ secret: bytes(20), digits }, /digits: expected 6 to 8/] as const
    ),
    ...[14, 61, 0, '30'].map((period) => [{ secret: bytes(20), period }, /period: expected 15 to 60 seconds/] as const)
  ]
  const { factors } = app.auth.features
  for (const [imported, message] of refused)
    await t.rejects(async () => Reflect.apply(factors.importTotp, factors, [userId, imported]), {
      name: 'TypeError',
      message
    })
  t.same(await factors.list(userId), [])
})

t.test('Base32 is read as other programs write it', async (t) => {
  for (let length = 0; length < 40; length++) t.same(fromBase32(toBase32(bytes(length))), bytes(length), `${length}`)
  t.same(fromBase32('jbsw y3dp-ehpk 3pxp'), fromBase32('JBSWY3DPEHPK3PXP'))
  t.same(Buffer.from(fromBase32('MZXW6YTB======') ?? []).toString(), 'fooba', 'RFC 4648 §10, with padding')
  t.equal(fromBase32('NNTGY2LSMVUW4ZZANNSXS4DBOI')?.length, 16, 'the 26 letters of the PAM module are 16 bytes')
  for (const text of ['0', 'A1', 'MZXW=YTB', 'ÄÄÄÄ']) t.equal(fromBase32(text), null, text)
})
