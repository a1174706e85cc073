import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { versions } from '../report/results.ts'
import { columns } from '../report/table.ts'

/** What an application installs; the peers that the packages ask for are part of it. */
interface Cart {
  readonly name: string
  /** Ours, by folder. */
  readonly own: readonly string[]
  /** From the registry. */
  readonly others: Readonly<Record<string, string>>
}

interface Size {
  readonly packages: number
  readonly bytes: number
}

const packagesFolder = fileURLToPath(new URL('../../../', import.meta.url))

function carts(): Cart[] {
  const known = versions()
  const of = (...names: string[]) => Object.fromEntries(names.map((name) => [name, known[name] ?? 'latest']))
  const react = { react: '19', 'react-dom': '19' }
  const sqlite = { 'better-sqlite3': '13' }
  const ours = ['core', 'pages', 'fastify']
  return [
    { name: 'bare Fastify', own: [], others: of('fastify') },
    { name: 'Postern: core, fastify, pages', own: ours, others: { ...of('fastify'), ...react } },
    { name: '  and adapters', own: [...ours, 'adapters'], others: { ...of('fastify'), ...react } },
    { name: '  and its SQLite', own: [...ours, 'adapters'], others: { ...of('fastify'), ...react, ...sqlite } },
    { name: 'next-auth, Next.js', own: [], others: { ...of('next-auth'), next: '16', ...react } },
    { name: 'Auth.js, Express', own: [], others: { ...of('@auth/express'), express: '5' } },
    { name: 'better-auth, Fastify', own: [], others: of('better-auth', 'fastify') },
    { name: '  and its SQLite', own: [], others: { ...of('better-auth', 'fastify'), 'better-sqlite3': '13' } },
    { name: '@fastify/secure-session, Fastify', own: [], others: of('@fastify/secure-session', 'fastify') },
    {
      name: '@fastify/session, Fastify',
      own: [],
      others: { ...of('@fastify/session', 'fastify'), '@fastify/cookie': '11' }
    }
  ]
}

/** Packs our packages as they would be published. */
function pack(folder: string): Map<string, string> {
  const packed = new Map<string, string>()
  for (const name of ['core', 'pages', 'fastify', 'adapters']) {
    const cwd = join(packagesFolder, name)
    const to = join(folder, name)
    mkdirSync(to)
    execFileSync('pnpm', ['pack', '--pack-destination', to], { cwd, stdio: 'ignore' })
    const [file = ''] = readdirSync(to)
    packed.set(name, join(to, file))
  }
  return packed
}

/** Counts what is installed: every folder of a package, and the bytes of all files. */
function getSize(modules: string): Size {
  let packages = 0
  let bytes = 0
  for (const entry of readdirSync(modules, { withFileTypes: true, recursive: true })) {
    const path = join(entry.parentPath, entry.name)
    if (entry.isFile()) bytes += statSync(path).size
    const isManifest = entry.isFile() && entry.name === 'package.json'
    if (isManifest && /node_modules\/(@[^/]+\/)?[^/]+$/.test(entry.parentPath) && isNamed(path)) packages += 1
  }
  return { packages, bytes }
}

/** A folder inside a package may have a manifest without a name. */
function isNamed(path: string): boolean {
  const manifest: unknown = JSON.parse(readFileSync(path, 'utf8'))
  return typeof manifest === 'object' && manifest !== null && 'name' in manifest && 'version' in manifest
}

function install(folder: string, { own, others }: Cart, packed: ReadonlyMap<string, string>): Size {
  const cwd = mkdtempSync(join(folder, 'cart-'))
  const ours = Object.fromEntries(own.map((name) => [`@postern/${name}`, `file:${packed.get(name)}`]))
  writeFileSync(join(cwd, 'package.json'), JSON.stringify({ private: true, dependencies: { ...ours, ...others } }))
  const flags = ['--omit=dev', '--ignore-scripts', '--no-audit', '--no-fund', '--prefer-offline', '--loglevel=error']
  execFileSync('npm', ['install', ...flags], { cwd, stdio: ['ignore', 'ignore', 'inherit'] })
  return getSize(join(cwd, 'node_modules'))
}

/** Installs each cart in a folder of its own, as npm does for an application. */
export async function runInstall(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'postern-install-'))
  try {
    const packed = pack(folder)
    const sizes = carts().map((cart) => ({ name: cart.name, ...install(folder, cart, packed) }))
    const mega = (bytes: number): string => (bytes / 1e6).toFixed(1)
    const rows = sizes.map(({ name, packages, bytes }) => [name, String(packages), mega(bytes)])
    process.stdout.write(`${columns([['', 'packages', 'MB'], ...rows])}\n`)
    const results = new URL('../../results/', import.meta.url)
    writeFileSync(new URL('install.json', results), `${JSON.stringify({ versions: versions(), sizes }, null, 2)}\n`)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
