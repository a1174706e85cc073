import { createHash, randomBytes, scrypt } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import t from 'tap'
import { HashQueue } from '../src/password/hash-queue.ts'
import { haveIBeenPwned } from '../src/password/have-i-been-pwned.ts'
import { type KeyDerivation, nativeArgon2, nodeScrypt, packageArgon2 } from '../src/password/key-derivation.ts'
import { PasswordHasher } from '../src/password/password-hasher.ts'
import { checkNewPassword, normalizePassword } from '../src/password/password-policy.ts'
import { formatPhcString, parsePhcString } from '../src/password/phc-string.ts'
import { setRealHashes } from './cheap-hashes.ts'

// Another file of this process may have replaced them.
setRealHashes()

/** A client without an address. */
const client = { client: null, clientsBehindIp: 1 }

const typed = (text: string) => ({ normalized: text, typed: text })

/** Small parameters, so that tests are fast. */
const cheap = (derivation: KeyDerivation, parameters: Readonly<Record<string, number>>): KeyDerivation => ({
  ...derivation,
  parameters
})

const cheapScrypt = cheap(nodeScrypt(), { ln: 4, r: 8, p: 1 })
const newQueue = () => ({ hashes: new HashQueue(2, 100), comparisons: new HashQueue(2, 100) })

t.test('PHC strings', async (t) => {
  const text = '$argon2id$v=19$m=19456,t=2,p=1$c29tZXNhbHRzb21lc2FsdA$kVTbc0vzxJMTPUQ5CLSoO5JgPXLOxHLWQFOmMrYVCZY'
  const parsed = parsePhcString(text)
  t.match(parsed, { id: 'argon2id', parameters: { m: 19456, t: 2, p: 1 } })
  t.equal(parsed?.salt.toString(), 'somesaltsomesalt')
  t.equal(parsed && formatPhcString(parsed), text)
  for (const wrong of [
    '',
    'x'.repeat(60),
    text.replace('v=19', 'v=16'),
    text.replace('v=19$', ''),
    `${text}!`,
    '$2b$10$N9qo8uLOickgx2ZMRZoMyeIjZAgcfl7p92ldGxad68LJZdL17lhWy'
  ])
    t.equal(parsePhcString(wrong), null, wrong)
})

t.test('Argon2id makes the hashes of the reference implementation', async (t) => {
  const derivation = nativeArgon2()
  t.ok(derivation, 'this version of Node has it')
  // echo -n "password" | argon2 somesalt -id -t 2 -m 16 -p 1 -l 32
  const expected = '09316115d5cf24ed5a15a31a3ba326e5cf32edc24702987c02b6566f61913cf7'
  const made = await derivation?.derive(Buffer.from('password'), Buffer.from('somesalt'), {
    parameters: { m: 65536, t: 2, p: 1 },
    length: 32
  })
  t.equal(made?.toString('hex'), expected)
  t.same(derivation?.parameters, { m: 19456, t: 2, p: 1 })
  t.equal(derivation?.bytesPerHash, 19 * 1024 * 1024)
})

t.test('@node-rs/argon2 makes the same hashes, for versions of Node without Argon2', async (t) => {
  const [native, other] = [nativeArgon2(), await packageArgon2()]
  const salt = randomBytes(16)
  const options = { parameters: { m: 1024, t: 2, p: 1 }, length: 32 }
  const derive = async (derivation: KeyDerivation | null) =>
    (await derivation?.derive(Buffer.from('one'), salt, options))?.toString('hex')
  t.match(await derive(other), /^[\da-f]{64}$/)
  t.equal(await derive(other), await derive(native))
  t.same(other?.parameters, native?.parameters)
})

t.test('a package that is not installed is not used', async (t) => {
  t.equal(await packageArgon2('@postern/no-such-package'), null)
})

t.test('scrypt with the parameters of OWASP', async (t) => {
  const { parameters, derive, bytesPerHash } = nodeScrypt()
  t.same(parameters, { ln: 17, r: 8, p: 1 })
  t.ok(bytesPerHash > 128 * 1024 * 1024)
  const salt = randomBytes(16)
  const made = await derive(Buffer.from('one'), salt, { parameters, length: 32 })
  const expected = await new Promise((resolve) => {
    scrypt('one', salt, 32, { N: 2 ** 17, r: 8, p: 1, maxmem: 2 ** 28 }, (_error, key) => resolve(key))
  })
  t.same(made, expected)
})

t.test('a hash is compared with the function and the parameters that it was made with', async (t) => {
  const old = new PasswordHasher([cheapScrypt], newQueue(), null)
  const argon2 = nativeArgon2()
  if (!argon2) return
  const hasher = new PasswordHasher([cheap(argon2, { m: 64, t: 1, p: 1 }), cheapScrypt], newQueue(), null)
  const stored = await old.hash('one', client)
  t.match(stored, /^\$scrypt\$ln=4,r=8,p=1\$/)
  t.same(await old.compare(typed('one'), stored, client), { isRight: true, isOutdated: false })
  t.same(await hasher.compare(typed('one'), stored, client), { isRight: true, isOutdated: true })
  t.match(await hasher.compare(typed('two'), stored, client), { isRight: false })
  t.not(await hasher.hash('one', client), await hasher.hash('one', client), 'every hash has a salt')
  const stronger = new PasswordHasher([cheap(argon2, { m: 64, t: 2, p: 1 })], newQueue(), null)
  const weak = await hasher.hash('one', client)
  t.same(await stronger.compare(typed('one'), weak, client), { isRight: true, isOutdated: true })
  t.same(
    await stronger.compare(typed('one'), stored, client),
    { isRight: false, isOutdated: true },
    'an unknown function'
  )
})

t.test('nobody has a password, which takes the same function', async (t) => {
  let count = 0
  const counting: KeyDerivation = {
    ...cheapScrypt,
    derive: (...args) => {
      count++
      return cheapScrypt.derive(...args)
    }
  }
  const hasher = new PasswordHasher([counting], newQueue(), null)
  t.match(await hasher.compare(typed('one'), null, client), { isRight: false })
  t.equal(count, 1)
})

t.test('hashes of other programs', async (t) => {
  const legacy = createHash('sha256').update('one').digest('hex')
  const verify = (hash: string, password: string) => createHash('sha256').update(password).digest('hex') === hash
  const hasher = new PasswordHasher([cheapScrypt], newQueue(), verify)
  t.same(await hasher.compare(typed('one'), legacy, client), { isRight: true, isOutdated: true })
  t.same(await hasher.compare(typed('two'), legacy, client), { isRight: false, isOutdated: true })
  const without = new PasswordHasher([cheapScrypt], newQueue(), null)
  t.match(await without.compare(typed('one'), legacy, client), { isRight: false })
  const truthy = new PasswordHasher([cheapScrypt], newQueue(), (() => 'yes') as never)
  t.match(await truthy.compare(typed('one'), legacy, client), { isRight: false }, 'only true is right')
})

t.test('the queue runs some at once, lets some wait, and refuses the rest', async (t) => {
  const queue = new HashQueue(2, 3)
  const ends: (() => void)[] = []
  let [running, most] = [0, 0]
  const work = async (): Promise<void> => {
    running++
    most = Math.max(most, running)
    await new Promise<void>((resolve) => void ends.push(resolve))
    running--
  }
  const all = Array.from({ length: 7 }, () =>
    queue.run(work, client).then(
      () => 'done',
      (error: unknown) => error
    )
  )
  const refused = await Promise.all(all.slice(5))
  for (const error of refused) t.match(error, { code: 'StoreUnavailable', statusCode: 503, retryAfter: 2 })
  while (ends.length > 0 || running > 0) {
    ends.shift()?.()
    await new Promise((resolve) => setImmediate(resolve))
  }
  t.same(await Promise.all(all.slice(0, 5)), ['done', 'done', 'done', 'done', 'done'])
  t.equal(most, 2)
  await t.rejects(
    queue.run(() => Promise.reject(new Error('no')), client),
    /no/
  )
  t.equal(await queue.run(async () => 'again', client), 'again', 'a place is free again after an error')
})

t.test('equivalent texts are one password', async (t) => {
  const same = (one: string, other: string) => t.same(normalizePassword(one), normalizePassword(other))
  same('a\u0308 long passphrase', '\u00e4 long passphrase')
  same('\u212b ngstr\u00f6m unit long', 'A\u030a ngstro\u0308m unit long')
  same('\uff50assword of width', 'password of width')
  t.same(normalizePassword(' spaces are kept '), { password: ' spaces are kept ' })
  t.same(normalizePassword('a'.repeat(256)), { password: 'a'.repeat(256) })
  t.same(normalizePassword('\u{1f600}'.repeat(256)), { password: '\u{1f600}'.repeat(256) })
  t.same(normalizePassword('a'.repeat(257)), { problem: 'tooLong' })
  t.same(normalizePassword('\ufdfa'.repeat(256)), { problem: 'tooLong' }, 'normalization makes it longer')
  t.same(normalizePassword('a'.repeat(1_000_000)), { problem: 'tooLong' })
  t.same(normalizePassword('zero \0 character in it'), { problem: 'characters' })
  t.same(normalizePassword('lone \ud800 surrogate in it'), { problem: 'characters' })
  t.same(normalizePassword('lone \udc00 surrogate in it'), { problem: 'characters' })
})

t.test('the policy', async (t) => {
  const logged: unknown[] = []
  const log = (...args: readonly unknown[]): void => void logged.push(args)
  const context = {
    email: 'ada.lovelace@example.com',
    origin: 'https://accounts.example.com:8443',
    siteName: 'My Little Bookshop',
    logger: { error: log, warn: log, debug: log }
  }
  const check = (password: string, minLength = 8, breached: ((password: string) => Promise<boolean>) | null = null) =>
    checkNewPassword(password, { minLength, breached }, context)
  t.equal(await check('fourteen chars', 15), 'tooShort')
  t.equal(await check('fifteen charact', 15), null)
  t.equal(await check('\u{1f600}'.repeat(7)), 'tooShort', 'characters are counted, not code units')
  t.equal(await check('1234567890qwerty', 15), 'tooCommon')
  t.equal(await check('Password123'), 'tooCommon')
  t.equal(await check('aaaaaaaaaaaaaaaaaaaaaaaa', 15), 'tooCommon')
  for (const common of [
    ...['passwordpassword', 'Password123456789', 'p@ssw0rdp@ssw0rd', 'password12345678!', 'iloveyou iloveyou'],
    ...['123456789012345', '987654321098765', '111111111111111!', 'abcabcabcabcabc', '0123456789abcdef'],
    ...['qwertyuiopasdfgh', '1qaz2wsx3edc4rfv', '1qaz@WSX1qaz@WSX', 'zxcvbnmasdfghjkl', 'footballelephant'],
    // Rows of the keyboard in turn.
    ...['1q2w3e4r5t6y7u8i', 'q1w2e3r4t5y6u7i8', 'qawsedrftgyhujik', '1qa2ws3ed4rf5tg6yh', '!Q2w3E4r5T6y7U8i9O']
  ])
    t.equal(await check(common, 15), 'tooCommon', common)
  for (const uncommon of [
    ...['correct horse battery staple', 'football elephant diamond', 'qwerty was my first one', 'no 1234567 in order'],
    ...['fifteenletters2', 'xkvbtrewplmzoqa', '\u{1f511}\u{1f512}'.repeat(8).concat(' keys')]
  ])
    t.equal(await check(uncommon, 15), null, uncommon)
  const began = performance.now()
  t.equal(await check('a'.repeat(255).concat('b'), 15), 'tooCommon', 'the longest')
  t.equal(await check('ab1'.repeat(85), 15), 'tooCommon')
  t.ok(performance.now() - began < 1000, 'in a fraction of the time of a hash')
  t.equal(await check('Ada.Lovelace@example.com'), 'isAddress')
  t.equal(await check('ada.lovelace'), 'isAddress')
  t.equal(await check('accounts.example.com:8443'), 'isAddress')
  t.equal(await check('accounts.example.com'), 'isAddress')
  t.equal(await check('My Little Bookshop'), 'isAddress')
  t.equal(await check('mylittlebookshop'), 'isAddress')
  t.equal(await check('my  little \uff42ookshop '), 'isAddress')
  t.equal(await check('my little bookshop and I'), null)
  t.equal(await check('no digits or symbols needed'), null)
  t.equal(await check('known from a breach', 8, async () => true), 'breached')
  t.same(logged, [])
  t.equal(await check('the service is down', 8, () => Promise.reject(new Error('no route'))), null)
  t.match(logged, [['PASSWORD_BREACH_CHECK_FAILED', { message: 'no route' }]])
})

t.test('haveIBeenPwned() asks for five digits, and ignores rows that pad', async (t) => {
  const suffix = (text: string): string => createHash('sha1').update(text).digest('hex').toUpperCase().slice(5)
  const asked: unknown[] = []
  const respond = { status: 200, delay: false }
  const server = createServer((request, response) => {
    asked.push([request.url, request.headers['add-padding']])
    if (respond.delay) return
    response.statusCode = respond.status
    response.end(`${suffix('padding')}:0\r\n${'A'.repeat(35)}:3\r\n${suffix('breached')}:12\r\n`)
  })
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  t.teardown(() => {
    server.closeAllConnections()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  const check = haveIBeenPwned({ url: `http://127.0.0.1:${port}` })
  t.equal(await check('breached'), true)
  t.equal(await check('padding'), false)
  t.equal(await check('unknown'), false)
  const digest = createHash('sha1').update('breached').digest('hex').toUpperCase()
  t.same(asked[0], [`/range/${digest.slice(0, 5)}`, 'true'])
  respond.status = 500
  await t.rejects(check('breached'), /500/)
  respond.delay = true
  const { timeout } = AbortSignal
  t.teardown(() => Object.assign(AbortSignal, { timeout }))
  Object.assign(AbortSignal, { timeout: (limit: number) => timeout.call(AbortSignal, limit / 10) })
  await t.rejects(check('breached'), /timeout/)
})
