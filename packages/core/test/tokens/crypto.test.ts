import { createCipheriv, createHash, createHmac, hkdfSync, randomBytes } from 'node:crypto'
import { deflateRawSync } from 'node:zlib'
import { cpuTime } from '@postern/testkit'
import { times } from '@postern/testkit/long'
import { CompactEncrypt, compactDecrypt, EncryptJWT, jwtDecrypt } from 'jose'
import t from 'tap'
import { primitives } from '../../src/tokens/crypto.ts'
import { nodePrimitives } from '../../src/tokens/crypto-node.ts'
import { webPrimitives } from '../../src/tokens/crypto-web.ts'
import { createJwe, maxTokenLength } from '../../src/tokens/jwe.ts'

const nodeCrypto = nodePrimitives() ?? webPrimitives
const implementations = [
  ['node', nodeCrypto],
  ['web', webPrimitives]
] as const

const node = createJwe(nodeCrypto)
const methods = [
  ['node', node],
  ['web', createJwe(webPrimitives)]
] as const

const key = new Uint8Array(32).fill(7)
const plaintexts = [
  '',
  'a',
  '{"sub":"1"}',
  'ä😀\u0000"',
  '\ufeffa',
  'x'.repeat(15),
  'y'.repeat(16),
  'z'.repeat(17),
  'ü'.repeat(30_000)
]

t.test('on Node the responses do not wait for the thread pool', async (t) => {
  t.not(nodeCrypto, webPrimitives)
  t.same(Object.keys(primitives), Object.keys(nodeCrypto))
  t.type(node.encrypt(key, 'a'), 'string')
})

t.test('no initialization vector is used twice', async (t) => {
  const count = times(500, 2000)
  for (const [name, method] of methods) {
    const tokens = await Promise.all(Array.from({ length: count }, () => method.encrypt(key, 'a')))
    const vectors = tokens.map((token) => token.split('.')[2])
    t.equal(new Set(vectors).size, count, name)
    t.ok(vectors.every((vector) => vector?.length === 16))
  }
})

t.test('both ways derive and hash as the standards say', async (t) => {
  for (const [name, method] of implementations) {
    for (const [secret, salt, info] of [
      ['secret', '', 'info'],
      ['ä'.repeat(99), 'salt', ''],
      ['s', 'ü', 'ß']
    ] as const) {
      t.same(
        await method.hkdf(secret, salt, info, 32),
        new Uint8Array(hkdfSync('sha256', secret, salt, info, 32)),
        name
      )
      t.equal((await method.hkdf(secret, salt, info, 64)).length, 64)
    }
    for (const text of ['', 'abc', 'ä😀', 'x'.repeat(1000)]) {
      t.equal(await method.sha256(text), createHash('sha256').update(text).digest('hex'), name)
      for (const size of [256, 384, 512] as const)
        t.same(Buffer.from(await method.digest(size, text)), createHash(`sha${size}`).update(text).digest(), name)
      t.equal(await method.sha256(text, 'base64url'), createHash('sha256').update(text).digest('base64url'), name)
      t.equal(await method.hmac(key, text), createHmac('sha256', key).update(text).digest('base64url'), name)
    }
  }
  t.equal(await nodeCrypto.sha256('abc'), 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad')
})

for (const [writer, writing] of methods) {
  for (const [reader, reading] of methods) {
    t.test(`${reader} decrypts what ${writer} encrypted, with the same key only`, async (t) => {
      for (const text of plaintexts) {
        const token = await writing.encrypt(key, text)
        t.equal(await reading.decrypt(key, token), text)
        t.equal(await reading.decrypt(new Uint8Array(32).fill(8), token), null)
        t.match(token, /^eyJhbGciOiJkaXIiLCJlbmMiOiJBMjU2R0NNIn0\.\.[\w-]{16}\.[\w-]*\.[\w-]{22}$/)
      }
    })
  }

  t.test(`${writer} and jose read one another`, async (t) => {
    const claims = { name: 'Ada', sub: '1' }
    const header = { alg: 'dir', enc: 'A256GCM' }
    const token = await new EncryptJWT(claims).setProtectedHeader(header).setExpirationTime('1h').encrypt(key)
    t.match(JSON.parse((await writing.decrypt(key, token)) ?? ''), claims)
    const back = await jwtDecrypt(await writing.encrypt(key, JSON.stringify(claims)), key)
    t.same(back.payload, claims)
    t.same(back.protectedHeader, header)
    t.equal(
      new TextDecoder().decode((await compactDecrypt(await writing.encrypt(key, 'plain'), key)).plaintext),
      'plain'
    )
  })

  t.test(`${writer} never writes the same token twice`, async (t) => {
    const tokens = await Promise.all(Array.from({ length: 200 }, async () => writing.encrypt(key, 'a')))
    t.equal(new Set(tokens).size, 200)
  })
}

t.test('a token with any changed character is rejected', async (t) => {
  const token = await node.encrypt(
    key,
    JSON.stringify({ name: 'Ada Lovelace', email: 'ada@example.com', sub: '1', n: 'x'.repeat(150) })
  )
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'
  t.ok(token.length > 350)
  let opened = 0
  for (let index = 0; index < token.length; index++) {
    const at = alphabet.indexOf(token.charAt(index))
    // The lowest bit: at the end of a part it is one that carries nothing.
    const other = at < 0 ? 'A' : alphabet.charAt(at ^ 1)
    const changed = token.slice(0, index) + other + token.slice(index + 1)
    for (const [name, method] of methods) {
      const text = await method.decrypt(key, changed)
      if (text === null) continue
      opened++
      t.fail(`${name}: character ${index} of ${token.length}`)
    }
  }
  t.equal(opened, 0)
})

/** Encrypts like Postern, with any header, so that only the header can be refused. */
function encryptUnder(header: object | string, text: string = 'text'): string {
  const iv = randomBytes(12)
  const protectedHeader = Buffer.from(typeof header === 'string' ? header : JSON.stringify(header)).toString(
    'base64url'
  )
  const cipher = createCipheriv('aes-256-gcm', key, iv)
  cipher.setAAD(Buffer.from(protectedHeader))
  const content = Buffer.concat([cipher.update(text, 'latin1'), cipher.final()]).toString('base64url')
  return `${protectedHeader}..${iv.toString('base64url')}.${content}.${cipher.getAuthTag().toString('base64url')}`
}

const bomb = deflateRawSync(Buffer.alloc(1_000_000, 'a')).toString('latin1')
const headers: readonly (readonly [title: string, header: object | string, content?: string])[] = [
  ['alg none', { alg: 'none', enc: 'A256GCM' }],
  ['no alg', { enc: 'A256GCM' }],
  [
    'alg PBES2 with ten million rounds',
    { alg: 'PBES2-HS256+A128KW', enc: 'A256GCM', p2c: 10_000_000, p2s: 'AAAAAAAAAAAAAAAA' }
  ],
  ['alg A256KW', { alg: 'A256KW', enc: 'A256GCM' }],
  ['alg RSA-OAEP', { alg: 'RSA-OAEP', enc: 'A256GCM' }],
  ['alg in another case', { alg: 'DIR', enc: 'A256GCM' }],
  ['alg as a list', { alg: ['dir'], enc: 'A256GCM' }],
  ['enc A256CBC-HS512', { alg: 'dir', enc: 'A256CBC-HS512' }],
  ['enc A128GCM', { alg: 'dir', enc: 'A128GCM' }],
  ['no enc', { alg: 'dir' }],
  ['zip', { alg: 'dir', enc: 'A256GCM', zip: 'DEF' }, bomb],
  ['an empty zip', { alg: 'dir', enc: 'A256GCM', zip: '' }],
  ['crit', { alg: 'dir', enc: 'A256GCM', crit: ['exp'], exp: 1 }],
  ['no JSON', 'dir'],
  ['null', 'null'],
  ['a list', '["dir","A256GCM"]'],
  ['a number', '1']
]

for (const [title, header, content] of headers) {
  t.test(`a token under another header is rejected: ${title}`, async (t) => {
    const started = cpuTime()
    for (const [name, method] of methods) t.equal(await method.decrypt(key, encryptUnder(header, content)), null, name)
    t.ok(cpuTime() - started < 500)
  })
}

for (const header of [
  { enc: 'A256GCM', alg: 'dir' },
  { alg: 'dir', enc: 'A256GCM', kid: '1' },
  { alg: 'dir', enc: 'A256GCM', typ: 'JWT' }
]) {
  t.test(`a token under an equivalent header is accepted: ${JSON.stringify(header)}`, async (t) => {
    for (const [name, method] of methods) t.equal(await method.decrypt(key, encryptUnder(header)), 'text', name)
  })
}

t.test('tokens of jose with other algorithms are rejected', async (t) => {
  const text = new TextEncoder().encode('text')
  const make = (alg: string, enc: string, size: number): Promise<string> =>
    new CompactEncrypt(text).setProtectedHeader({ alg, enc }).encrypt(new Uint8Array(size).fill(7))
  for (const token of [
    await make('dir', 'A256CBC-HS512', 64),
    await make('dir', 'A128GCM', 16),
    await make('A256KW', 'A256GCM', 32),
    await make('A256GCMKW', 'A256GCM', 32),
    await make('PBES2-HS256+A128KW', 'A256GCM', 32)
  ]) {
    for (const [name, method] of methods) t.equal(await method.decrypt(key, token), null, name)
  }
})

t.test('anything else is not a token, and nothing throws', async (t) => {
  const [header = '', , iv = '', content = '', tag = ''] = (await node.encrypt(key, 'text')).split('.')
  const junk = [
    ...['', '.', '....', '.....', 'a', 'a.b', 'a.b.c.d.e', '\u0000', '😀....', header, `${header}....`],
    ...[`${header}..${iv}.${content}`, `${header}..${iv}.${content}.${tag}.`, `${header}..${iv}.${content}.${tag}.a`],
    ...[`${header}.AAAA.${iv}.${content}.${tag}`, `..${iv}.${content}.${tag}`, `${header}...${content}.${tag}`],
    ...[`${header}..${iv}..${tag}`, `${header}..${iv}.${content}.`, `${header}..${iv.slice(0, -2)}.${content}.${tag}`],
    ...[
      `${header}..${iv}.${content}.${tag.slice(0, 16)}`,
      `${header}..${iv}.${content}.${tag}=`,
      ` ${header}..${iv}.${content}.${tag}`
    ],
    ...[`${header}..${iv}.${content}\n.${tag}`, `${header}..${iv}.${content}==.${tag}`, 'x'.repeat(maxTokenLength + 1)]
  ]
  for (const [name, method] of methods) {
    for (const token of junk)
      t.equal(await method.decrypt(key, token), null, `${name}: ${JSON.stringify(token.slice(0, 80))}`)
  }
})

t.test('a token that is longer than all cookies together is refused unread', async (t) => {
  const token = await node.encrypt(key, 'x'.repeat(maxTokenLength))
  for (const [name, method] of methods) t.equal(await method.decrypt(key, token), null, name)
})
