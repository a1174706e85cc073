import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { circles, serviceLists, violations } from './layers.ts'

const packages = join(import.meta.dirname, '../../..')

const sources = globSync('*/src/**/*.{ts,tsx}', { cwd: packages }).map((path) => ({
  path,
  text: readFileSync(join(packages, path), 'utf8')
}))

t.test('every import of every package follows the layer rule', async (t) => {
  t.ok(sources.length > 150, 'the sources were found')
  t.same(violations(sources), [])
})

t.test('an application that does not use @postern/account does not install it', async (t) => {
  const manifests = globSync('*/package.json', { cwd: packages })
  t.ok(manifests.includes('account/package.json'))
  for (const path of manifests) {
    const manifest = JSON.parse(readFileSync(join(packages, path), 'utf8'))
    // Nobody installs the benchmark and the tests.
    if (manifest.private) continue
    const names = ['dependencies', 'optionalDependencies', 'peerDependencies', 'devDependencies']
    t.notOk(
      names.some((name) => '@postern/account' in (manifest[name] ?? {})),
      path
    )
  }
})

t.test('no files import each other in a circle, not even types', async (t) => {
  t.same(circles(sources), [])
  const [a, b, c, d] = ['a', 'b', 'c', 'd'].map((name) => `core/src/model/${name}.ts`)
  const files = [
    { path: `${a}`, text: "import { b } from './b.ts'" },
    { path: `${b}`, text: "import type { C } from './c.ts'" },
    { path: `${c}`, text: "import { d } from './d.ts'\nconst b = import('./b.ts')" },
    { path: `${d}`, text: "import { join } from 'node:path'" }
  ]
  t.same(circles(files), [`${b} → ${c} → ${b}`])
})

t.test('functions take the configuration, a service or a value, and no list of services', async (t) => {
  t.same(
    serviceLists(sources).filter((path) => !path.startsWith('core/src/config/')),
    []
  )
  const path = 'core/src/actions/a.ts'
  t.same(serviceLists([{ path, text: "type Deps = Pick<\n  Config,\n  'store'>" }]), [path])
  t.same(serviceLists([{ path, text: 'function send(config: Config): void {' }]), [])
})

const forbidden: readonly (readonly [path: string, text: string, reason: string])[] = [
  ['core/src/oauth/a.ts', "import type { Config } from '../config/config.ts'", 'config comes after oauth'],
  ['core/src/model/a.ts', "import { AuthError } from '../errors/auth-error.ts'", 'errors comes after model'],
  ['core/src/cookies/a.ts', "export { sha256 } from '../tokens/hash.ts'", 'tokens comes after cookies'],
  ['core/src/tokens/a.ts', "import { json } from '../http/action-result.ts'", 'http comes after tokens'],
  [
    'core/src/http/a.ts',
    "import {\n  type Store,\n  StoreError\n} from '../adapter/store.ts'",
    'adapter comes after http'
  ],
  ['core/src/sessions/a.ts', "import { decide } from '../accounts/linking-policy.ts'", 'accounts comes after sessions'],
  [
    'core/src/sign-in-methods/a.ts',
    "import { rows } from '../actions/routes.ts'",
    'actions comes after sign-in-methods'
  ],
  ['core/src/actions/a.ts', "import { handle } from '../handle.ts'", 'root comes after actions'],
  ['core/src/utils/a.ts', 'export const one = 1', 'utils is not in the order of layers'],
  ['core/src/actions/a.ts', "import { omit } from '../utils/a.ts'", 'utils is not in the order of layers'],
  [
    'core/src/postern.ts',
    "import { guardedFetch } from './node/guarded-fetch.ts'",
    'node is not in the order of layers'
  ],
  ['core/src/index.ts', "import github from './providers/github.ts'", 'providers is not in the order of layers'],
  ['core/src/providers/a.ts', "import { AuthError } from '../errors/auth-error.ts'", 'not for providers'],
  ['core/src/node/a.ts', "import { defaults } from '../config/defaults.ts'", 'not for node'],
  ['core/src/oauth/a.ts', "import { jwtVerify } from 'jose'", 'jose has another place'],
  ['core/src/tokens/a.ts', "import * as oauth from 'oauth4webapi'", 'oauth4webapi has another place'],
  ['core/src/http/a.ts', "import { join } from 'node:path'", 'node:path has another place'],
  ['core/src/actions/a.ts', "const { lookup } = await import('node:dns')", 'node:dns has another place'],
  ['core/src/sign-in-methods/a.ts', "import type { Transporter } from 'nodemailer'", 'nodemailer has another place'],
  ['core/src/http/a.ts', "import qs from 'qs'", 'qs is not a dependency of core'],
  ['core/src/http/a.ts', "import type { FastifyRequest } from 'fastify'", 'fastify has another place'],
  ['core/src/http/a.ts', "import { memoryAdapter } from '@postern/adapters/memory'", 'core may not import adapters'],
  ['core/src/http/a.ts', "import '../../../adapters/src/memory/adapter.ts'", 'leaves the package'],
  ['adapters/src/memory/a.ts', "import { sql } from 'drizzle-orm'", 'drizzle-orm has another place'],
  ['adapters/src/contract/a.ts', "import { text } from 'drizzle-orm/sqlite-core'", 'drizzle-orm has another place'],
  ['fastify/src/a.ts', "import { memoryAdapter } from '@postern/adapters/memory'", 'fastify may not import adapters'],
  ['fastify/src/a.ts', "import { renderToString } from 'react-dom/server'", 'react-dom has another place'],
  ['pages/src/a.tsx', "import postern from '@postern/fastify'", 'pages may not import fastify'],
  ['adapters/src/a.ts', "import cookie from '@fastify/cookie'", '@fastify/cookie has another place'],
  ...['core', 'pages', 'adapters', 'fastify', 'react', 'testkit'].map(
    (name) =>
      [
        `${name}/src/${name === 'core' ? 'http/' : ''}a.ts`,
        "import { accountPages } from '@postern/account/pages'",
        `${name} may not import account`
      ] as const
  ),
  ['account/src/pages/a.ts', "import postern from '@postern/fastify'", 'account may not import fastify'],
  [
    'account/src/pages/a.ts',
    "import { memoryAdapter } from '@postern/adapters/memory'",
    'account may not import adapters'
  ],
  ['account/src/pages/a.ts', "import { sha256 } from '@postern/core/dist/tokens/hash.js'", 'is no public entry'],
  ['account/src/pages/a.ts', "await import('@postern/pages/dist/render.js')", 'is no public entry'],
  ['account/src/pages/a.ts', "import { json } from '../../../core/src/http/action-result.ts'", 'leaves the package'],
  ['react/src/a.ts', "import { createHash } from 'node:crypto'", 'node:crypto has another place'],
  ['react/src/a.ts', "import { parseCookies } from '@postern/core'", 'react may import types only'],
  ['testkit/src/a.ts', "import { drive } from '@postern/bench/load/drive'", 'testkit may not import bench'],
  ['adapters/src/a.ts', "import { drive } from '../../bench/src/load/drive.ts'", 'leaves the package'],
  ['bench/src/a.ts', "import { useSession } from '@postern/react'", 'bench may not import react'],
  ['bench/src/a.ts', "import { sha256 } from '../../core/dist/tokens/hash.js'", 'leaves the package'],
  ['bench/src/commands/a.ts', "import { hotFunctions } from '../../inside/hot-functions.ts'", 'leaves the package'],
  ['oauthContext/src/a.ts', "import { parseCookies } from '@postern/core'", 'oauthContext is not a listed package']
]

for (const [path, text, reason] of forbidden) {
  t.test(`refused: ${path} with ${text.replaceAll('\n', ' ')}`, async (t) => {
    t.match(violations([{ path, text }]), [new RegExp(`^${path}: .*${reason}$`)])
  })
}

const permitted: readonly (readonly [path: string, text: string])[] = [
  [
    'core/src/actions/a.ts',
    "import type { User } from '../model/user.ts'\nexport { decide } from '../accounts/linking-policy.ts'"
  ],
  ['core/src/handle.ts', "import { rows } from './actions/routes.ts'\nimport { handle } from './jwt.ts'"],
  ['core/src/tokens/a.ts', "import { compactVerify } from 'jose'\ntype Crypto = typeof import('node:crypto')"],
  ['core/src/node/a.ts', "import type { Message } from '../model/runtime.ts'\nawait import('nodemailer')"],
  ['react/src/a.ts', "import type { Session } from '@postern/core'\nimport { useState } from 'react'"],
  [
    'account/src/pages/a.tsx',
    "import type { Feature } from '@postern/core/feature'\nimport { Card } from '@postern/pages'\nimport { jsx } from 'react'"
  ],
  ['fastify/src/a.ts', "import { renderer } from '@postern/pages'\nimport { isIP } from 'node:net'"],
  ['bench/src/a.ts', "import postern from '@postern/fastify'\nimport express from 'express'\nimport 'node:os'"]
]

for (const [path, text] of permitted) {
  t.test(`allowed: ${path} with ${text.replaceAll('\n', ' and ')}`, async (t) => {
    t.same(violations([{ path, text }]), [])
  })
}
