// `pnpm docs:api`: writes the reference of every exported name as Markdown. It is made again from the docstrings each time,
// so it is not kept in the repository.
import { spawnSync } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const docs = join(root, 'docs')

/** The source of every entry point of every public package; a provider's module is described by docs/providers.md. */
function entryPoints() {
  return readdirSync(join(root, 'packages')).flatMap((name) => {
    const { private: isPrivate, exports = {} } = JSON.parse(
      readFileSync(join(root, 'packages', name, 'package.json'), 'utf8')
    )
    if (isPrivate) return []
    const targets = Object.values(exports).flatMap((target) => target?.types ?? [])
    return targets
      .filter((file) => !file.includes('*'))
      .map((file) => join(root, 'packages', name, file.replace('./dist/', 'src/').replace(/\.d\.ts$/, '.ts')))
  })
}

/** @returns The output of typedoc if it failed, else `null`. */
export function writeApi(folder) {
  const build = join(docs, 'build/api')
  mkdirSync(build, { recursive: true })
  const { compilerOptions } = JSON.parse(readFileSync(join(root, 'tsconfig.json'), 'utf8'))
  const own = { ...compilerOptions, composite: false, declaration: false, declarationMap: false }
  const options = { ...own, isolatedDeclarations: false, noEmit: true, allowImportingTsExtensions: true }
  delete options.rewriteRelativeImportExtensions
  const include = [join(root, 'packages/*/src/**/*')]
  writeFileSync(
    join(build, 'tsconfig.json'),
    JSON.stringify({ compilerOptions: { ...options, typeRoots: [join(root, 'node_modules/@types')] }, include })
  )
  const args = [
    join(docs, 'node_modules/typedoc/bin/typedoc'),
    ...['--plugin', join(docs, 'node_modules/typedoc-plugin-markdown/dist/index.js')],
    ...['--tsconfig', join(build, 'tsconfig.json'), '--out', resolve(folder), '--basePath', join(root, 'packages')],
    ...['--readme', 'none', '--router', 'module', '--disableSources', '--excludeInternal', '--skipErrorChecking'],
    ...['--hidePageHeader', 'true', '--logLevel', 'Error', '--disableGit'],
    ...entryPoints()
  ]
  // tap gives every child of a test its own loader, which typedoc has no use for.
  const { status, stdout, stderr } = spawnSync(process.execPath, args, {
    cwd: docs,
    encoding: 'utf8',
    env: { ...process.env, NODE_OPTIONS: '' }
  })
  return status === 0 ? null : stdout + stderr
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [, , folder] = process.argv
  if (!folder) throw new Error('expected the folder to write to')
  const failure = writeApi(folder)
  if (failure !== null) {
    console.error(failure)
    process.exit(1)
  }
}
