// A release without publishing: packs every public package, serves the tarballs as a registry on this machine, and does
// what users do with them: npm, pnpm and yarn, every Node and TypeScript that is supported, `import` and `require()`.
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { getRefusal, hasNotesFor } from './changelog.mjs'
import { getLicences, unwanted } from './licences.mjs'
import { consumers, loaders, readme, translated, visit } from './rehearse/programs.mjs'
import { getComplaints, pack } from './rehearse/tarballs.mjs'

const nodes = ['22', '24', '26']
const compilers = ['5.9', '6', '7']
const resolutions = ['nodenext', 'bundler']
const yarn = '@yarnpkg/cli-dist@4'

const root = fileURLToPath(new URL('..', import.meta.url))
const bin = join(root, 'node_modules', '.bin')
// Outside the repository, so that nothing of it is found in parent folders.
const directory = mkdtempSync(join(tmpdir(), 'postern-rehearsal-'))
const environment = { ...process.env, PATH: [bin, process.env.PATH].join(delimiter), NODE_OPTIONS: '', CI: '1' }
let failed = 0

/** Runs a command. @throws Error with its output if it fails. */
function run(command, args, { cwd = directory, env = {}, input } = {}) {
  const { status, stdout, stderr } = spawnSync(command, args, {
    cwd,
    env: { ...environment, ...env },
    encoding: 'utf8',
    input,
    maxBuffer: 100_000_000
  })
  if (status !== 0) throw new Error(`${command} ${args.join(' ')}\n${stdout}${stderr}`)
  return stdout
}

/** Does one step and reports it, with the text that it returns. */
function step(title, act) {
  const since = Date.now()
  try {
    const output = act()
    console.log(
      `ok     ${title}${typeof output === 'string' ? `: ${output}` : ''} (${((Date.now() - since) / 1000).toFixed(1)} s)`
    )
  } catch (error) {
    failed += 1
    console.log(`FAILED ${title}\n${error.message}`)
  }
}

function folder(name, files = {}) {
  const path = join(directory, name)
  mkdirSync(path, { recursive: true })
  for (const [file, text] of Object.entries(files)) writeFileSync(join(path, file), text)
  return path
}

/** The registry lives in a separate process: commands are waited for in this one. */
async function startRegistry(packed) {
  const { spawn } = await import('node:child_process')
  writeFileSync(join(directory, 'packed.json'), JSON.stringify(packed))
  const script = `
    import { readFileSync } from 'node:fs'
    const { serveRegistry } = await import(${JSON.stringify(new URL('./rehearse/registry.mjs', import.meta.url).href)})
    const { address } = await serveRegistry(JSON.parse(readFileSync(${JSON.stringify(join(directory, 'packed.json'))}, 'utf8')))
    console.log(address)
    process.on('disconnect', () => process.exit(0))`
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
    stdio: ['ignore', 'pipe', 'inherit', 'ipc']
  })
  const address = await new Promise((resolve) => child.stdout.once('data', (text) => resolve(String(text).trim())))
  return { address, close: () => child.disconnect() }
}

const { packages, program } = readme(root)
const manifest = JSON.stringify({ name: 'rehearsal', private: true })

console.log(`rehearsal in ${directory}`)
let packed = []
step('packed', () => {
  packed = pack(root, join(directory, 'tarballs'), run)
  return packed.map(({ file }) => file.split('/').at(-1)).join(', ')
})
for (const { files, manifest } of packed) {
  step(`${manifest.name}: ${files.length} files, all meant`, () => {
    const complaints = getComplaints(files, manifest)
    if (complaints.length > 0) throw new Error(complaints.join('\n'))
  })
}
step('versions move together', () => {
  const versions = new Set(packed.map(({ manifest }) => manifest.version))
  if (versions.size !== 1) throw new Error(`expected one version, got ${[...versions].join(', ')}`)
  const log = readFileSync(join(root, 'CHANGELOG.md'), 'utf8')
  const [version] = versions
  if (!hasNotesFor(log, version)) throw new Error(`expected a chapter on ${version}, or [Unreleased], in CHANGELOG.md`)
  const refusal = getRefusal(log, version)
  return refusal ? `${version}, not to be published yet: ${refusal}` : version
})

const { address, close } = await startRegistry(packed)
const npmrc = `@postern:registry=${address}\n`
const yarnrc = (linker) =>
  `nodeLinker: ${linker}\nenableTelemetry: false\nunsafeHttpWhitelist: ['127.0.0.1']\nnpmScopes:\n  postern:\n    npmRegistryServer: '${address.slice(0, -1)}'\n`
const user = { 'package.json': manifest, '.npmrc': npmrc, 'app.mts': program, 'visit.mjs': visit }

const tools = folder('tools', { 'package.json': manifest })
for (const node of nodes) {
  step(`Node ${node}`, () => {
    const prefix = folder(`tools/node-${node}`, { 'package.json': manifest })
    run('npm', ['install', '--no-save', `node@${node}`], { cwd: prefix })
    return run(join(prefix, 'node_modules/.bin/node'), ['--version']).trim()
  })
}
const getNode = (node) => join(tools, `node-${node}`, 'node_modules/.bin/node')

const installs = {
  npm: (cwd) => void run('npm', ['install', ...packages], { cwd }),
  pnpm: (cwd) => void run('pnpm', ['add', ...packages], { cwd }),
  yarn: (cwd) => {
    writeFileSync(join(cwd, '.yarnrc.yml'), yarnrc('node-modules'))
    writeFileSync(join(cwd, 'yarn.lock'), '')
    run('npx', ['-y', '-p', yarn, '--', 'yarn', 'add', ...packages], {
      cwd,
      env: { YARN_ENABLE_IMMUTABLE_INSTALLS: '0' }
    })
  }
}
for (const [manager, install] of Object.entries(installs)) {
  const cwd = folder(manager, user)
  step(`${manager} runs the installation of the README`, () => {
    install(cwd)
    if (existsSync(join(cwd, 'node_modules/@postern/account')))
      throw new Error('expected @postern/account only in applications that use it')
  })
  for (const node of nodes) {
    step(`${manager}: the README's program under Node ${node}`, () => {
      run(getNode(node), ['visit.mjs'], { cwd })
    })
  }
}

const { count, ...load } = loaders(packed)
const consumer = folder('consumer', { ...user, ...load, ...consumers, 'translated.mjs': translated })
step('a consumer of everything installs', () => {
  const drivers = ['pg', 'mysql2', 'ioredis', 'drizzle-orm@<1', 'tap']
  const types = ['@types/node@24', '@types/react', '@types/better-sqlite3', '@types/pg']
  const aliases = compilers.map((version) => `typescript-${version}@npm:typescript@${version}`)
  for (const requested of [
    [...packages, '@postern/react', '@postern/pages', '@postern/account'],
    drivers,
    [...types, ...aliases]
  ])
    run('npm', ['install', ...requested], { cwd: consumer })
})
for (const node of nodes) {
  for (const method of ['load.mjs', 'load.cjs']) {
    step(`${count} entry points by ${method === 'load.mjs' ? 'import' : 'require()'} under Node ${node}`, () => {
      run(getNode(node), [method], { cwd: consumer })
    })
  }
}

for (const node of nodes) {
  step(`a page in English, German and Japanese under Node ${node}`, () => {
    run(getNode(node), ['translated.mjs'], { cwd: consumer })
  })
}

/** Compiles the consumers; bundlers know no CommonJS by file name. */
function compile(version, moduleResolution, skipLibCheck) {
  const isNode = moduleResolution === 'nodenext'
  const compilerOptions = {
    target: 'es2023',
    lib: ['es2023', 'dom'],
    module: isNode ? 'nodenext' : 'esnext',
    moduleResolution,
    types: ['node'],
    jsx: 'react-jsx',
    strict: true,
    exactOptionalPropertyTypes: true,
    noEmit: true,
    skipLibCheck
  }
  const files = ['app.mts', 'all.mts', ...(isNode ? ['required.cts'] : [])]
  writeFileSync(join(consumer, 'tsconfig.json'), JSON.stringify({ compilerOptions, files }))
  run(process.execPath, [join(consumer, `node_modules/typescript-${version}/bin/tsc`), '-p', consumer], {
    cwd: consumer
  })
}
for (const version of compilers) {
  for (const resolution of resolutions)
    step(`TypeScript ${version}, ${resolution}`, () => compile(version, resolution, true))
}
step('without skipLibCheck, every error is in a third-party package', () => {
  try {
    compile('6', 'nodenext', false)
    return 'no complaint'
  } catch (error) {
    const reported = error.message.split('\n').filter((line) => /error TS/.test(line))
    const ours = reported.filter((line) => !/^node_modules\//.test(line) || /^node_modules\/@postern\//.test(line))
    if (reported.length === 0 || ours.length > 0) throw new Error(ours.join('\n') || error.message)
    return [...new Set(reported.map((line) => /^node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(line)?.[1]))].join(', ')
  }
})
step('licenses of runtime dependencies', () => {
  const found = getLicences(packed.map(({ manifest }) => join(consumer, 'node_modules', manifest.name)))
  const others = unwanted(found)
  if (others.length > 0) throw new Error(JSON.stringify(others))
  return found.map(({ name, version, license }) => `${name} ${version} ${license}`).join(', ')
})

close()
if (failed === 0) rmSync(directory, { recursive: true, force: true })
console.log(failed === 0 ? 'rehearsal: all steps passed' : `rehearsal: ${failed} failed; see ${directory}`)
process.exit(failed === 0 ? 0 : 1)
