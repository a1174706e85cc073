// Packs every public package, and holds what is in the tarballs against what is meant to be.
import { existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** What a tarball may hold. */
const meant = [
  /^package\/(package\.json|README\.md|LICENSE(-[\w-]+)?)$/,
  /^package\/dist\/[\w/.-]+\.(js|d\.ts)(\.map)?$/,
  /^package\/src\/[\w/.-]+\.tsx?$/,
  /^package\/(src|dist)\/marks\/(generated\/[\w-]+\.json|SOURCES\.md)$/,
  /^package\/migrations\/[\w/.-]+\.sql$/
]
const required = ['package/package.json', 'package/README.md', 'package/LICENSE']

/** Every file that the manifest's `exports` name; a pattern names none in particular. */
function targetsOf(exports) {
  if (typeof exports === 'string') return exports.includes('*') ? [] : [exports.replace('./', 'package/')]
  return exports === null ? [] : Object.values(exports).flatMap(targetsOf)
}

/** @returns What is wrong with the list of files of one tarball. */
export function complaintsOf(files, manifest) {
  const has = new Set(files)
  const source = (file) => file.replace(/\/dist\/(bundle\/)?/, '/src/').replace(/\.(js|d\.ts)(\.map)?$/, '')
  // What several entries of a bundle need has no one source.
  const isOurs = (file) => file.startsWith('package/dist/') && !file.startsWith('package/dist/bundle/shared/')
  const isStale = (file) => isOurs(file) && !['', '.ts', '.tsx'].some((ending) => has.has(source(file) + ending))
  return [
    ...files
      .filter((file) => !meant.some((pattern) => pattern.test(file)))
      .map((file) => `not meant to be there: ${file}`),
    ...[...required, ...targetsOf(manifest.exports)].filter((file) => !has.has(file)).map((file) => `missing: ${file}`),
    ...files.filter(isStale).map((file) => `built from no source: ${file}`)
  ]
}

/**
 * Packs what `packages/` has that is not private.
 *
 * @returns The tarballs, with their manifests as published and their files.
 */
export function pack(root, folder, run) {
  mkdirSync(folder, { recursive: true })
  const manifestOf = (name) => JSON.parse(readFileSync(join(root, 'packages', name, 'package.json'), 'utf8'))
  const names = readdirSync(join(root, 'packages')).filter((name) => {
    return existsSync(join(root, 'packages', name, 'package.json')) && !manifestOf(name).private
  })
  return names.map((name) => {
    const { version } = manifestOf(name)
    const file = join(folder, `postern-${name}-${version}.tgz`)
    run('pnpm', ['pack', '--out', file], { cwd: join(root, 'packages', name) })
    const files = run('tar', ['-tzf', file]).trim().split('\n')
    const manifest = JSON.parse(run('tar', ['-xzOf', file, 'package/package.json']))
    return { file, files, manifest }
  })
}
