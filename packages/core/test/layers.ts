import { posix } from 'node:path'

/** A source file: its path below `packages/`, and what it imports. */
export interface SourceFile {
  readonly path: string
  readonly text: string
}

/** The folders of core. A folder may import from those before it and from itself. */
const order = [
  ...['model', 'errors', 'cookies', 'tokens', 'http', 'adapter', 'hooks', 'csrf', 'redirects', 'oauth', 'sessions'],
  ...['accounts', 'config', 'provider-types', 'actions', 'root']
]

/** The folders of core beside the order, and all that they may import. */
const beside: Readonly<Record<string, readonly string[]>> = {
  providers: ['model/'],
  node: ['model/', 'errors/']
}

/** The packages, and which of ours each may import. */
const packages: Readonly<Record<string, readonly string[]>> = {
  core: [],
  pages: ['core'],
  adapters: ['core'],
  fastify: ['core', 'pages'],
  react: ['core'],
  testkit: ['core'],
  bench: ['core', 'pages', 'adapters', 'fastify', 'testkit']
}

/** Private programs, which nobody imports: no dependency reaches a user through them, so they may have any. */
const programs: readonly string[] = ['bench']

/** The one place of each dependency. */
const owners: readonly (readonly [dependency: RegExp, places: RegExp])[] = [
  [/^oauth4webapi$/, /^core\/src\/oauth\//],
  [/^jose$/, /^(core\/src\/tokens|testkit\/src)\//],
  [/^(nodemailer|undici)$/, /^core\/src\/node\//],
  [/^node:/, /^(core\/src\/(tokens|node)|(fastify|adapters|pages|testkit)\/src)\//],
  [/^drizzle-orm$/, /^adapters\/src\/drizzle\//],
  [/^(react|react-dom)$/, /^(pages|react)\/src\//],
  [/^(fastify|fastify-plugin|@fastify\/.*)$/, /^fastify\/src\//]
]

const statement = /\b(?:import|export)\s+(type\s)?[\w\s{},*$]*?\bfrom\s*'([^']+)'|\bimport\s*\(?\s*'([^']+)'/g

/** @returns Every import that the layer rule forbids, as `file: reason`. */
export function violations(files: readonly SourceFile[]): readonly string[] {
  return files.flatMap(({ path, text }) => {
    const homeless = unlisted(path)
    if (homeless) return [`${path}: ${homeless}`]
    return [...text.matchAll(statement)].flatMap(([, type, from, bare]) => {
      const specifier = from ?? bare ?? ''
      const reason = specifier.startsWith('.') ? relative(path, specifier) : outside(path, specifier, Boolean(type))
      return reason ? [`${path}: ${specifier}: ${reason}`] : []
    })
  })
}

const folderOf = (file: string): string => (file.includes('/') ? (file.split('/')[0] ?? '') : 'root')

function unlisted(path: string): string | null {
  const [name = '', , ...rest] = path.split('/')
  if (!Object.hasOwn(packages, name)) return `${name} is not a listed package`
  const folder = folderOf(rest.join('/'))
  return name === 'core' && !order.includes(folder) && !Object.hasOwn(beside, folder)
    ? `${folder} is not in the order of layers`
    : null
}

function relative(path: string, specifier: string): string | null {
  const [name = '', , ...rest] = path.split('/')
  const target = posix.join(posix.dirname(path), specifier)
  if (!target.startsWith(`${name}/src/`)) return 'leaves the package'
  if (name !== 'core') return null
  const file = target.slice('core/src/'.length)
  const [folder, other] = [folderOf(rest.join('/')), folderOf(file)]
  if (folder === other) return null
  if (Object.hasOwn(beside, folder))
    return beside[folder]?.some((start) => file.startsWith(start)) ? null : `not for ${folder}`
  if (!order.includes(other)) return `${other} is not in the order of layers`
  return order.indexOf(other) < order.indexOf(folder) ? null : `${other} comes after ${folder}`
}

function outside(path: string, specifier: string, isType: boolean): string | null {
  const [name = ''] = path.split('/')
  const allowed = packages[name] ?? []
  const own = /^@postern\/([^/]+)/.exec(specifier)?.[1]
  if (own !== undefined) {
    if (!allowed.includes(own)) return `${name} may not import ${own}`
    return name === 'react' && !isType ? 'react may import types only' : null
  }
  if (programs.includes(name)) return null
  const dependency = specifier.startsWith('node:') ? specifier : (/^(@[^/]+\/)?[^/]+/.exec(specifier)?.[0] ?? specifier)
  const owner = owners.find(([pattern]) => pattern.test(dependency))
  if (owner) return owner[1].test(path) ? null : `${dependency} has another place`
  return name === 'core' ? `${dependency} is no dependency of core` : null
}
