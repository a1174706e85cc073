import { posix } from 'node:path'

/** A source file: its path below `packages/`, and what it imports. */
export interface SourceFile {
  readonly path: string
  readonly text: string
}

/** The folders of core. A folder may import from those before it and from itself. */
const order = [
  ...[
    'model',
    'errors',
    'schema',
    'cookies',
    'tokens',
    'http',
    'adapter',
    'hooks',
    'csrf',
    'redirects',
    'oauth',
    'sessions'
  ],
  ...['accounts', 'features', 'config', 'sign-in-methods', 'actions', 'api', 'root']
]

/** The folders of core outside the order, and all that they may import. */
const allowedImports: Readonly<Record<string, readonly string[]>> = {
  providers: ['model/'],
  node: ['model/', 'errors/']
}

/** The packages, and which of Postern each may import. */
const packages: Readonly<Record<string, readonly string[]>> = {
  core: [],
  pages: ['core'],
  adapters: ['core'],
  account: ['core', 'pages'],
  fastify: ['core', 'pages'],
  react: ['core'],
  testkit: ['core'],
  bench: ['core', 'pages', 'adapters', 'account', 'fastify', 'testkit']
}

/** Packages that use others as any user would: only the entries that their manifests export, and nothing internal. */
const outsiders: Readonly<Record<string, RegExp>> = {
  account: /^@postern\/(core(\/(feature|jwt|node|providers\/[\w-]+))?|pages)$/
}

/** Private programs, which no one imports: no dependency reaches a user through them, so they may have any. */
const programs: readonly string[] = ['bench']

/** The one place of each dependency. */
const owners: readonly (readonly [dependency: RegExp, places: RegExp])[] = [
  [/^oauth4webapi$/, /^core\/src\/oauth\//],
  [/^jose$/, /^(core\/src\/tokens|testkit\/src)\//],
  [/^(nodemailer|undici)$/, /^core\/src\/node\//],
  [
    /^node:/,
    /^(core\/src\/(tokens|node)|account\/src\/(mail|passkey|password|pages\/email)|(fastify|adapters|pages|testkit)\/src)\/|^account\/src\/texts-by-language\.ts$/
  ],
  [/^drizzle-orm$/, /^adapters\/src\/drizzle\//],
  [/^@simplewebauthn\/server$/, /^account\/src\/passkey\//],
  [/^(react|react-dom)$/, /^(pages|react|account)\/src\//],
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

/** @returns Every circle of imports, type-only imports included, as `a → b → a`. */
export function circles(files: readonly SourceFile[]): readonly string[] {
  const imports = new Map(
    files.map(({ path, text }) => {
      const specifiers = [...text.matchAll(statement)].map(([, , from, bare]) => from ?? bare ?? '')
      return [path, specifiers.map((specifier) => posix.join(posix.dirname(path), specifier))] as const
    })
  )
  const found: string[] = []
  const finished = new Set<string>()
  const visit = (path: string, trail: readonly string[]): void => {
    const start = trail.indexOf(path)
    if (start >= 0) found.push([...trail.slice(start), path].join(' → '))
    if (start >= 0 || finished.has(path)) return
    for (const target of imports.get(path) ?? []) visit(target, [...trail, path])
    finished.add(path)
  }
  for (const path of imports.keys()) visit(path, [])
  return found
}

/** A type that only lists services: a function takes the configuration, one of its services, or a value. */
const bag = /\bPick<\s*(Config|Services)\b/

/** @returns Every file of core with a type that lists services. */
export function serviceLists(files: readonly SourceFile[]): readonly string[] {
  return files.filter(({ path, text }) => path.startsWith('core/src/') && bag.test(text)).map(({ path }) => path)
}

const getFolder = (file: string): string => (file.includes('/') ? (file.split('/')[0] ?? '') : 'root')

function unlisted(path: string): string | null {
  const [name = '', , ...rest] = path.split('/')
  if (!Object.hasOwn(packages, name)) return `${name} is not a listed package`
  const folder = getFolder(rest.join('/'))
  return name === 'core' && !order.includes(folder) && !Object.hasOwn(allowedImports, folder)
    ? `${folder} is not in the order of layers`
    : null
}

function relative(path: string, specifier: string): string | null {
  const [name = '', , ...rest] = path.split('/')
  const target = posix.join(posix.dirname(path), specifier)
  if (!target.startsWith(`${name}/src/`)) return 'leaves the package'
  if (name !== 'core') return null
  const file = target.slice('core/src/'.length)
  const [folder, other] = [getFolder(rest.join('/')), getFolder(file)]
  if (folder === other) return null
  if (Object.hasOwn(allowedImports, folder))
    return allowedImports[folder]?.some((start) => file.startsWith(start)) ? null : `not for ${folder}`
  if (!order.includes(other)) return `${other} is not in the order of layers`
  return order.indexOf(other) < order.indexOf(folder) ? null : `${other} comes after ${folder}`
}

function outside(path: string, specifier: string, isType: boolean): string | null {
  const [name = ''] = path.split('/')
  const allowed = packages[name] ?? []
  const own = /^@postern\/([^/]+)/.exec(specifier)?.[1]
  if (own !== undefined) {
    if (!allowed.includes(own)) return `${name} may not import ${own}`
    if (outsiders[name]?.test(specifier) === false) return `${specifier} is no public entry`
    return name === 'react' && !isType ? 'react may import types only' : null
  }
  if (programs.includes(name)) return null
  const dependency = specifier.startsWith('node:') ? specifier : (/^(@[^/]+\/)?[^/]+/.exec(specifier)?.[0] ?? specifier)
  const owner = owners.find(([pattern]) => pattern.test(dependency))
  if (owner) return owner[1].test(path) ? null : `${dependency} has another place`
  return name === 'core' ? `${dependency} is not a dependency of core` : null
}
